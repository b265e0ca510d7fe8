// @ts-check

/**
 * An amount as people of a language write it, with the decimals that `Intl` has. They are right for what this shop sells in, USD
 * and EUR; for some others, such as HUF, ISO 4217 has other ones.
 *
 * @param {number} amount In the currency's minor unit: 1999 is 19.99 USD, and 1999 JPY.
 * @param {string} currency
 * @param {string} language BCP 47.
 */
export function formatMoney(amount, currency, language) {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  const written = format.format(amount / 10 ** decimals)
  // Among letters from right to left, "US$" would be torn apart: these marks keep the amount in its own order.
  return /^ar\b/.test(language) ? `\u2066${written}\u2069` : written
}
