import type { ErrorIssue } from '@tillwright/contract'
import {
  hasExpired,
  lastExpiryYear,
  MAX_EXPIRY_YEARS,
  NAME_LENGTHS,
  NAME_MAX_DIGITS,
  passesLuhn,
} from '@tillwright/contract/card-rules'
import { networksOf } from '@tillwright/contract/networks'
import { z } from 'zod'
import { allowsOrigin, ApiError } from '../runtime/index.ts'
import { type Brand, brandOf, brandRules } from './cards.ts'

/** Fields of every form message, in addition to its session: `iat` is Unix time in seconds, `origin` the page's. */
export const messageFields = {
  iat: z.int(),
  jti: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
  origin: z.string(),
} as const

/** A card as a buyer typed it, once it has passed every rule. `number` and `cvc` are digits, `expYear` has four. */
export interface CheckedCard {
  number: string
  /** For a co-badged card, the network that the buyer chose, or the first one shown. */
  brand: Brand
  expMonth: number
  expYear: number
  /** Empty where the brand's payments go without one. */
  cvc: string
  name: string | null
  /** The random id of the message it came in, by which a second use is refused. */
  messageId: string
}

/**
 * Checks what a card frame has encrypted.
 *
 * @param plaintext The decrypted JSON.
 * @param allowedOrigins The origins of the pages on which the caller's key may be used.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_invalid` for a message that no frame of ours makes here and now, `token_expired` for one
 *   that is too old, `parameter_invalid` and `expired_card` for what the buyer must correct. No error shows a value.
 */
export function checkCard(plaintext: unknown, allowedOrigins: readonly string[], nowMs: number): CheckedCard {
  const read = sentCard.safeParse(plaintext)
  if (!read.success)
    throw new ApiError('token_invalid', `The encrypted card is not complete: ${invalidFields(read.error)}.`)
  const card = read.data
  checkFresh(card, allowedOrigins, nowMs)
  const brand = chosenBrand(card)
  const problems = [
    ...numberProblems(card),
    ...expiryProblems(card, nowMs),
    ...cvcProblems(card.cvc, brand),
    ...nameProblems(card),
    ...networkProblems(card, brand),
  ]
  const [first] = problems
  if (first !== undefined) throw refusal(first, problems)
  const { number, expMonth, expYear, cvc, name = null, jti } = card
  return { number, brand, expMonth, expYear, cvc, name, messageId: jti }
}

/** The plaintext of the JWE. */
const sentCard = z.object({
  ...messageFields,
  number: z.string().max(64),
  expMonth: z.number(),
  expYear: z.number(),
  cvc: z.string().max(64),
  name: z.string().max(255).optional(),
  network: z.string().max(64).optional(),
})
type SentCard = z.infer<typeof sentCard>

/** The network that the buyer chose, if the number is one of its cards' too. */
function chosenBrand({ number, network }: SentCard): Brand {
  return networksOf(number).find((name) => name === network) ?? brandOf(number)
}

function networkProblems({ network }: SentCard, brand: Brand): ErrorIssue[] {
  if (network === undefined || network === brand) return []
  const message = 'The card cannot be paid over the chosen network; choose one of those that its number belongs to.'
  return [{ path: 'network', code: 'parameter_invalid', message }]
}

function nameProblems({ name }: SentCard): ErrorIssue[] {
  if (name === undefined) return []
  const { min, max } = NAME_LENGTHS
  const digits = name.replaceAll(/\P{Nd}/gu, '').length
  const isTidy = name === name.trim() && !/\p{Cc}/u.test(name)
  if (isTidy && name.length >= min && name.length <= max && digits <= NAME_MAX_DIGITS) return []
  const message = `The cardholder's name must have ${min} to ${max} characters, and no number of a card among them.`
  return [{ path: 'name', code: 'parameter_invalid', message }]
}

