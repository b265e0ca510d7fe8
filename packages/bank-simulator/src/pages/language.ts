import { en, languages, type Texts } from './texts.ts'

/** The language of a page. */
export interface Language {
  /** The browser's own BCP 47 tag with its region. Used to format amounts. */
  tag: string
  direction: 'ltr' | 'rtl'
  texts: Texts
}

/**
 * Picks the language for a browser. Defaults to English.
 *
 * @param tags A `browserLanguage` (EMV 3DS: BCP 47, at most 8 characters) or an `Accept-Language`, of which only the
 *   first tag is used.
 */
export function languageOf(tags: string): Language {
  const [tag = '', language = ''] = /^\s*([a-z]{2})(?:-[a-z0-9]{2,8})*(?=[,;\s]|$)/i.exec(tags) ?? []
  const known = language.toLowerCase()
  const texts = languages.get(known)
  if (texts === undefined) return { tag: 'en', direction: 'ltr', texts: en }
  return { tag: isLocale(tag.trim()) ? tag.trim() : known, direction: known === 'ar' ? 'rtl' : 'ltr', texts }
}

/**
 * Formats an amount for a language, such as `$24.00` or `24,00 $`.
 *
 * @param amount In minor units: up to 48 digits, so it is never converted to a number.
 * @param exponent Number of digits after the decimal point.
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
  // In right-to-left text "US$" would be torn apart; these marks keep the amount in order.
  return direction === 'rtl' ? `\u2066${written}\u2069` : written
}

/** `de-1` looks like a tag but is not a valid one. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
