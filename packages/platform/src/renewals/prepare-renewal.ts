import type { NewPayment, OrderLine } from '@tillwright/contract'
import { findDestination, findInstrument, type PayingInstrument } from '../customers/index.ts'
import { findHooks } from '../hooks/index.ts'
import { type OrderPrice, plainPrice, withTax } from '../orders/index.ts'
import { absentFacts, type PreparedPayment, type Starting } from '../payments/index.ts'
import {
  type Charging,
  findLastSuccess,
  findPaymentFlow,
  firstAttempt,
  type NextAttempt,
  type Route,
} from '../routing/index.ts'
import { missing } from '../runtime/index.ts'
import { dueTerms, type SubscriptionRecord } from '../subscriptions/index.ts'

/** A subscription whose period is over, and what is to be paid for it in minor units. */
export interface DueRenewal {
  record: SubscriptionRecord
  amount: number
  /** Whether it was requested; otherwise it is the schedule's. */
  isRequested: boolean
  /** The card that the buyer pays with, who is there; absent where none is. */
  buyersCard?: PayingInstrument | null
}

/**
 * The payment of a period. The merchant asks for it while no buyer is there: there is no security code, no 3-D Secure
 * and no tester to watch for, and the processor of the customer's last success is asked first, as issuers expect. A
 * card that was deleted or is not active is declined without asking anyone: only the buyer can name another.
 *
 * @throws {ApiError} When the flow is gone, no processor can be asked, or the tax is not answered.
 */
export async function prepareRenewal(
  { record, amount, isRequested, buyersCard }: DueRenewal,
  context: Starting,
  charging: Charging,
): Promise<PreparedPayment> {
  const { route, stopped } = await routeOf(record, buyersCard, context)
  const next = async (): Promise<NextAttempt> =>
    stopped === null ? firstAttempt(route, context, charging) : { stopped }
  return {
    paymentId: context.newId('pay'),
    orderId: context.newId('order'),
    body: bodyOf(record),
    page: null,
    route,
    other: null,
    customerId: record.customerId,
    countedBuyer: null,
    selling: null,
    price: await pricePeriod(record, amount, context),
    exemption: route.flow.exemptionPolicy == null ? null : absentFacts(amount, record.terms.currency),
    merchantChallenges: false,
    next: amount === 0 ? null : await next(),
    spending: [],
    authenticator: null,
    isAuthenticated: false,
    renewal: { ...record, isRequested },
  }
}

interface RenewalRoute {
  route: Route
  /** Why the card cannot be charged, or `null`. */
  stopped: 'card_deleted' | 'card_inactive' | null
}

async function routeOf(
  record: SubscriptionRecord,
  buyersCard: DueRenewal['buyersCard'],
  { services: { db } }: Starting,
): Promise<RenewalRoute> {
  const { accountId, customerId, paymentInstrumentId, terms } = record
  const [known, instrument] = await Promise.all([
    findPaymentFlow(terms.paymentFlowId, accountId, db),
    buyersCard === undefined ? findInstrument(paymentInstrumentId, accountId, db) : buyersCard,
  ])
  if (known === null) throw missing('payment flow', terms.paymentFlowId)
  const isBuyers = buyersCard !== undefined
  const abuseDetectionConfig = isBuyers ? known.abuseDetectionConfig : null
  const flow = { ...known, threeDsEnabled: false, abuseDetectionConfig, stickyProcessorEnabled: true }
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, db)
  const card = instrument === null ? deletedCard : { ...instrument, consent: agreementOf(record, instrument.consent) }
  return {
    route: {
      accountId,
      flow,
      currency: terms.currency,
      card: { ...card, codeId: card.cardId },
      method: { type: 'card', kind: card.kind },
      buyer: { ...card.payer, ip: null },
      lastSuccess,
      initiatedBy: isBuyers ? 'buyer' : 'merchant',
      isPreview: false,
    },
    stopped: instrument === null ? 'card_deleted' : instrument.isActive ? null : 'card_inactive',
  }
}

/**
 * The consent that a renewal refers to: of the payment that began the subscription, or else of the card. Another
 * agreement with the same card, such as a second subscription, changes nothing for the first.
 */
function agreementOf(
  { networkTransactionId, terms }: SubscriptionRecord,
  consent: PayingInstrument['consent'],
): PayingInstrument['consent'] {
  if (networkTransactionId === null) return consent
  const began = consent ?? { paymentId: '', agreedMs: terms.startMs }
  return { ...began, usage: 'off_session', networkTransactionId }
}

/** Stands for a card that was deleted. */
const deletedCard = {
  cardId: '',
  kind: 'number',
  brand: 'unknown',
  last4: '',
  fingerprint: '',
  consent: null,
  payer: { name: null, email: null, billingAddress: null },
} as const

function bodyOf({ id, paymentInstrumentId, terms }: SubscriptionRecord): NewPayment {
  return {
    storeId: terms.storeId,
    paymentInstrumentId,
    paymentFlowId: terms.paymentFlowId,
    currency: terms.currency,
    captureMethod: 'automatic',
    authenticationType: 'payment-transaction',
    challengePreference: 'no-preference',
    initiatedBy: 'merchant',
    promotionCodes: [],
    shippingAmount: 0,
    metadata: { subscriptionId: id },
  }
}

/**
 * The price of a period, with the tax that the store's `tax` hook answers. Neither stock nor risk is asked: the merchant
 * has agreed to deliver, and no buyer is there.
 *
 * @throws {ApiError} `tax_unanswered`.
 */
export async function pricePeriod(record: SubscriptionRecord, amount: number, context: Starting): Promise<OrderPrice> {
  const { id: subscriptionId, accountId, customerId, terms } = record
  const { storeId, currency } = terms
  const { db } = context.services
  const price = linePrice(record, amount)
  const hooks = await findHooks(storeId, accountId, db)
  if (hooks.tax === undefined) return price
  const destination = await findDestination(customerId, accountId, db)
  return withTax(price, { storeId, currency, hooks, destination, about: { subscriptionId, customerId } }, context)
}

/** The line as it was bought or changed to. Its discount is what the first order's promotions take off the first period. */
function linePrice(record: SubscriptionRecord, amount: number): OrderPrice {
  const terms = dueTerms(record)
  const { productId, variantId, priceId, name, unitAmount } = terms
  const quantity = terms.billingTiming === 'usage' ? Math.max(record.usageQuantity, 0) : terms.quantity
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
