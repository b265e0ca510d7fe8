import type { OrderLine, Payment, PaymentSubscription } from '@tillwright/contract'
import type { Write } from '../../call.ts'
import type { Emitter } from '../../events/emit.ts'
import { periodOf } from './period-of.ts'
import { insertSubscription, isoTime, type SubscriptionRecord, type SubscriptionTerms } from './subscription-record.ts'

/** What a payment does for subscriptions, and the statements that put that on record. */
export interface RecurringPart {
  links: PaymentSubscription[]
  writes: Write[]
}

/** The order that a payment is for. */
export type BoughtWith = Pick<
  Payment,
  'accountId' | 'orderId' | 'storeId' | 'customerId' | 'paymentInstrumentId' | 'paymentFlowId' | 'currency'
>

/** The subscriptions of an order's recurring lines, one a line. They begin when the order is paid. */
export function beginSubscriptions(lines: readonly OrderLine[], order: BoughtWith, emitter: Emitter): RecurringPart {
  const records = lines.flatMap((line) => recordOf(line, order, emitter))
  return { links: records.map(firstLink), writes: records.map(insertSubscription) }
}

function recordOf(
  line: OrderLine,
  { accountId, customerId, paymentInstrumentId, ...order }: BoughtWith,
  { nowMs, newId }: Emitter,
): SubscriptionRecord[] {
  if (line.recurring === null) return []
  const { storeId, orderId, paymentFlowId, currency } = order
  const { productId, variantId, priceId, name, quantity, unitAmount, deferredAmount: firstAmount } = line
  const bought = { productId, variantId, priceId, name, quantity, unitAmount, firstAmount }
  const terms: SubscriptionTerms = {
    ...line.recurring,
    ...bought,
    storeId,
    orderId,
    paymentFlowId,
    currency,
    startMs: nowMs,
  }
  return [
    {
      id: newId('sub'),
      accountId,
      customerId,
      paymentInstrumentId,
      status: 'incomplete',
      terms,
      period: 0,
      dueMs: periodOf(terms, 0).endMs,
      tries: 0,
      refusedInstrumentId: null,
      renewalPaymentId: null,
      cancelAtPeriodEnd: false,
      canceledMs: null,
      createdMs: nowMs,
      updatedMs: nowMs,
    },
  ]
}

function firstLink({ id, terms, period, tries }: SubscriptionRecord): PaymentSubscription {
  const { startMs, endMs } = periodOf(terms, period)
  return {
    subscriptionId: id,
    occasion: 'first',
    period,
    periodStart: isoTime(startMs),
    periodEnd: isoTime(endMs),
    status: terms.trialDays > 0 ? 'trialing' : 'active',
    tries,
  }
}
