/** Card rules that the card form applies before sending and the vault before storing. */

/** Length of a cardholder's name, in characters. Source: EMV 3-D Secure 2.2, Cardholder Name. */
export const NAME_LENGTHS = { min: 2, max: 45 }

/**
 * The most digits a cardholder's name may contain: more suggest a card number in the wrong field (PCI DSS 3.4.1 allows
 * six to be shown).
 */
export const NAME_MAX_DIGITS = 6

/** The latest accepted expiry, in years from now; a later one is a typing error. */
export const MAX_EXPIRY_YEARS = 20

/** The easternmost time zone, UTC+14, in milliseconds. */
const EASTERNMOST_MS = 14 * 60 * 60 * 1_000

/**
 * Whether a card number has a correct check digit. Source: ISO/IEC 7812-1, annex B.
 *
 * @param digits The whole number, digits only.
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/**
 * Whether a card has expired. It is valid through the last day of its month in the westernmost time zone (UTC-12).
 *
 * @param month 1 to 12.
 * @param year Four digits.
 * @param nowMs Milliseconds since the Unix epoch.
 */
export function hasExpired(month: number, year: number, nowMs: number): boolean {
  return Date.UTC(year, month, 1, 12) <= nowMs
}

/** The last accepted expiry year, counted from where the new year begins first (UTC+14). */
export function lastExpiryYear(nowMs: number): number {
  return new Date(nowMs + EASTERNMOST_MS).getUTCFullYear() + MAX_EXPIRY_YEARS
}
