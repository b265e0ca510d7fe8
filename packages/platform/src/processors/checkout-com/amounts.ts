/** Checkout.com wants the last of three decimals to be a zero. Source: Checkout.com, "Format the amount value". */
const ROUNDED_TO_TEN: ReadonlySet<string> = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])
/** Written with two decimals, which are zeros. ISO 4217 has none. Source: the same. */
const WITH_TWO_ZEROS: ReadonlySet<string> = new Set(['CLP'])
/** Source: the same. */
const DIGITS_MAX = 9

/**
 * An amount as Checkout.com writes it.
 *
 * @param amount In the minor unit of ISO 4217.
 * @returns `null` where Checkout.com has no way to write it.
 */
export function checkoutAmount(amount: number, currency: string): number | null {
  if (ROUNDED_TO_TEN.has(currency) && amount % 10 !== 0) return null
  const written = WITH_TWO_ZEROS.has(currency) ? amount * 100 : amount
  return written < 10 ** DIGITS_MAX ? written : null
}

/** An amount of Checkout.com's in the minor unit of ISO 4217: the way back. */
export function minorAmount(amount: number, currency: string): number {
  return WITH_TWO_ZEROS.has(currency) ? Math.trunc(amount / 100) : amount
}
