import { createHash } from 'node:crypto'
import type { DisputeKind } from '../dependencies.ts'
import { type CardNews, newsOf } from './account-updater.ts'

/** The decline codes of the test cards and trigger amounts. */
export type TestDeclineCode =
  | 'card_velocity_exceeded'
  | 'closed_account'
  | 'do_not_honor'
  | 'expired_card'
  | 'fraudulent'
  | 'generic_decline'
  | 'incorrect_cvc'
  | 'insufficient_funds'
  | 'invalid_number'
  | 'lost_card'
  | 'pickup_card'
  | 'processing_error'
  | 'stolen_card'
  | 'transaction_not_allowed'
  | 'try_again_later'

/** The part of an authorization request that the simulated processor uses. */
export interface Authorization {
  /** Idempotency key: a repeated id never charges twice. */
  attemptId: string
  /** In the currency's minor unit; 0 asks whether the card is good. */
  amount: number
  currency: string
  method: ChargedMethod
  /** `now` captures with the authorization; `later` waits for `capture`. */
  capture: 'now' | 'later'
  /** The result of 3-D Secure, or `null`. `authenticationStatus`: `transStatus` of the ARes. */
  threeds: { authenticationStatus: string } | null
  /** Where the buyer comes back to, for methods that lead away. */
  returnUrl?: string | null
  /** The exemption from strong customer authentication that is asked for, or `null`. */
  exemption?: string | null
  /** The buyer's details, which the simulated issuer checks; see `AttemptChecks`. */
  buyer?: { billingAddress: { postalCode?: string | null | undefined; line1?: string | null | undefined } | null }
  /** Why a card on file is charged, and the id of the payment with which its buyer agreed; `null` for a single payment. */
  storedCredential?: { use: 'first' | 'later'; networkTransactionId: string | null } | null
}

/** Payment method of a charge, with the details that decide its simulated outcome. */
export type ChargedMethod =
  | { type: 'card'; card: ChargedCard }
  | { type: 'redirect'; method: 'ideal' | 'paypal' }
  | { type: 'debit'; method: 'sepa_debit'; account: { iban: string } }
  | { type: 'voucher'; method: 'voucher' }

/** A card by its number, or by the number of a network's token for it. */
export type ChargedCard =
  | { kind: 'number'; number: string; expMonth: number; expYear: number; cvc: string | null }
  | { kind: 'network_token'; number: string; cryptogram: string | null }
  | { kind: 'processor_token' }

type CheckResult = 'pass' | 'fail' | 'unchecked'
type Checks = Record<'cvc' | 'postalCode' | 'addressLine', CheckResult>

/** A decline. `soft`: another processor, or a later attempt, may be approved. `hard`: none will be. */
export interface Declined {
  outcome: 'declined'
  declineCode: TestDeclineCode
  kind: 'soft' | 'hard'
  advice: null
  reference: string
  checks: Checks
  cardUpdate?: CardNews
}

/** Where an order stands that its buyer pays elsewhere or later. */
export type OrderOutcome =
  | { outcome: 'redirect'; reference: string; url: string; expiresAtMs: number }
  | {
      outcome: 'pending'
      reference: string
      instructions?: { code: string; url: string; expiresAt: string }
      expiresAtMs: number
    }
  | {
      outcome: 'declined'
      declineCode: 'buyer_canceled' | 'debit_refused' | 'payment_expired'
      kind: 'soft'
      advice: null
      reference: string
    }

export type AuthorizationOutcome =
  | OrderOutcome
  | {
      outcome: 'authorized' | 'succeeded'
      reference: string
      cardToken?: { token: string; status: 'used' }
      cardUpdate?: CardNews
      networkTransactionId?: string
      checks?: Checks
      exemption?: 'honoured' | 'refused'
      fee: { amount: number; currency: string }
      /** How much of an authorization was captured, once nothing more can be. */
      captured?: number
    }
  | Declined
  | { outcome: 'threeds_required'; reference: string }
  | { outcome: 'refused_before_acceptance'; reason: string }

