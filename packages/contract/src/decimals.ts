/**
 * The current currencies whose major unit does not have two decimals, with how many they have. Small enough for a page's
 * script. `Intl` knows other numbers for some currencies, such as none for HUF and COP, since it has those that people use
 * (CLDR). Source: ISO 4217, list one.
 */
export const unusualDecimals: Readonly<Record<string, number>> = {
  ...decimalsOfEach('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...decimalsOfEach('BHD IQD JOD KWD LYD OMR TND', 3),
}

function decimalsOfEach(codes: string, decimals: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, decimals]))
}

/**
 * The number of decimals in which an amount of a currency is written.
 *
 * @param currency Upper-case ISO 4217; whether it is a current one is not looked at.
 * @returns 0 for JPY, 3 for KWD, 2 for USD, HUF and most others.
 */
export function decimalsOf(currency: string): number {
  return unusualDecimals[currency] ?? 2
}

/** An amount in its major unit, as digits with a point: 1999 in USD is `19.99`, and 1999 in JPY `1999`. */
export function inMajorUnits(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return (amount / 10 ** decimals).toFixed(decimals)
}

/**
 * What `Intl.NumberFormat` needs in order to write an amount of a currency with the decimals of ISO 4217.
 *
 * @param currency Upper-case ISO 4217.
 */
export function currencyFormat(currency: string): Intl.NumberFormatOptions {
  const decimals = decimalsOf(currency)
  return { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}
