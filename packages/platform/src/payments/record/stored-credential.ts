import type { Payment } from '@tillwright/contract'
import { type Consent, recordConsent } from '../../customers/index.ts'
import type { StoredCredential } from '../../processors/index.ts'
import type { Write } from '../../request-context.ts'

/** Why a payment's card is charged that is on file, or `null`: what its buyer agrees to now, or agreed to before. */
export function storedCredentialOf(payment: Payment, consent: Consent | null): StoredCredential | null {
  const networkTransactionId = consent?.networkTransactionId ?? null
  if (payment.initiatedBy === 'merchant') {
    const isAgreed = consent?.usage === 'off_session'
    return { use: 'later', reason: seriesOf(payment), networkTransactionId: isAgreed ? networkTransactionId : null }
  }
  const agreed = agreedUsage(payment)
  if (agreed !== null) {
    return {
      use: 'first',
      reason: agreed === 'on_session' ? 'cardholder' : seriesOf(payment),
      networkTransactionId: null,
    }
  }
  return consent === null ? null : { use: 'later', reason: 'cardholder', networkTransactionId }
}

/** The use of the card that a payment's buyer agrees to; subscriptions and series are charged in their absence. */
function agreedUsage(payment: Payment): Consent['usage'] | null {
  if (payment.initiatedBy === 'merchant') return null
  return seriesOf(payment) === 'unscheduled' ? payment.setupFutureUsage : 'off_session'
}

function seriesOf({ authenticationType, subscriptions }: Payment): 'recurring' | 'installment' | 'unscheduled' {
  if (subscriptions.length > 0 || authenticationType === 'recurring-transaction') return 'recurring'
  return authenticationType === 'installment-transaction' ? 'installment' : 'unscheduled'
}

/** The statements that keep what the buyer agreed to with a payment that was authorized. A preview agrees to nothing. */
export function keepConsent(
  payment: Payment,
  { networkTransactionId, nowMs }: { networkTransactionId: string | null; nowMs: number },
): Write[] {
  const usage = agreedUsage(payment)
  const { paymentInstrumentId } = payment
  if (usage === null || payment.preview !== null || paymentInstrumentId === null) return []
  return [recordConsent({ ...payment, paymentInstrumentId }, { usage, networkTransactionId, agreedMs: nowMs })]
}
