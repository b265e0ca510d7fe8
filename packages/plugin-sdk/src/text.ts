import type { Recurrence } from './api.ts'
import type { PageData } from './page-data.ts'
import type { SessionState } from './session/index.ts'
import { createStore, type Store } from './store.ts'
import type { Environment } from './environment.ts'

/** The language of the page, a BCP 47 tag. */
export interface LocaleStore extends Store<string> {
  /**
   * Chooses another language for this page.
   *
   * @throws {RangeError} For an invalid tag.
   */
  set(tag: string): void
  dir(): 'ltr' | 'rtl'
}

/** The sources of a page's language. */
export interface LocaleSources {
  data: Store<PageData>
  session: Store<SessionState>
  /** The languages that the plugin supports, the default one first; empty for any. */
  locales: readonly string[]
  env: Pick<Environment, 'languages' | 'showLanguage'>
}

/**
 * Determines the language of the page: the chosen one, otherwise the preview's, the buyer's most preferred one that the
 * plugin supports, the store's, or the plugin's default. Also sets the document's language, now and on every change.
 */
export function openLocale({ data, session, locales, env }: LocaleSources): LocaleStore {
  let chosen: string | undefined
  const store = createStore('')
  const refresh = (): void => store.set(find())
  store.subscribe(() => env.showLanguage(store.get(), directionOf(store.get())))
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
    const offered = [...env.languages, data.get().locale].find((tag) => tag && isOffered(tag))
    return chosen ?? session.get().view?.preview?.locale ?? offered ?? locales[0] ?? 'en'
  }

  function isOffered(tag: string): boolean {
    return !!languageOf(tag) && (!locales[0] || locales.some((locale) => languageOf(locale) === languageOf(tag)))
  }
}

function languageOf(tag: string): string | null {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return null // some browsers tell tags that are none, such as en-US@posix
  }
}

/** Texts by language: `{ en: 'Buy now', 'pt-BR': 'Comprar' }`. */
export type Translation = Readonly<Record<string, string>>

/**
 * The text in the language that fits a locale best: the same tag, a shorter one (`zh-Hant` for `zh-Hant-TW`), or
 * another one of the same language; then the same for each fallback; otherwise the first text. Empty texts are skipped.
 *
 * @param text Texts by language; a plain text applies to all of them.
 * @param locales BCP 47 tags: the requested one, then the fallbacks.
 * @returns An empty text if there is none.
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

/** Replaces names in braces with values: `Pay {amount}`. A name without a value is kept. */
export function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

/** The ISO 4217 currencies with no decimals, and those with three. All others have two. */
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE = 'BHD IQD JOD KWD LYD OMR TND'

/**
 * Formats an amount for people.
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
  // Unicode's RIGHT-TO-LEFT MARK separates the number from its currency, also in negative amounts, and its
  // LEFT-TO-RIGHT MARK keeps a final `US$` from being shown as `$US`.
  return directionOf(locale) === 'rtl' ? shown.replace(/\xa0.*/, '\u200f$&\u200e') : shown
}

/**
 * How often a price is paid, to stand behind its amount: `/ month`, `/ 3 months`.
 *
 * @param locale A BCP 47 tag.
 */
export function formatPeriod(
  { interval, intervalCount }: Pick<Recurrence, 'interval' | 'intervalCount'>,
  locale: string,
): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' })
  if (intervalCount !== 1) return `/ ${format.format(intervalCount)}`
  return `/ ${format.formatToParts(1).find(({ type }) => type === 'unit')?.value ?? interval}`
}

/** Right-to-left scripts in use. */
const RIGHT_TO_LEFT = 'Adlm Arab Hebr Nkoo Rohg Syrc Thaa'

/**
 * The writing direction of a language.
 *
 * @param tag A BCP 47 tag.
 * @throws {RangeError} For an invalid tag.
 */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(tag).maximize()
  return RIGHT_TO_LEFT.includes(`${script}`) ? 'rtl' : 'ltr' // an unknown script is not among them
}
