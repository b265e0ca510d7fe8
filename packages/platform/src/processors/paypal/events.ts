import type { IncomingHttpHeaders } from 'node:http'
import { RefundStatus } from '@paypal/paypal-server-sdk'
import { z } from 'zod'
import type { ProcessorEvent, ProcessorReport, ReportedDispute } from '../processor-driver.ts'
import { eventIn, isAskedHere, respondBy } from '../processor-events.ts'
import { minorAmount } from './amounts.ts'
import { ask, type PayPalClient } from './client.ts'
import { outcomeOf } from './modifications.ts'
import { isSignedByPayPal, type SignatureCheck } from './signature.ts'

const link = z.object({ href: z.string(), rel: z.string() })

/** Source: PayPal, "Webhook event names", and the resources that they are about. */
const paypalEvent = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z.object({
    id: z.string().optional(),
    dispute_id: z.string().optional(),
    custom_id: z.string().optional(),
    purchase_units: z.array(z.object({ custom_id: z.string().optional() })).optional(),
    links: z.array(link).catch([]),
  }),
})
type PayPalEvent = z.output<typeof paypalEvent>

/** The event that PayPal has signed, or `null` when it was not. */
export async function readPayPalEvent(
  { body, headers }: { body: Buffer; headers: IncomingHttpHeaders },
  { client, ...check }: SignatureCheck & { client: PayPalClient },
): Promise<ProcessorEvent | null> {
  if (!(await isSignedByPayPal(body, headers, check))) return null
  const event = eventIn(body, paypalEvent)
  return event && { id: event.id, type: event.event_type, report: () => reportOf(event, client) }
}

async function reportOf(
  { event_type: type, resource }: PayPalEvent,
  client: PayPalClient,
): Promise<ProcessorReport | null> {
  if (type.startsWith('CUSTOMER.DISPUTE.')) return disputeReport(resource.dispute_id ?? '', client)
  if (type === 'PAYMENT.CAPTURE.REVERSED') return reversalReport(resource, client)
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.')) {
    return resource.id === undefined ? null : refundReport(resource.id, client)
  }
  if (type.startsWith('PAYMENT.CAPTURE.')) return resource.id === undefined ? null : captureReport(resource.id, client)
  if (!type.startsWith('CHECKOUT.ORDER.') && !type.startsWith('PAYMENT.AUTHORIZATION.')) return null
  const attemptId = resource.custom_id ?? resource.purchase_units?.[0]?.custom_id
  return attemptId === undefined ? null : { about: 'attempt', attemptId }
}

/** A capture of ours has our id as its invoice's; one that came with the order, or was made at PayPal, has another. */
async function captureReport(captureId: string, client: PayPalClient): Promise<ProcessorReport | null> {
  const capture = await ask(client.payments.getCapturedPayment({ captureId }))
  const { customId: attemptId, invoiceId } = capture
  if (attemptId === undefined) return null
  if (invoiceId === undefined || !isAskedHere(invoiceId)) return { about: 'attempt', attemptId }
  return { about: 'post_authorization', id: invoiceId, outcome: outcomeOf(capture) }
}

/**
 * Money that PayPal has taken back itself, which it tells of as a refund: it is that of a dispute, where the capture has
 * one.
 */
async function reversalReport(
  { id, links }: PayPalEvent['resource'],
  client: PayPalClient,
): Promise<ProcessorReport | null> {
  const captureId = captureOf(links)
  if (id === undefined || captureId === undefined) return null
  const { items } = await client.get(
    `/v1/customer/disputes?disputed_transaction_id=${encodeURIComponent(captureId)}`,
    paypalDisputes,
  )
  const [dispute] = items
  return dispute === undefined ? refundReport(id, client) : disputeReport(dispute.dispute_id, client)
}

/** The capture that a refund is of. */
function captureOf(links: readonly { href: string; rel: string }[] | undefined): string | undefined {
  return links
    ?.find(({ rel }) => rel === 'up')
    ?.href.split('/')
    .pop()
}

/**
 * A refund of ours has our id as its invoice's. One that was made at PayPal has what somebody has typed there, or that of its
 * capture.
 */
