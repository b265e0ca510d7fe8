import type en from './en.json'

/** All texts of the plugin in one language. */
export type Texts = Readonly<Record<keyof typeof en, string>>

/** A language that the plugin speaks. */
export type Language = (typeof languages)[number]['tag']

/** The languages, each by the name that it has for itself; the first is part of every page, the others are loaded. */
export const languages = [
  { tag: 'en', name: 'English' },
  { tag: 'de', name: 'Deutsch' },
  { tag: 'fr', name: 'Français' },
  { tag: 'es', name: 'Español' },
  { tag: 'ar', name: 'العربية' },
] as const

/** The language that serves a locale. */
export function languageOf(locale: string): Language {
  const wanted = locale.toLowerCase().split('-')[0]
  return languages.find(({ tag }) => tag === wanted)?.tag ?? 'en'
}