/** Decline codes by test card. Any other card is charged. The numbers are those of Stripe's test mode, and our own. */
export const testCards: ReadonlyMap<string, TestDeclineCode> = new Map([
  ['4000000000000002', 'generic_decline'],
  ['4000000000009995', 'insufficient_funds'],
  ['4000000000009987', 'lost_card'],
  ['4000000000009979', 'stolen_card'],
  ['4000000000000069', 'expired_card'],
  ['4000000000000127', 'incorrect_cvc'],
  ['4000000000000119', 'processing_error'],
  ['4000000000006975', 'card_velocity_exceeded'],
  ['4100000000000019', 'fraudulent'],
  ['4000008260003178', 'insufficient_funds'],
  ['4000008400001629', 'generic_decline'],
  // Our own, for the decline codes that Stripe has no card for.
  ['4000000000001042', 'pickup_card'],
  ['4000000000001059', 'do_not_honor'],
  ['4000000000001141', 'invalid_number'],
  ['4000000000001463', 'closed_account'],
  ['4000000000001570', 'transaction_not_allowed'],
  ['4000000000001919', 'try_again_later'],
])

/** Test cards that require 3-D Secure, which is checked first. Source: as above. */
const threedsCards: ReadonlySet<string> = new Set([
  '4000002500003155',
  '4000002760003184',
  '4000008260003178',
  '4000008400001629',
])

/** Test cards whose issuer wants a challenge, and no authentication without one. Our own. */
const challengedCards: ReadonlySet<string> = new Set(['4000000000002883'])

/**
 * Test cards whose issuer approves a later charge without the buyer, once the buyer was authenticated for a first one.
 * Source: as above.
 */
const setUpCards: ReadonlySet<string> = new Set(['4000002500003155'])

/** Test cards that are charged and later disputed. Source: as above. */
export const disputedCards: ReadonlyMap<string, DisputeKind> = new Map([
  ['4000000000000259', 'chargeback'],
  ['4000000000001976', 'inquiry'],
])

/** Test cards whose issuer finds a detail wrong, and approves all the same. Source: as above. */
const failedChecks: ReadonlyMap<string, readonly (keyof Checks)[]> = new Map([
  ['4000000000000101', ['cvc']],
  ['4000000000000010', ['postalCode', 'addressLine']],
  ['4000000000000028', ['addressLine']],
  ['4000000000000036', ['postalCode']],
])

/** Test cards whose issuer declines what asks for an exemption, and one that approves without honouring it. Our own. */
const exemptionCards: ReadonlyMap<string, 'declines' | 'refuses'> = new Map([
  ['4000000000003006', 'declines'],
  ['4000000000003014', 'refuses'],
])

/** Amounts that decide the outcome for every card: 200,000 minor units plus an ISO 8583 response code (field 39). */
const TRIGGERS_FROM = 200_000
export const responseCodes: ReadonlyMap<number, TestDeclineCode> = new Map([
  [4, 'pickup_card'],
  [5, 'do_not_honor'],
  [14, 'invalid_number'],
  [41, 'lost_card'],
  [43, 'stolen_card'],
  [46, 'closed_account'],
  [51, 'insufficient_funds'],
  [54, 'expired_card'],
  [57, 'transaction_not_allowed'],
  [59, 'fraudulent'],
  [61, 'card_velocity_exceeded'],
  [82, 'incorrect_cvc'],
  [91, 'try_again_later'],
  [96, 'processing_error'],
])

/** Mastercard's response code for "only with 3-D Secure". */
const ONLY_WITH_THREEDS = 65

/** Declines that no retry changes, because the card is gone or the data is wrong. */
const hard: ReadonlySet<TestDeclineCode> = new Set([
  'closed_account',
  'expired_card',
  'fraudulent',
  'incorrect_cvc',
  'invalid_number',
  'lost_card',
  'pickup_card',
  'stolen_card',
  'transaction_not_allowed',
])

/** Declines that are about an amount. */
const ofAmounts: ReadonlySet<TestDeclineCode> = new Set(['insufficient_funds', 'card_velocity_exceeded'])

/** A made-up name for the card, as of a processor that keeps it with the payment; it says nothing of its number. */
function cardTokenOf(attemptId: string): string {
  return `tok_${attemptId.replace(/^.*_/, '')}`
}

/** The id that the card's network gave the authorization: 15 digits, as Visa's. */
function networkTransactionId(attemptId: string): string {
  const digest = createHash('sha256').update(attemptId).digest('hex')
  return String(BigInt(`0x${digest.slice(0, 12)}`)).padStart(15, '0')
}

