/** Stripe kept two decimals for these when they lost theirs. Source: Stripe, "Supported currencies", special cases. */
const WITH_TWO_DECIMALS: ReadonlySet<string> = new Set(['ISK', 'UGX'])
/** Stripe writes these without the decimals that ISO 4217 gives them. Source: the same, zero-decimal currencies. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['MGA'])
/** Stripe wants the last of three decimals to be a zero. Source: the same, three-decimal currencies. */
const ROUNDED_TO_TEN: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/**
 * An amount as Stripe writes it.
 *
 * @param amount In the minor unit of ISO 4217.
 * @returns `null` where Stripe has no way to write it.
 */
export function stripeAmount(amount: number, currency: string): number | null {
  if (WITH_TWO_DECIMALS.has(currency)) return amount * 100
  if (WITHOUT_DECIMALS.has(currency)) return amount % 100 === 0 ? amount / 100 : null
  return ROUNDED_TO_TEN.has(currency) && amount % 10 !== 0 ? null : amount
}

/** An amount of Stripe's in the minor unit of ISO 4217: the way back. What is less than a unit is cut off. */
export function minorAmount(amount: number, currency: string): number {
  if (WITH_TWO_DECIMALS.has(currency)) return Math.trunc(amount / 100)
  return WITHOUT_DECIMALS.has(currency) ? amount * 100 : amount
}
