import type { Page, Store } from '@tillwright/plugin-sdk'
import { createStore } from '../flow/create-store.ts'
import { tabStorage } from '../flow/tab-storage.ts'
import { en, type Texts } from './en.ts'

/** The languages of the funnel, by their own names. */
export const languages: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ar: 'العربية',
}

const CHOSEN = 'offer-funnel:language'

/** English is there at once, the others when they are wanted. */
const loaders: Readonly<Record<string, () => Promise<Texts>>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  ar: async () => (await import('./ar.ts')).ar,
}

/** The texts in the page's language, and a promise that is kept when the first of them are there. */
export interface TextsStore extends Store<Texts> {
  ready: Promise<void>
}

/** Follows the page's language with the texts of the funnel. A language that does not load leaves the former one. */
export function openTexts({ locale }: Pick<Page, 'locale'>): TextsStore {
  const texts = createStore<Texts>(en)
  const chosen = tabStorage()?.getItem(CHOSEN) ?? ''
  if (Object.hasOwn(languages, chosen)) locale.set(chosen)
  const follow = async (): Promise<void> => {
    const wanted = languageOf(locale.get())
    const loaded = await (loaders[wanted]?.() ?? Promise.resolve(en)).catch(texts.get)
    if (wanted === languageOf(locale.get())) texts.set(loaded)
  }
  locale.subscribe(() => void follow())
  return { ...texts, ready: follow() }
}

/** Chooses a language for this tab. */
export function chooseLanguage({ locale }: Pick<Page, 'locale'>, language: string): void {
  tabStorage()?.setItem(CHOSEN, language)
  locale.set(language)
}

/** `de` for `de-AT`. */
export function languageOf(tag: string): string {
  return tag.toLowerCase().split('-')[0] ?? tag
}
