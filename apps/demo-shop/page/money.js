// @ts-check

/**
 * An amount as people of the page's language write it.
 *
 * @param {number} amount In the currency's minor unit: 1999 is 19.99 USD, and 1999 JPY.
 * @param {string} currency
 */
export function formatMoney(amount, currency) {
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: 'currency', currency })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** decimals)
}