/** The issuer chose the number, so the rules of its first network apply, whichever network the buyer chooses. */
function numberProblems({ number }: SentCard): ErrorIssue[] {
  const { numberLengths, checkDigit } = brandRules[brandOf(number)]
  if (!/^\d+$/.test(number) || !numberLengths.includes(number.length)) {
    const message = 'The card number must be digits alone, and as many as its brand has.'
    return [{ path: 'number', code: 'parameter_invalid', message }]
  }
  if (!checkDigit || passesLuhn(number)) return []
  return [{ path: 'number', code: 'parameter_invalid', message: 'The card number has a wrong digit.' }]
}

function expiryProblems({ expMonth, expYear }: SentCard, nowMs: number): ErrorIssue[] {
  const isDate = Number.isInteger(expMonth) && expMonth >= 1 && expMonth <= 12 && Number.isInteger(expYear)
  if (!isDate || expYear < 1970 || expYear > 9999) {
    const message = 'The expiry date must be a month from 1 to 12 and a year of four digits.'
    return [{ path: 'expMonth', code: 'parameter_invalid', message }]
  }
  if (hasExpired(expMonth, expYear, nowMs)) {
    return [{ path: 'expMonth', code: 'expired_card', message: 'The card has expired.' }]
  }
  if (expYear <= lastExpiryYear(nowMs)) return []
  const message = `The expiry date is more than ${MAX_EXPIRY_YEARS} years away; check the year.`
  return [{ path: 'expYear', code: 'parameter_invalid', message }]
}

function refusal(first: ErrorIssue, issues: readonly ErrorIssue[]): ApiError {
  const code = issues.every((issue) => issue.code === 'expired_card') ? 'expired_card' : 'parameter_invalid'
  return new ApiError(code, issues.map((issue) => issue.message).join(' '), { param: first.path, issues })
}

/** How far the clock of a buyer's device may be off, either way, in seconds. */
const CLOCK_TOLERANCE_S = 300

/**
 * Checks that a message was encrypted here and now.
 *
 * @param message `iat` is Unix time in seconds, `origin` that of the page that holds the frame.
 * @param allowedOrigins The origins of the pages that the caller's key may stand in.
 * @param nowMs Milliseconds since the Unix epoch.
 * @throws {ApiError} `token_expired` for one that is too old, `token_invalid` for one from the future or elsewhere.
 */
export function checkFresh(
  message: { iat: number; origin: string },
  allowedOrigins: readonly string[],
  nowMs: number,
): void {
  const ageS = nowMs / 1_000 - message.iat
  if (ageS > CLOCK_TOLERANCE_S) {
    throw new ApiError('token_expired', 'The card was encrypted more than five minutes ago; encrypt it again.')
  }
  if (ageS < -CLOCK_TOLERANCE_S) {
    throw new ApiError(
      'token_invalid',
      "The card was encrypted in the future; the device's clock is more than five minutes fast.",
    )
  }
  if (allowsOrigin(allowedOrigins, message.origin)) return
  throw new ApiError(
    'token_invalid',
    "The card was typed in a page whose origin is not among the key's allowed origins.",
  )
}

/** Checks a security code against the rules of the card's brand. */
export function cvcProblems(cvc: string, brand: Brand): ErrorIssue[] {
  const { cvcLengths } = brandRules[brand]
  if (/^\d*$/.test(cvc) && cvcLengths.includes(cvc.length)) return []
  const message = cvcLengths.includes(0)
    ? 'Payments over this network take no security code; leave it empty.'
    : `The security code must have ${cvcLengths.join(' or ')} digits.`
  return [{ path: 'cvc', code: 'parameter_invalid', message }]
}

/** Names the missing and malformed fields of a message, and them alone: zod's own messages may quote what they were given. */
export function invalidFields(error: z.ZodError): string {
  const fields = new Set(error.issues.map((issue) => issue.path.join('.') || 'the whole'))
  return `${[...fields].join(', ')} ${fields.size === 1 ? 'is' : 'are'} missing or malformed`
}
