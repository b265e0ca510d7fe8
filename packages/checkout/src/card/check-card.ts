import { acceptsBrand, type BrandFilter } from './accepts-brand.ts'
import { brandOf, type Brand } from './brands.ts'
import { digitsOf } from './ascii-digits.ts'
import { parseExpiry } from './parse-expiry.ts'
import { passesLuhn } from './passes-luhn.ts'

/** The three inputs of the card form, in the order of the page. */
export const fieldNames = ['number', 'expiry', 'cvc'] as const

/** One input of the card form. */
export type FieldName = (typeof fieldNames)[number]

/** Why an input cannot be sent, in the order in which a buyer meets them. */
export const fieldErrorCodes = ['required', 'incomplete', 'invalid', 'expired', 'unsupported'] as const

/** What is wrong with one input: empty, too short, not a card's, past, or of a brand that the shop does not take. */
export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** What is wrong with each input; `null` where nothing is. */
export type FieldErrors = Record<FieldName, FieldErrorCode | null>

/** A card that may be sent. `number` and `cvc` are digits, `expMonth` is 1 to 12, `expYear` has four digits. */
export interface Card {
  number: string
  expMonth: number
  expYear: number
  cvc: string
}

/** The verdict on what was typed. `card` is there exactly when no input has an error. */
export interface CheckedCard {
  brand: Brand
  errors: FieldErrors
  card: Card | null
}

/**
 * Judges the texts of the three inputs.
 *
 * @param nowMs The time, in milliseconds since 1970: it decides whether the card has expired.
 * @param filter The brands that the shop takes; all of them unless it says otherwise.
 */
export function checkCard(texts: Record<FieldName, string>, nowMs: number, filter: BrandFilter = {}): CheckedCard {
  const number = digitsOf(texts.number)
  const cvc = digitsOf(texts.cvc)
  const brand = brandOf(number, filter)
  const expiry = parseExpiry(texts.expiry, nowMs)
  const errors: FieldErrors = {
    number: numberError(number, brand, filter),
    expiry: expiry.outcome === 'valid' ? null : expiry.outcome,
    cvc: cvcError(cvc, brand),
  }
  if (errors.number || errors.cvc || expiry.outcome !== 'valid') return { brand, errors, card: null }
  return { brand, errors, card: { number, expMonth: expiry.month, expYear: expiry.year, cvc } }
}

function numberError(digits: string, brand: Brand, filter: BrandFilter): FieldErrorCode | null {
  const { name, lengths, luhn } = brand
  const refusal = acceptsBrand(name, filter) ? null : 'unsupported'
  if (digits === '') return 'required'
  // A brand that is not taken is said at once; of an unknown one the next digit may tell more.
  if (refusal && name !== 'unknown') return refusal
  if (digits.length < Math.min(...lengths)) return 'incomplete'
  if (!lengths.includes(digits.length)) return digits.length > Math.max(...lengths) ? 'invalid' : 'incomplete'
  return luhn && !passesLuhn(digits) ? 'invalid' : refusal
}

function cvcError(digits: string, { cvcLengths }: Brand): FieldErrorCode | null {
  if (digits === '') return 'required'
  if (cvcLengths.includes(digits.length)) return null
  return digits.length < Math.max(...cvcLengths) ? 'incomplete' : 'invalid'
}
