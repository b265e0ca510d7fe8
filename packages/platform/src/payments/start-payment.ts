import type { AppliedPromotion, NewPayment, Payment, PaymentAttempt, PaymentFlow } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/idempotency-keys.ts'
import { ApiError, missing } from '../ambient/api-error.ts'
import { drawOf } from '../ambient/draw-of.ts'
import type { Call, Write } from '../call.ts'
import { findStore } from '../catalog/stores.ts'
import { emit } from '../events/emit.ts'
import { reserveUses } from '../promotions/promotion-usage.ts'
import { insertOrder } from './orders.ts'
import { findPaymentFlow } from './payment-flows.ts'
import { findInstrument, type PayingInstrument } from './payment-instruments.ts'
import { pickProcessor } from './pick-processor.ts'
import type { OrderPrice } from './price-order.ts'
import { paramOf, pricePayment } from './price-payment.ts'
import { liveProcessors } from './processors.ts'
import { CONTINUE_WITHIN_MS, sessionFor, waitWrites } from './require-authentication.ts'
import type { SessionRecord } from './threeds/session-record.ts'

/** A payment on its way to a processor: what is recorded before anybody outside is asked. */
export interface StartedPayment {
  payment: Payment
  /** The promotions of its order, of which a use each is set aside until the payment is settled. */
  applied: readonly AppliedPromotion[]
  cardId: string
  writes: Write[]
}

/** Prices the order, picks the processor, and says what must be on record before the card is charged. */
export async function startPayment(body: NewPayment, call: Call): Promise<StartedPayment> {
  const flow = await flowOf(body, call)
  const instrument = await payingInstrument(body, call)
  const price = await pricePayment(body, call)
  const now = new Date(call.nowMs).toISOString()
  const attempt = await pickAttempt(flow, call)
  const { storeId, paymentInstrumentId } = body
  const subject = { id: call.newId('pay'), storeId, customerId: instrument.customerId, paymentInstrumentId }
  const session = flow.threeDsEnabled ? sessionFor(subject, call) : null
  const payment: Payment = {
    ...subject,
    accountId: call.caller.accountId,
    orderId: call.newId('order'),
    paymentFlowId: flow.id,
    status: session === null ? 'processing' : 'requires_action',
    requireAction: session === null ? 'none' : 'threeds_auth',
    nextAction: null,
    threedsSessionId: session?.id ?? null,
    amount: price.amount,
    currency: body.currency,
    declineCode: null,
    attempts: session === null ? [attempt] : [],
    createdAt: now,
    updatedAt: now,
  }
  const writes = startWrites(payment, { session, price, body }, call)
  return { payment, applied: price.promotions.applied, cardId: instrument.cardId, writes }
}

/**
 * The next attempt of a payment, at a processor of its flow.
 *
 * @throws {ApiError} `no_eligible_processor`.
 */
export async function pickAttempt(flow: PaymentFlow, call: Call): Promise<PaymentAttempt> {
  const id = call.newId('att')
  const live = await liveProcessors(call.caller.accountId, call.parts.db)
  const { processorId, ...decision } = pickProcessor(flow, live, drawOf(id))
  if (processorId === null) {
    throw new ApiError(
      'no_eligible_processor',
      `No processor of the flow '${flow.id}' can take this payment; enable or add one.`,
    )
  }
  const createdAt = new Date(call.nowMs).toISOString()
  return { id, processorId, status: 'processing', declineCode: null, decision, createdAt }
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

type OrderParts = { session: SessionRecord | null; price: OrderPrice; body: NewPayment }

function startWrites(payment: Payment, { session, price, body }: OrderParts, call: Call): Write[] {
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
    insertPayment(payment, session, call),
    ...payment.attempts.map((attempt) => insertAttempt(attempt, payment, call.nowMs)),
    ...emit('s_checkout_started', { ...subject, properties: ordered }, call),
    ...emit('s_order_created', { ...subject, properties: ordered }, call),
    ...emit('s_payment_created', { ...subject, properties: moved }, call),
    ...(session === null ? [] : waitWrites(payment, session, call)),
  ]
}

/** A payment that waits for a session is nobody's work until the session's time is over. */
function insertPayment(payment: Payment, session: SessionRecord | null, { nowMs, idempotencyKey }: Call): Write {
  return {
    sql: `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id, status,
        amount, currency, idempotency_key, lease_until, created_at, updated_at, threeds_session_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      session === null ? nowMs + CLAIM_LEASE_MS : session.expiresAtMs + CONTINUE_WITHIN_MS,
      nowMs,
      nowMs,
      payment.threedsSessionId,
    ],
  }
}

/** The statement that records an attempt before its processor is asked. */
export function insertAttempt(attempt: PaymentAttempt, payment: Payment, nowMs: number): Write {
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
