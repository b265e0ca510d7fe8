import type { Stripe } from 'stripe'
import type { ReportedDispute } from '../processor-driver.ts'
import { ATTEMPT } from './create-intent.ts'
import { minorAmount } from './stripe-amount.ts'
import { ask } from './stripe-errors.ts'

/** Asks Stripe how a dispute stands; `null` for one of a charge that is not ours. */
export async function askDispute(disputeId: string, client: Stripe): Promise<ReportedDispute | null> {
  const dispute = await ask(client.disputes.retrieve(disputeId, { expand: ['payment_intent'] }))
  const { id: reference, reason, amount, currency, payment_intent: intent } = dispute
  const status = statusOf(dispute.status)
  if (intent === null || typeof intent === 'string') return null
  const attemptId = intent.metadata[ATTEMPT]
  if (attemptId === undefined) return null
  const kind = status === 'prevented' || dispute.status.startsWith('warning_') ? 'inquiry' : 'chargeback'
  return { reference, attemptId, kind, status, reason, amount: minorAmount(amount, currency.toUpperCase()) }
}

/** Source: Stripe, "The Dispute object", status. An inquiry that is closed came to no chargeback. */
function statusOf(status: Stripe.Dispute.Status): ReportedDispute['status'] {
  if (status === 'prevented') return 'prevented'
  if (status === 'won' || status === 'warning_closed') return 'won'
  return status === 'lost' ? 'lost' : 'open'
}
