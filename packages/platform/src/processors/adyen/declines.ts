import type { DeclineCode } from '@tillwright/contract'
import { type AuthorisationOutcome, declined } from '../authorisation.ts'

/** A refused payment, from the answer to a payment or from the notification about it. */
export interface AdyenRefusal {
  /** Such as `12`; only answers have it. */
  refusalReasonCode?: string | undefined
  /** Such as `Not enough balance`: `refusalReason` of an answer, `reason` of a notification. */
  refusalReason?: string | undefined
  /** The acquirer's response, such as `41 : Lost card`; present if the merchant has Adyen pass it on. */
  raw?: string | undefined
  /** Mastercard's, such as `03 : Do not try again`, likewise. */
  advice?: string | undefined
}

type Meaning = DeclineCode | typeof WANTS_THREEDS
const WANTS_THREEDS = 'threeds'

/**
 * Adyen's refusal reasons by their code, with their texts, which are all that notifications have. Any other is
 * `generic_decline`. Source: Adyen, "Refusal reasons".
 */
const reasons: Readonly<Record<string, readonly [text: string, meaning: Meaning]>> = {
  2: ['Refused', 'generic_decline'],
  3: ['Referral', 'do_not_honor'],
  4: ['Acquirer Error', 'processing_error'],
  5: ['Blocked Card', 'pickup_card'],
  6: ['Expired Card', 'expired_card'],
  7: ['Invalid Amount', 'processing_error'],
  8: ['Invalid Card Number', 'invalid_number'],
  9: ['Issuer Unavailable', 'try_again_later'],
  10: ['Not supported', 'card_not_supported'],
  11: ['3D Not Authenticated', WANTS_THREEDS],
  12: ['Not enough balance', 'insufficient_funds'],
  14: ['Acquirer Fraud', 'fraudulent'],
  15: ['Cancelled', 'generic_decline'],
  16: ['Shopper Cancelled', 'buyer_canceled'],
  17: ['Invalid Pin', 'do_not_honor'],
  18: ['Pin tries exceeded', 'do_not_honor'],
  19: ['Pin validation not possible', 'do_not_honor'],
  20: ['FRAUD', 'fraudulent'],
  21: ['Not Submitted', 'processing_error'],
  22: ['FRAUD-CANCELLED', 'fraudulent'],
  23: ['Transaction Not Permitted', 'transaction_not_allowed'],
  24: ['CVC Declined', 'incorrect_cvc'],
  25: ['Restricted Card', 'pickup_card'],
  26: ['Revocation Of Auth', 'authorization_revoked'],
  27: ['Declined Non Generic', 'do_not_honor'],
  28: ['Withdrawal amount exceeded', 'card_velocity_exceeded'],
  29: ['Withdrawal count exceeded', 'card_velocity_exceeded'],
  31: ['Issuer Suspected Fraud', 'fraudulent'],
  32: ['AVS Declined', 'do_not_honor'],
  33: ['Card requires online pin', 'card_not_supported'],
  34: ['No checking account available on Card', 'card_not_supported'],
  35: ['No savings account available on Card', 'card_not_supported'],
  36: ['Mobile pin required', 'card_not_supported'],
  37: ['Contactless fallback', 'card_not_supported'],
  38: ['Authentication required', WANTS_THREEDS],
  39: ['RReq not received from DS', WANTS_THREEDS],
  42: ['3DS Authentication Error', WANTS_THREEDS],
  46: ['Transaction blocked by Adyen to prevent excessive retry fees', 'do_not_try_again'],
}

const codesOfTexts = new Map(Object.entries(reasons).map(([code, [text]]) => [text.toLowerCase(), code]))

/** Reasons that say less than what the acquirer said. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['2', '5', '25', '27'])

/** Response codes of ISO 8583 that say more than Adyen's reason for them. */
const rawCodes: Readonly<Record<string, DeclineCode>> = {
  '04': 'pickup_card',
  '05': 'do_not_honor',
  '07': 'pickup_card',
  '14': 'invalid_number',
  '15': 'invalid_number',
  '41': 'lost_card',
  '43': 'stolen_card',
  '46': 'closed_account',
  '51': 'insufficient_funds',
  '54': 'expired_card',
  '57': 'transaction_not_allowed',
  '59': 'fraudulent',
  '61': 'card_velocity_exceeded',
  '62': 'pickup_card',
  '91': 'try_again_later',
  '96': 'processing_error',
  R0: 'authorization_revoked',
  R1: 'authorization_revoked',
  R3: 'authorization_revoked',
}

/** A refused payment in our words. @param reference The payment's `pspReference`. */
export function adyenDecline(refusal: AdyenRefusal, reference: string | null): AuthorisationOutcome {
  const code = refusal.refusalReasonCode ?? codesOfTexts.get((refusal.refusalReason ?? '').toLowerCase()) ?? ''
  const meaning = Object.hasOwn(reasons, code) ? reasons[code]?.[1] : undefined
  if (meaning === WANTS_THREEDS) return { outcome: 'threeds_required', reference }
  const raw = UNSPECIFIC.has(code) || meaning === undefined ? rawMeaning(refusal.raw) : null
  const advice = codeOf(refusal.advice)
  return declined(raw ?? meaning ?? 'generic_decline', { reference, advice })
}

function rawMeaning(raw: string | undefined): DeclineCode | null {
  const code = codeOf(raw)
  return code !== null && Object.hasOwn(rawCodes, code) ? (rawCodes[code] ?? null) : null
}

/** The code of a text such as `41 : Lost card`. */
function codeOf(text: string | undefined): string | null {
  return /^([0-9A-Z]{2})\b/.exec(text ?? '')?.[1] ?? null
}
