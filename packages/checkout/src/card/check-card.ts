import { NAME_LENGTHS, NAME_MAX_DIGITS, passesLuhn } from '@tillwright/contract/card-rules'
import { type BrandName, networksOf } from '@tillwright/contract/networks'
import { acceptsBrand, type BrandFilter } from './accepts-brand.ts'
import { digitsOf } from './ascii-digits.ts'
import { type Brand, brandOf, takesCvc } from './brands.ts'
import { parseExpiry } from './parse-expiry.ts'
import type { SavedCardCode } from './saved-card.ts'

/** The inputs of the card form, in the order of the page; the name is there only where a shop asks for it. */
export const fieldNames = ['number', 'expiry', 'cvc', 'name'] as const

/** One input of the card form. */
export type FieldName = (typeof fieldNames)[number]

/** An input that holds digits. */
export type DigitFieldName = Exclude<FieldName, 'name'>

/** Why an input cannot be sent, in the order in which a buyer meets them. */
export const fieldErrorCodes = ['required', 'incomplete', 'invalid', 'expired', 'unsupported'] as const

/** Error of an input: empty, incomplete, invalid, expired, or of a brand that the shop does not accept. */
export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** Errors by input; `null` if the input is valid. */
export type FieldErrors = Record<FieldName, FieldErrorCode | null>

/** Text of each input. `name` is absent if the form does not ask for it. */
export type CardTexts = Record<DigitFieldName, string> & { name?: string | undefined }

/**
 * A card that may be sent. `number` and `cvc` are digits, `expMonth` is 1 to 12, `expYear` has four digits. `cvc` is
 * empty where payments go without one. `network` is there for a number of several networks, `name` if it is asked for.
 */
export interface Card {
  number: string
  expMonth: number
  expYear: number
  cvc: string
  name?: string
  network?: BrandName
}

/** The verdict on what was typed. `card` is there exactly when no input has an error. */
export interface CheckedCard<C = Card> {
  brand: Brand
  errors: FieldErrors
  card: C | null
}

/**
 * Judges the texts of the inputs.
 *
 * @param nowMs The time, in milliseconds since 1970: it decides whether the card has expired.
 * @param filter The brands that the shop takes; all of them unless it says otherwise.
 */
export function checkCard(texts: CardTexts, nowMs: number, filter: BrandFilter = {}): CheckedCard {
  const number = digitsOf(texts.number)
  const brand = brandOf(number, filter)
  const cvc = takesCvc(brand) ? digitsOf(texts.cvc) : ''
  const expiry = parseExpiry(texts.expiry, nowMs)
  const errors: FieldErrors = {
    number: numberError(number, brand, filter),
    expiry: expiry.outcome === 'valid' ? null : expiry.outcome,
    cvc: cvcError(cvc, brand),
    name: texts.name === undefined ? null : nameError(texts.name),
  }
  if (errors.number || errors.cvc || errors.name || expiry.outcome !== 'valid') return { brand, errors, card: null }
  const card: Card = { number, expMonth: expiry.month, expYear: expiry.year, cvc }
  if (texts.name !== undefined) card.name = tidyName(texts.name)
  if (networksOf(number).length > 1) card.network = brand.name
  return { brand, errors, card }
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

/** Why a security code cannot be sent; `null` where nothing is wrong. */
function cvcError(digits: string, { cvcLengths }: Brand): FieldErrorCode | null {
  if (cvcLengths.includes(digits.length)) return null
  if (digits === '') return 'required'
  return digits.length < Math.max(...cvcLengths) ? 'incomplete' : 'invalid'
}

/**
 * Judges the security code of a saved card.
 *
 * @param text The text of the input.
 */
export function checkSavedCode(text: string, paymentInstrumentId: string, brand: Brand): CheckedCard<SavedCardCode> {
  const cvc = takesCvc(brand) ? digitsOf(text) : ''
  const error = cvcError(cvc, brand)
  const errors = { number: null, expiry: null, cvc: error, name: null }
  return { brand, errors, card: error ? null : { paymentInstrumentId, cvc } }
}

/** A name as it is sent: without space around it, and with single spaces inside. */
export function tidyName(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** Why a name cannot be sent: empty, of an impossible length, or with a number in it; `null` where nothing is wrong. */
export function nameError(text: string): 'required' | 'invalid' | null {
  const { length } = tidyName(text)
  if (length === 0) return 'required'
  const { min, max } = NAME_LENGTHS
  const isName =
    length >= min && length <= max && digitsOf(text).length <= NAME_MAX_DIGITS && !/\p{Cc}/u.test(tidyName(text))
  return isName ? null : 'invalid'
}
