import type { AppliedPromotion, NewPayment, Payment, PaymentAttempt } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../ambient/api-error.ts'
import { drawOf } from '../ambient/draw-of.ts'
import type { Call, Write } from '../call.ts'
import { findStore } from '../catalog/stores.ts'
import { emit } from '../events/emit.ts'
import { reserveUses } from '../promotions/promotion-usage.ts'
import type { CardInHand } from './charge-card.ts'
import { insertOrder } from './orders.ts'
import { findPaymentFlow } from './payment-flows.ts'
import { redeemSecurityCode } from '../vault/redeem-security-code.ts'
import { findInstrument, type PayingInstrument } from './payment-instruments.ts'
import { pickProcessor } from './pick-processor.ts'
import type { OrderPrice } from './price-order.ts'
import { paramOf, pricePayment } from './price-payment.ts'
import { liveProcessors } from './processors.ts'

/** A payment on its way to a processor: what is recorded before anybody outside is asked. */
export interface StartedPayment {
  payment: Payment
  attempt: PaymentAttempt
  /** The promotions of its order, of which a use each is set aside until the payment is settled. */
  applied: readonly AppliedPromotion[]
  card: CardInHand
  writes: Write[]
}

/** Prices the order, picks the processor, and says what must be on record before the card is charged. */
export async function startPayment(body: NewPayment, call: Call): Promise<StartedPayment> {
  const flow = await flowOf(body, call)
  const instrument = await payingInstrument(body, call)
  const { codeId, writes: spending } = await securityCodeOf(body, instrument, call)
  const price = await pricePayment(body, call)
  const now = new Date(call.nowMs).toISOString()
  const attemptId = call.newId('att')
  const live = await liveProcessors(call.caller.accountId, call.parts.db)
  const { processorId, ...decision } = pickProcessor(flow, live, drawOf(attemptId))
  if (processorId === null) {
    throw new ApiError(
      'no_eligible_processor',
      `No processor of the flow '${flow.id}' can take this payment; enable or add one.`,
    )
  }
  const attempt: PaymentAttempt = {
    id: attemptId,
    processorId,
    status: 'processing',
    declineCode: null,
    decision,
    createdAt: now,
  }
  const payment: Payment = {
    id: call.newId('pay'),
    accountId: call.caller.accountId,
    storeId: body.storeId,
    orderId: call.newId('order'),
    customerId: instrument.customerId,
    paymentInstrumentId: body.paymentInstrumentId,
    paymentFlowId: flow.id,
    status: 'processing',
    requireAction: 'none',
    amount: price.amount,
    currency: body.currency,
    declineCode: null,
    attempts: [attempt],
    createdAt: now,
    updatedAt: now,
  }
  const writes = [...startWrites(payment, { attempt, price, body }, call), ...spending]
  const card = { cardId: instrument.cardId, codeId }
  return { payment, attempt, applied: price.promotions.applied, card, writes }
}

/** The code of a card that was just typed waits under the card's id; that of a saved one under its token's. */
async function securityCodeOf(
  { securityCodeToken, storeId, paymentInstrumentId }: NewPayment,
  { cardId }: PayingInstrument,
  call: Call,
): Promise<{ codeId: string; writes: Write[] }> {
  if (securityCodeToken === undefined) return { codeId: cardId, writes: [] }
  return redeemSecurityCode(securityCodeToken, { storeId, paymentInstrumentId }, call)
}

async function payingInstrument(body: NewPayment, { caller, parts }: Call): Promise<PayingInstrument> {
  const instrument = await findInstrument(body.paymentInstrumentId, caller.accountId, parts.db)
  if (instrument === null || instrument.storeId !== body.storeId) {
    throw missing('payment instrument', body.paymentInstrumentId, 'paymentInstrumentId')
  }
  if (!instrument.isActive) {
    throw new ApiError('state_conflict', 'The payment instrument is no longer active; ask the buyer for another card.')
  }
  return instrument
}

async function flowOf(body: NewPayment, { caller, parts }: Call) {
  const store = await findStore(body.storeId, caller.accountId, parts.db)
  if (store === null) throw missing('store', body.storeId, 'storeId')
  const flowId = body.paymentFlowId ?? store.selectedPaymentFlowId
  if (flowId === null) {
    throw new ApiError('parameter_missing', 'The store has no payment flow of its own; name one in paymentFlowId.', {
      param: 'paymentFlowId',
    })
  }
  const flow = await findPaymentFlow(flowId, caller.accountId, parts.db)
  if (flow === null) throw missing('payment flow', flowId, 'paymentFlowId')
  return flow
}

type OrderParts = { attempt: PaymentAttempt; price: OrderPrice; body: NewPayment }

function startWrites(payment: Payment, { attempt, price, body }: OrderParts, call: Call): Write[] {
  const { accountId, orderId, storeId, customerId, amount, currency, paymentInstrumentId, status } = payment
  const subject = { storeId, customerId }
  const ordered = { orderId, amount, currency }
  const moved = { ...ordered, paymentId: payment.id, paymentInstrumentId, status }
  return [
    insertOrder(
      { ...price, id: orderId, accountId, storeId, customerId, currency, metadata: body.metadata },
      call.nowMs,
    ),
    ...reserveUses({ accountId, applied: price.promotions.applied }, (promotion) => paramOf(promotion, body)),
    insertPayment(payment, call),
    insertAttempt(attempt, payment, call.nowMs),
    ...emit('s_checkout_started', { ...subject, properties: ordered }, call),
    ...emit('s_order_created', { ...subject, properties: ordered }, call),
    ...emit('s_payment_created', { ...subject, properties: moved }, call),
  ]
}

function insertPayment(payment: Payment, { nowMs, idempotencyKey }: Call): Write {
  return {
    sql: `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id, status,
        amount, currency, idempotency_key, lease_until, created_at, updated_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    params: [
      payment.accountId,
      payment.id,
      payment.orderId,
      payment.storeId,
      payment.customerId,
      payment.paymentInstrumentId,
      payment.paymentFlowId,
      payment.status,
      payment.amount,
      payment.currency,
      idempotencyKey,
      nowMs + CLAIM_LEASE_MS,
      nowMs,
      nowMs,
    ],
  }
}

function insertAttempt(attempt: PaymentAttempt, payment: Payment, nowMs: number): Write {
  return {
    sql: `INSERT INTO payment_attempts (account_id, id, payment_id, processor_id, status, decision, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)`,
    params: [
      payment.accountId,
      attempt.id,
      payment.id,
      attempt.processorId,
      attempt.status,
      JSON.stringify(attempt.decision),
      nowMs,
    ],
  }
}