/** The issuer's checks of what it was told. */
function checksOf({ method, buyer }: Authorization, declineCode: TestDeclineCode | undefined): Checks {
  const card = cardOf(method)
  const failed = failedChecks.get(card?.number ?? '') ?? []
  const check = (detail: keyof Checks, isGiven: boolean): CheckResult =>
    !isGiven ? 'unchecked' : failed.includes(detail) ? 'fail' : 'pass'
  const address = buyer?.billingAddress
  return {
    cvc: declineCode === 'incorrect_cvc' ? 'fail' : check('cvc', card?.kind === 'number' && card.cvc !== null),
    postalCode: check('postalCode', Boolean(address?.postalCode)),
    addressLine: check('addressLine', Boolean(address?.line1)),
  }
}

/** The card of an authorization, where the processor can tell its number; `null` for anything else. */
export function cardOf(method: ChargedMethod): Exclude<ChargedCard, { kind: 'processor_token' }> | null {
  return method.type === 'card' && method.card.kind !== 'processor_token' ? method.card : null
}

/** Processing fee of a payment: 1.4 % and 25 minor units, typical of European processors. */
export function feeOf({ amount, currency }: Pick<Authorization, 'amount' | 'currency'>): {
  amount: number
  currency: string
} {
  return { amount: amount === 0 ? 0 : Math.round(amount * 0.014) + 25, currency }
}

/** Whether the charge refers to one for which the buyer was authenticated. */
function isSetUp({ method, storedCredential }: Authorization): boolean {
  const refersToFirst = storedCredential?.use === 'later' && storedCredential.networkTransactionId !== null
  return setUpCards.has(cardOf(method)?.number ?? '') && refersToFirst
}

/** Decides an authorization from the card and the amount alone, so that it is repeatable. */
export function simulatedOutcome(authorization: Authorization, reference: string): AuthorizationOutcome {
  const { method, amount, capture, threeds, exemption, storedCredential } = authorization
  const card = cardOf(method)
  if (card === null) return { outcome: 'refused_before_acceptance', reason: 'The simulator does not take this.' }
  const trigger = amount - TRIGGERS_FROM
  const needsChallenge = challengedCards.has(card.number) && !/[CD]/.test(threeds?.authenticationStatus ?? '')
  if (needsChallenge) return { outcome: 'threeds_required', reference }
  const needsThreeds = threedsCards.has(card.number) || trigger === ONLY_WITH_THREEDS
  // A cryptogram proves that the buyer has unlocked the device.
  const isProven = threeds !== null || (card.kind === 'network_token' && card.cryptogram !== null)
  if (needsThreeds && !isProven && !isSetUp(authorization)) return { outcome: 'threeds_required', reference }
  const exempted = exemption != null && threeds === null ? exemptionCards.get(card.number) : undefined
  const refused = exempted === 'declines' ? 'do_not_honor' : undefined
  const isOnFile = storedCredential?.use === 'later' && card.kind === 'number'
  const news = isOnFile ? newsOf(card) : null
  const closed = news === 'closed' ? 'closed_account' : undefined
  const declineCode = closed ?? responseCodes.get(trigger) ?? refused ?? testCards.get(card.number)
  const update = news !== null && news !== 'closed' && { cardUpdate: news }
  // A card without funds, or at its limit, is good where nothing is asked of it.
  const isGood = declineCode === undefined || (amount === 0 && ofAmounts.has(declineCode))
  if (isGood) {
    const cardToken = { token: cardTokenOf(authorization.attemptId), status: 'used' } as const
    return {
      outcome: capture === 'now' ? 'succeeded' : 'authorized',
      reference,
      cardToken,
      networkTransactionId: networkTransactionId(authorization.attemptId),
      checks: checksOf(authorization, undefined),
      ...(exemption != null && { exemption: exempted === 'refuses' ? ('refused' as const) : ('honoured' as const) }),
      fee: feeOf(authorization),
      ...update,
    }
  }
  const kind = hard.has(declineCode) ? 'hard' : 'soft'
  const checks = checksOf(authorization, declineCode)
  return { outcome: 'declined', declineCode, kind, advice: null, reference, checks, ...update }
}
