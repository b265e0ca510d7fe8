import type { OrderLine, Payment, ScaDecision } from '@tillwright/contract'
import type { PaymentAgreement } from '../../ledger/index.ts'
import { leastDays } from '../../subscriptions/index.ts'
import { challengeIndicators, decideExemption } from '../../threeds/index.ts'
import { isVerification, type PreparedPayment } from '../prepare/index.ts'

/** Whether a merchant's preference wants the buyer to be asked. */
export function wantsBuyer(preference: Payment['challengePreference']): boolean {
  return wanting.has(preference)
}

/** The preferences of a merchant who wants the buyer to be asked. Source: EMV 3DS 2.2.0: 03, 04 and 09 ask for a challenge. */
const wanting: ReadonlySet<string> = new Set(['challenge-requested', 'challenge-mandated', '03', '04', '09'])

/** The exemption that a payment asks for, and why; `null` where its flow asks for none. */
export function exemptionOf(
  { exemption, route: { flow }, body, next }: PreparedPayment,
  isChallenged: boolean,
): ScaDecision | null {
  if (exemption === null || flow.exemptionPolicy == null || (next !== null && !('attempt' in next))) return null
  const isWanted = isChallenged || wantsBuyer(body.challengePreference)
  return decideExemption(flow.exemptionPolicy, { ...exemption, isWanted, authenticates: flow.threeDsEnabled })
}

/**
 * Terms that the buyer is asked to agree to, if the payment is authenticated. A buyer who begins a series agrees to
 * charges in their absence, which issuers approve later only if they have authenticated the buyer now: so the issuer is
 * told of the series and asked for a challenge, unless the merchant has a preference. Source: EMV 3-D Secure, "3DS
 * Requestor Challenge Indicator" 04; Delegated Regulation (EU) 2018/389, article 14.
 */
export function agreementOf(
  { body, price }: PreparedPayment,
  { links, sca }: { links: Payment['subscriptions']; sca: ScaDecision | null },
): PaymentAgreement {
  const { initiatedBy, challengePreference, setupFutureUsage = null } = body
  const sent = { authenticationType: body.authenticationType, recurringInfo: body.recurringInfo ?? null }
  const begins = links.some(({ occasion }) => occasion === 'first')
  const isSetUp = isVerification(price) && setupFutureUsage === 'off_session'
  const isSeries = initiatedBy === 'buyer' && (begins || isSetUp || sent.authenticationType !== 'payment-transaction')
  const implied = begins && sent.authenticationType === 'payment-transaction' ? impliedSeries(price.lines) : sent
  const exempted = sca?.requestedIn === 'authentication' && sca.asked !== null ? challengeIndicators[sca.asked] : null
  const preferred = isSeries && challengePreference === 'no-preference' ? 'challenge-mandated' : challengePreference
  return {
    ...implied,
    challengePreference: exempted ?? preferred,
    initiatedBy,
    setupFutureUsage,
  }
}

/** The series that recurring lines begin, which has no end. Source: EMV 3-D Secure, "Recurring Expiry", "Recurring Frequency". */
function impliedSeries(lines: readonly OrderLine[]): Pick<Payment, 'authenticationType' | 'recurringInfo'> {
  const days = lines.flatMap(({ recurring }) => (recurring === null ? [] : [leastDays(recurring)]))
  const frequency = String(Math.min(...days, 9_999))
  return { authenticationType: 'recurring-transaction', recurringInfo: { expiration: '9999-12-31', frequency } }
}
