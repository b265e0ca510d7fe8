import type { PageData } from './page-data.ts'
import type { SessionState } from './session/index.ts'
import { createStore, type Store } from './store.ts'
import type { Surroundings } from './surroundings.ts'

/** The language of the page, a BCP 47 tag. */
export interface LocaleStore extends Store<string> {
  /**
   * Chooses another language, which stays for this page.
   *
   * @throws {RangeError} For what is no tag.
   */
  set(tag: string): void
  dir(): 'ltr' | 'rtl'
}

/** Where a page's language comes from. */
export interface LocaleSources {
  data: Store<PageData>
  session: Store<SessionState>
  /** The languages that the plugin has, the default one first; empty for any. */
  locales: readonly string[]
  around: Pick<Surroundings, 'languages' | 'showLanguage'>
}

/**
 * Finds the language of the page: the chosen one, else the preview's, else the buyer's best that the plugin has, else
 * the store's, else the plugin's own. The document's language is set, now and at every change.
 */
export function openLocale({ data, session, locales, around }: LocaleSources): LocaleStore {
  let chosen: string | undefined
  const store = createStore('')
  const refresh = (): void => store.set(find())
  store.subscribe(() => around.showLanguage(store.get(), directionOf(store.get())))
  refresh()
  data.subscribe(refresh)
  session.subscribe(refresh)
  return {
    ...store,
    set(tag) {
      directionOf(tag)
      chosen = tag
      refresh()
    },
    dir: () => directionOf(store.get()),
  }

  function find(): string {
    const offered = [...around.languages, data.get().locale].find((tag) => tag && isOffered(tag))
    return chosen ?? session.get().view?.preview?.locale ?? offered ?? locales[0] ?? 'en'
  }

  function isOffered(tag: string): boolean {
    return !locales[0] || locales.some((locale) => languageOf(locale) === languageOf(tag))
  }
}

function languageOf(tag: string): string | undefined {
  return tag.toLowerCase().split('-')[0]
}

/** Texts by language: `{ en: 'Buy now', 'pt-BR': 'Comprar' }`. */
export type Translation = Readonly<Record<string, string>>

/**
 * The text in the language that serves a locale best: the same tag, else a shorter one (`zh-Hant` for `zh-Hant-TW`),
 * else another one of the same language, then the same for each of the fallbacks, else the first text there is. An empty
 * text counts as none.
 *
 * @param text Texts by language; a text by itself stands for all of them.
 * @param locales BCP 47 tags: the wanted one, then the fallbacks.
 * @returns An empty text when there is none.
 */
export function translate(text: Translation | string | null | undefined, ...locales: readonly string[]): string {
  if (typeof text === 'string') return text
  const texts = Object.entries(text ?? {}).filter(([, words]) => words)
  for (const locale of locales) {
    for (let wanted = locale.toLowerCase(); wanted; wanted = wanted.replace(/-?[^-]*$/, '')) {
      const isLanguage = !wanted.includes('-')
      const find = (fits: (tag: string) => boolean) => texts.find(([tag]) => fits(tag.toLowerCase()))
      const found = find((tag) => tag === wanted) ?? (isLanguage && find((tag) => tag.startsWith(`${wanted}-`)))
      if (found) return found[1]
    }
  }
  return texts[0]?.[1] ?? ''
}

/** Puts values in the place of their names in braces: `Pay {amount}`. A name without a value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** The currencies of ISO 4217 that have no decimals, and those that have three. All others have two. */
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'

/**
 * An amount as people write it.
 *
 * @param amountMinor A whole number of minor units, exact up to 10^15: 1999 is 19.99 USD, and 1999 JPY.
 * @param currency Upper-case ISO 4217. Its decimals are those of the standard, which are not always those of `Intl`.
 * @param locale A BCP 47 tag.
 */
export function formatMoney(amountMinor: number, currency: string, locale: string): string {
  const decimals = NONE.includes(currency) ? 0 : THREE.includes(currency) ? 3 : 2
  const shown = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amountMinor / 10 ** decimals)
  // Unicode's RIGHT-TO-LEFT MARK parts the number from its currency, below zero as above, and its LEFT-TO-RIGHT MARK keeps
  // `US$` at the end from being shown as `$US`.
  return directionOf(locale) === 'rtl' ? shown.replace(/\xa0.*/, '\u200f$&\u200e') : shown
}

/** The scripts in use that are written from right to left. */
const RIGHT_TO_LEFT = 'Adlm Arab Hebr Nkoo Rohg Syrc Thaa'

/**
 * Which way a language is written.
 *
 * @param tag A BCP 47 tag.
 * @throws {RangeError} For what is no tag.
 */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(tag).maximize()
  return RIGHT_TO_LEFT.includes(`${script}`) ? 'rtl' : 'ltr' // no script that is not known is among them
}
