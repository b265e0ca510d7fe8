import type { NewPayment, OrderLine } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Charging } from '../routing/charging.ts'
import { firstAttempt } from '../routing/first-attempt.ts'
import { findPaymentFlow } from '../routing/payment-flows.ts'
import { findInstrument } from '../payment-instruments.ts'
import { plainPrice, type OrderPrice } from '../orders/price-order.ts'
import { findLastSuccess, type Route } from '../routing/route.ts'
import type { Starting } from '../build-payment.ts'
import type { PreparedPayment } from '../start-payment.ts'
import type { SubscriptionRecord } from './subscription-record.ts'

/** A subscription whose period is over, and what is to be paid for it in minor units. */
export interface DueRenewal {
  record: SubscriptionRecord
  amount: number
}

/**
 * The payment of a period. The merchant asks for it while no buyer is there: there is no security code, no 3-D Secure and
 * no tester to watch for, and the processor of the customer's last success is asked first, as issuers expect.
 *
 * @throws {ApiError} When the flow or the card is gone, or no processor can be asked.
 */
export async function prepareRenewal(
  { record, amount }: DueRenewal,
  call: Starting,
  charging: Charging,
): Promise<PreparedPayment> {
  const route = await routeOf(record, call)
  return {
    body: bodyOf(record),
    page: null,
    route,
    customerId: record.customerId,
    countedBuyer: null,
    price: priceOf(record, amount),
    next: amount === 0 ? null : await firstAttempt(route, call, charging),
    spending: [],
    authenticator: null,
    renewal: record,
  }
}

async function routeOf(record: SubscriptionRecord, { parts: { db } }: Starting): Promise<Route> {
  const { accountId, customerId, paymentInstrumentId, terms } = record
  const [known, instrument] = await Promise.all([
    findPaymentFlow(terms.paymentFlowId, accountId, db),
    findInstrument(paymentInstrumentId, accountId, db),
  ])
  if (known === null) throw missing('payment flow', terms.paymentFlowId)
  if (instrument?.isActive !== true) {
    throw new ApiError('state_conflict', `The payment instrument '${paymentInstrumentId}' is not active.`)
  }
  const flow = { ...known, threeDsEnabled: false, abuseDetectionConfig: null, stickyProcessorEnabled: true }
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, db)
  return {
    accountId,
    flow,
    currency: terms.currency,
    card: { ...instrument, codeId: instrument.cardId },
    lastSuccess,
  }
}

function bodyOf({ id, paymentInstrumentId, terms }: SubscriptionRecord): NewPayment {
  return {
    storeId: terms.storeId,
    paymentInstrumentId,
    paymentFlowId: terms.paymentFlowId,
    currency: terms.currency,
    captureMethod: 'automatic',
    promotionCodes: [],
    shippingAmount: 0,
    metadata: { subscriptionId: id },
  }
}

/** The line as it was bought. What the first order's promotions take off the first period stands as its discount. */
function priceOf({ terms }: SubscriptionRecord, amount: number): OrderPrice {
  const { productId, variantId, priceId, name, quantity, unitAmount } = terms
  const { interval, intervalCount, billingTiming } = terms
  const subtotal = amount === 0 ? 0 : unitAmount * quantity
  const line: OrderLine = {
    productId,
    variantId,
    priceId,
    name,
    quantity,
    unitAmount: amount === 0 ? 0 : unitAmount,
    discountAmount: subtotal - amount,
    amount,
    deferredAmount: 0,
    recurring: { interval, intervalCount, billingTiming, trialDays: 0 },
    promotionId: null,
  }
  return { ...plainPrice(amount), subtotal, discountAmount: subtotal - amount, lines: [line] }
}
