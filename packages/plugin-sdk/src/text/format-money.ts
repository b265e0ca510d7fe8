import { directionOf } from './direction-of.ts'

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
  return directionOf(locale) === 'rtl' ? shown.replace('\xa0', '\u200f$&') + '\u200e' : shown
}