async function refundReport(refundId: string, client: PayPalClient): Promise<ProcessorReport | null> {
  const refund = await ask(client.payments.getRefund({ refundId }))
  const captureId = captureOf(refund.links)
  if (captureId === undefined) return null
  const {
    customId: attemptId,
    invoiceId,
    supplementaryData,
  } = await ask(client.payments.getCapturedPayment({ captureId }))
  const { invoiceId: named } = refund
  if (named !== undefined && named !== invoiceId && isAskedHere(named)) {
    return { about: 'post_authorization', id: named, outcome: outcomeOf(refund) }
  }
  const orderId = supplementaryData?.relatedIds?.orderId
  if (attemptId === undefined || orderId === undefined) return null
  const order = await ask(client.orders.getOrder({ id: orderId }))
  const all = order.purchaseUnits?.[0]?.payments?.refunds ?? []
  const refunds = all
    .filter(({ status }) => status === RefundStatus.Completed)
    .flatMap(({ id, amount }) =>
      id === undefined || amount === undefined ? [] : [{ reference: id, amount: minorAmount(amount) }],
    )
  const failed = all.filter(({ status }) => status === RefundStatus.Failed || status === RefundStatus.Cancelled)
  const reversed = failed.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return { about: 'refunds', refunds: { attemptId, refunds, reversed } }
}

const money = z.object({ currency_code: z.string(), value: z.string() })

/** Source: PayPal, Disputes API v1, "Show dispute details". */
const paypalDispute = z.object({
  dispute_id: z.string(),
  reason: z.string().default('OTHER'),
  status: z.string(),
  dispute_life_cycle_stage: z.string().default('CHARGEBACK'),
  dispute_amount: money,
  dispute_outcome: z.object({ outcome_code: z.string(), amount_refunded: money.optional() }).optional(),
  seller_response_due_date: z.string().optional(),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).default([]),
})
/** Source: the same, "List disputes". */
const paypalDisputes = z.object({ items: z.array(paypalDispute.pick({ dispute_id: true })).default([]) })
type PayPalDispute = z.output<typeof paypalDispute>

async function disputeReport(disputeId: string, client: PayPalClient): Promise<ProcessorReport | null> {
  const dispute = await client.get(`/v1/customer/disputes/${encodeURIComponent(disputeId)}`, paypalDispute)
  const captureId = dispute.disputed_transactions[0]?.seller_transaction_id
  if (captureId === undefined) return null
  const { customId: attemptId } = await ask(client.payments.getCapturedPayment({ captureId }))
  if (attemptId === undefined) return null
  const { currency_code: currency, value } = dispute.dispute_amount
  const taken = takenOf(dispute)
  return {
    about: 'dispute',
    dispute: {
      reference: dispute.dispute_id,
      attemptId,
      kind: isInquiry(dispute) ? 'inquiry' : 'chargeback',
      status: statusOf(dispute),
      ...(taken !== null && { taken }),
      reason: dispute.reason.toLowerCase(),
      amount: minorAmount({ currencyCode: currency, value }),
      currency,
      respondBy: respondBy(dispute.seller_response_due_date),
    },
  }
}

/** Outcomes that cost the merchant nothing. */
const WON: ReadonlySet<string> = new Set([
  'RESOLVED_SELLER_FAVOUR',
  'CANCELED_BY_BUYER',
  'DENIED',
  'RESOLVED_WITH_PAYOUT',
])

/** Another dispute of the transaction has taken its place, which has the decision. */
const REPLACED = 'NONE'

/**
 * PayPal pays for some itself (`RESOLVED_WITH_PAYOUT`), which is as good as won. An inquiry that ends for the buyer was
 * refunded by the merchant, and comes as a refund.
 */
function statusOf(dispute: PayPalDispute): ReportedDispute['status'] {
  const { status, dispute_outcome: decided } = dispute
  if (status !== 'RESOLVED' || decided === undefined) return 'open'
  if (WON.has(decided.outcome_code)) return 'won'
  const isNothingTaken = decided.outcome_code === REPLACED || takenOf(dispute) === 0
  return isInquiry(dispute) || isNothingTaken ? 'prevented' : 'lost'
}

/** What the buyer was given of the money, a part perhaps, or nothing but other goods; `null` where PayPal does not say. */
function takenOf({ dispute_amount: disputed, dispute_outcome: decided }: PayPalDispute): number | null {
  const { currency_code: currencyCode = '', value = '' } = decided?.amount_refunded ?? {}
  return currencyCode === disputed.currency_code ? minorAmount({ currencyCode, value }) : null
}

function isInquiry({ dispute_life_cycle_stage: stage }: PayPalDispute): boolean {
  return stage === 'INQUIRY'
}
