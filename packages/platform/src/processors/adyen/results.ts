import type { PaymentDetailsResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsResponse.js'
import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js'
import type { AttemptChecks, CheckResult, ScaExemption } from '@tillwright/contract'
import {
  type Approved,
  type AttemptFacts,
  type AuthorisationOutcome,
  type CardUpdate,
  declined,
} from '../authorisation.ts'
import { adyenDecline } from './declines.ts'
import { exemptions } from './payment-request.ts'

/** The details of a payment, which answers and notifications have alike: `additionalData`. */
export type Details = Readonly<Record<string, string | undefined>>

const DAY_MS = 24 * 60 * 60 * 1_000
/** How long a buyer who was led to a bank is waited for. Mostly Adyen tells earlier that the offer is closed. */
export const REDIRECT_MS = 60 * 60 * 1_000
/** How long a debit may take until the first word about it. */
export const PENDING_MS = 15 * DAY_MS

/** An answer and the attempt that it is to. */
export interface Answered {
  facts: AttemptFacts
  /** The requested exemption; `null` for none. */
  exemption: ScaExemption | null
  isCard: boolean
}

/**
 * The outcome of an attempt that Adyen has answered.
 *
 * @throws {Error} For a result that Adyen does not document for what is asked here.
 */
export function outcomeOf(
  response: PaymentResponse | PaymentDetailsResponse,
  { facts, exemption, isCard }: Answered,
): AuthorisationOutcome {
  const { pspReference, action, refusalReason, refusalReasonCode } = response
  const resultCode: `${PaymentResponse.ResultCodeEnum | PaymentDetailsResponse.ResultCodeEnum}` | undefined =
    response.resultCode
  const details = response.additionalData ?? {}
  const reference = pspReference ?? facts.attemptId
  switch (resultCode) {
    case 'Authorised':
      return approved(reference, { details, facts, exemption })
    case 'Refused':
    case 'Error':
    case 'Cancelled':
      return declineOf({ refusalReason, refusalReasonCode }, details, reference)
    case 'RedirectShopper':
    case 'ChallengeShopper':
    case 'IdentifyShopper': {
      if (isCard) return { outcome: 'threeds_required', reference }
      const url = action != null && 'url' in action ? action.url : undefined
      if (url === undefined) throw new Error(`Adyen leads the buyer nowhere with the payment ${reference}.`)
      // There is no payment at Adyen yet: until there is, it goes by our own reference.
      return { outcome: 'redirect', reference: facts.attemptId, url, expiresAtMs: facts.startedAtMs + REDIRECT_MS }
    }
    case 'Received':
    case 'Pending':
      return { outcome: 'pending', reference, expiresAtMs: facts.startedAtMs + PENDING_MS }
    case undefined:
    case 'AuthenticationFinished': // those from here on are not asked for
    case 'AuthenticationNotRequired':
    case 'PartiallyAuthorised':
    case 'PresentToShopper':
    case 'Success':
      throw new Error(`Adyen answered the payment ${reference} with ${resultCode ?? 'nothing'}.`)
  }
}

/** An attempt that was authorised. */
export function approved(
  reference: string,
  { details, facts, exemption }: { details: Details; facts: AttemptFacts; exemption: ScaExemption | null },
): Approved {
  const { networkTxReference: networkTransactionId, scaExemptionRequested } = details
  const checks = checksOf(details)
  const isHonoured = exemption !== null && scaExemptionRequested === exemptions[exemption]
  return {
    outcome: facts.capture === 'later' && facts.amount > 0 ? 'authorized' : 'succeeded',
    reference,
    ...(networkTransactionId !== undefined && { networkTransactionId }),
    ...(checks !== null && { checks }),
    ...(exemption !== null && { exemption: isHonoured ? 'honoured' : 'unknown' }),
    ...cardUpdateOf(details),
  }
}

/**
 * Source: Adyen, "Real Time Account Updater", where `expiryDate`, such as `6/2030`, and `cardSummary`, the last four digits,
 * are those of the card as it is now.
 */
function cardUpdateOf(details: Details): { cardUpdate?: CardUpdate } {
  const { realtimeAccountUpdaterStatus: status, expiryDate = '', cardSummary = '' } = details
  const [, month, year] = /^(0?[1-9]|1[0-2])\/(20\d\d)$/.exec(expiryDate) ?? []
  if (month === undefined || year === undefined) return {}
  const expiry = { expMonth: Number(month), expYear: Number(year) }
  if (status === 'CardExpiryChanged') return { cardUpdate: { ...expiry, newLast4: null } }
  const isReplaced = status === 'CardChanged' && /^\d{4}$/.test(cardSummary)
  return isReplaced ? { cardUpdate: { ...expiry, newLast4: cardSummary } } : {}
}

/** An attempt that was refused, for a reason and with what the acquirer said. */
export function declineOf(
  refusal: { refusalReason?: string | undefined; refusalReasonCode?: string | undefined },
  details: Details,
  reference: string | null,
): AuthorisationOutcome {
  const { refusalReasonRaw: raw, merchantAdviceCode: advice, realtimeAccountUpdaterStatus } = details
  const isClosed = realtimeAccountUpdaterStatus === 'CloseAccount'
  const outcome = isClosed
    ? declined('closed_account', { reference })
    : adyenDecline({ ...refusal, raw, advice }, reference)
  if (outcome.outcome !== 'declined') return outcome
  const checks = checksOf(details)
  return { ...outcome, ...(checks !== null && { checks }), ...cardUpdateOf(details) }
}

/** `null` where Adyen tells of no check. */
function checksOf({ cvcResult, avsResult }: Details): AttemptChecks | null {
  if (cvcResult === undefined && avsResult === undefined) return null
  const [addressLine, postalCode] = avsResults[numberOf(avsResult)] ?? [UNCHECKED, UNCHECKED]
  return { cvc: cvcResults[numberOf(cvcResult)] ?? UNCHECKED, postalCode, addressLine }
}

/** The number of a text such as `1 Matches`. */
function numberOf(text: string | undefined): number {
  return Number(/^\d+/.exec(text ?? '')?.[0] ?? Number.NaN)
}

const PASS = 'pass' satisfies CheckResult
const FAIL = 'fail' satisfies CheckResult
const UNAVAILABLE = 'unavailable' satisfies CheckResult
const UNCHECKED = 'unchecked' satisfies CheckResult

/** By the number of the result. Source: Adyen, "CVC result". */
const cvcResults: readonly (CheckResult | undefined)[] = [
  UNAVAILABLE, // unknown
  PASS,
  FAIL,
  UNCHECKED,
  UNCHECKED, // none was sent, but one was required
  UNAVAILABLE, // the issuer does not check
  UNCHECKED, // none was sent
]

/** Street and postal code, by the number of the result. Source: Adyen, "AVS result". */
const avsResults: readonly (readonly [street: CheckResult, postalCode: CheckResult] | undefined)[] = [
  [UNAVAILABLE, UNAVAILABLE],
  [PASS, FAIL],
  [FAIL, FAIL],
  [UNAVAILABLE, UNAVAILABLE],
  [UNAVAILABLE, UNAVAILABLE],
  [UNCHECKED, UNCHECKED],
  [FAIL, PASS],
  [PASS, PASS],
  [UNCHECKED, UNAVAILABLE],
  [PASS, UNAVAILABLE],
  [FAIL, UNAVAILABLE],
  [UNAVAILABLE, UNCHECKED],
  [PASS, UNCHECKED],
  [FAIL, UNCHECKED],
  [UNAVAILABLE, PASS],
  [UNCHECKED, PASS],
  [UNAVAILABLE, FAIL],
  [UNCHECKED, FAIL],
  [UNCHECKED, UNCHECKED],
  [UNCHECKED, PASS], // 19 to 26: with the name
  [PASS, PASS],
  [PASS, UNCHECKED],
  [UNCHECKED, UNCHECKED],
  [UNCHECKED, PASS],
  [PASS, PASS],
  [PASS, UNCHECKED],
  [FAIL, FAIL],
]
