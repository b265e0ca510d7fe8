import { en, languages, type Texts } from './texts.ts'

/** The language of a page. */
export interface Language {
  /** BCP 47: the browser's own tag, with its region. Amounts are written in its way. */
  tag: string
  direction: 'ltr' | 'rtl'
  texts: Texts
}

/**
 * The language of a browser, or English where the bank does not speak it.
 *
 * @param tags A `browserLanguage` (EMV 3DS: BCP 47 in at most 8 characters), or an `Accept-Language`, of which the first
 *   counts.
 */
export function languageOf(tags: string): Language {
  const [tag = '', language = ''] = /^\s*([a-z]{2})(?:-[a-z0-9]{2,8})*(?=[,;\s]|$)/i.exec(tags) ?? []
  const known = language.toLowerCase()
  const texts = languages.get(known)
  if (texts === undefined) return { tag: 'en', direction: 'ltr', texts: en }
  return { tag: isLocale(tag.trim()) ? tag.trim() : known, direction: known === 'ar' ? 'rtl' : 'ltr', texts }
}

/**
 * An amount in the way of a language: `$24.00`, `24,00 $`.
 *
 * @param amount In the currency's minor units: up to 48 digits, so it is never made a number.
 * @param exponent How many of the digits stand behind the point.
 */
export function writtenAmount(
  { digits, currency, exponent }: { digits: string; currency: string; exponent: number },
  { tag, direction }: Pick<Language, 'tag' | 'direction'>,
): string {
  const padded = digits.padStart(exponent + 1, '0')
  const point = padded.length - exponent
  const decimal = exponent === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  })
  const written = format.format(decimal as Intl.StringNumericLiteral) // digits with at most one point among them
  // Among letters from right to left, "US$" would be torn apart: these marks keep the amount in its own order.
  return direction === 'rtl' ? `\u2066${written}\u2069` : written
}

/** `de-1` has the form of a tag, and is none. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
