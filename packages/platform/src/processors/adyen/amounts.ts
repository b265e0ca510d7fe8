/** Adyen writes these with two decimals, where ISO 4217 has none. Source: Adyen, "Currency codes". */
const WITH_TWO_DECIMALS: ReadonlySet<string> = new Set(['CLP', 'ISK'])
/** Adyen writes these without the decimals that ISO 4217 gives them. Source: the same. */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['CVE', 'IDR'])

/**
 * An amount as Adyen writes it.
 *
 * @param amount In the minor unit of ISO 4217.
 * @returns `null` where Adyen has no way to write it.
 */
export function adyenAmount(amount: number, currency: string): { value: number; currency: string } | null {
  if (WITH_TWO_DECIMALS.has(currency)) return { value: amount * 100, currency }
  if (!WITHOUT_DECIMALS.has(currency)) return { value: amount, currency }
  return amount % 100 === 0 ? { value: amount / 100, currency } : null
}

/** An amount of Adyen's in the minor unit of ISO 4217: the way back. What is less than a unit is cut off. */
export function minorAmount({ value, currency }: { value: number; currency: string }): number {
  if (WITH_TWO_DECIMALS.has(currency)) return Math.trunc(value / 100)
  return WITHOUT_DECIMALS.has(currency) ? value * 100 : value
}
