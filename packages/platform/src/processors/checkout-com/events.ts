import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { ProcessorEvent, ProcessorReport, ReportedDispute } from '../processor-driver.ts'
import { eventIn, isAskedHere, respondBy } from '../processor-events.ts'
import { checkoutAmounts } from './amounts.ts'
import { type CheckoutActions, checkoutActions, checkoutDispute, checkoutPayment } from './answers.ts'
import { ask, type CheckoutClient } from './client.ts'
import { actionOutcome } from './modifications.ts'

/** An event of a payment (`pay_...`) or of a dispute (`dsp_...`). Source: Checkout.com, "Webhook event types". */
const checkoutEvent = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ id: z.string(), action_id: z.string().nullish() }),
})
type CheckoutEvent = z.output<typeof checkoutEvent>

/** The inputs to reading a webhook. */
export interface Reading {
  /** The header `cko-signature`: hexadecimal HMAC-SHA256 of the body. */
  signature: string
  signingKey: string
  client: CheckoutClient
}

/** The event that was signed with a key, or `null` when it was not. It has no time: one that is repeated asks again. */
export function readCheckoutEvent(body: Buffer, { signature, signingKey, client }: Reading): ProcessorEvent | null {
  if (!isSigned(body, signature, signingKey)) return null
  const event = eventIn(body, checkoutEvent)
  return event && { id: event.id, type: event.type, report: () => reportOf(event, client) }
}

function isSigned(body: Buffer, signature: string, key: string): boolean {
  const expected = createHmac('sha256', key).update(body).digest()
  const sent = Buffer.from(signature, 'hex')
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

async function reportOf({ type, data }: CheckoutEvent, client: CheckoutClient): Promise<ProcessorReport | null> {
  if (type.startsWith('dispute_')) return disputeReport(data.id, client)
  if (MODIFIED.test(type)) return modificationReport(type, data, client)
  return type.startsWith('payment_') ? attemptReport(data.id, client) : null
}

const REFUNDED = /^payment_refund/
/** Events of captures, refunds and voids. */
const MODIFIED = /^payment_(?:captured|capture_declined|refunded|refund_declined|voided|void_declined)$/

const CAPTURE_DECLINED = 'payment_capture_declined'

/** What is taken with a payment is captured once that was answered: if that is declined, its money does not come. */
async function declinedCaptureReport(paymentId: string, client: CheckoutClient): Promise<ProcessorReport | null> {
  const { reference: attemptId, balances } = await ask(client.payments.get(paymentId), checkoutPayment)
  if (attemptId == null) return null
  return { about: balances?.total_captured === 0 ? 'reversed_capture' : 'attempt', attemptId }
}

async function attemptReport(paymentId: string, client: CheckoutClient): Promise<ProcessorReport | null> {
  const { reference } = await ask(client.payments.get(paymentId), checkoutPayment)
  return reference == null ? null : { about: 'attempt', attemptId: reference }
}

async function modificationReport(
  type: string,
  { id: paymentId, action_id: actionId }: CheckoutEvent['data'],
  client: CheckoutClient,
): Promise<ProcessorReport | null> {
  const actions = await ask(client.payments.getActions(paymentId), checkoutActions)
  const reference = actions.find(({ id }) => id === actionId)?.reference
  if (reference == null || !isAskedHere(reference)) {
    // Done in Checkout.com's dashboard, or with the payment itself.
    if (REFUNDED.test(type)) return refundsReport(paymentId, actions, client)
    return type === CAPTURE_DECLINED ? declinedCaptureReport(paymentId, client) : attemptReport(paymentId, client)
  }
  const outcome = actionOutcome(actions, reference)
  return outcome && { about: 'post_authorization', id: reference, outcome }
}

/** All refunds of a payment: some may have been made in Checkout.com's dashboard. It tells of none that came back. */
async function refundsReport(
  paymentId: string,
  actions: CheckoutActions,
  client: CheckoutClient,
): Promise<ProcessorReport | null> {
  const { reference: attemptId, currency } = await ask(client.payments.get(paymentId), checkoutPayment)
  if (attemptId == null) return null
  const made = actions.filter(({ type, approved }) => type === 'Refund' && approved === true)
  const refunds = made.map(({ id, amount }) => ({ reference: id, amount: checkoutAmounts.read(amount, currency) }))
  return { about: 'refunds', refunds: { attemptId, refunds, reversed: [] } }
}

async function disputeReport(disputeId: string, client: CheckoutClient): Promise<ProcessorReport | null> {
  const dispute = await ask(client.disputes.getDetails(disputeId), checkoutDispute)
  const { reference: attemptId } = await ask(client.payments.get(dispute.payment.id), checkoutPayment)
  if (attemptId == null) return null
  return {
    about: 'dispute',
    dispute: {
      reference: dispute.id,
      attemptId,
      kind: 'chargeback',
      status: disputeStatuses[dispute.status] ?? 'open',
      reason: dispute.category ?? 'general',
      amount: checkoutAmounts.read(Math.abs(dispute.amount), dispute.currency),
      currency: dispute.currency,
      respondBy: respondBy(dispute.evidence_required_by),
    },
  }
}

/** Statuses of disputes that are over. `resolved`: refunded before it became a dispute. Source: "Dispute status". */
const disputeStatuses: Readonly<Record<string, ReportedDispute['status']>> = {
  won: 'won',
  arbitration_won: 'won',
  canceled: 'won',
  lost: 'lost',
  arbitration_lost: 'lost',
  expired: 'lost',
  accepted: 'lost',
  resolved: 'prevented',
}
