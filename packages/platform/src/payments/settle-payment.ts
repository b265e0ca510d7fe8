import type { AppliedPromotion, ErrorCode, Payment } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Reply, Write } from '../call.ts'
import { emit, type Emitter } from '../events/emit.ts'
import { countUses, releaseUses } from '../promotions/promotion-usage.ts'
import { movePayment } from './move-payment.ts'
import { payOrder } from './orders.ts'
import type { ChargeOutcome, DeclineCode } from './processors/processor.ts'

/** A payment under way, and the promotions of its order of which a use each is set aside. */
export interface Unsettled {
  payment: Payment
  applied: readonly AppliedPromotion[]
}

/** Ends a payment by what its processor answered: the writes, and the answer to whoever asked for it. */
export function settlePayment(unsettled: Unsettled, outcome: ChargeOutcome, emitter: Emitter): Reply<Payment> {
  switch (outcome.outcome) {
    case 'succeeded':
      return succeeded(unsettled, emitter)
    case 'declined':
      return declined(unsettled, outcome.declineCode, emitter)
  }
}

function succeeded({ payment, applied }: Unsettled, emitter: Emitter): Reply<Payment> {
  const settled = moved(payment, { status: 'succeeded', declineCode: null }, emitter)
  const { accountId, orderId, amount, currency, storeId, customerId } = payment
  const paid = { orderId, amount, currency, paymentId: payment.id }
  const subject = { storeId, customerId }
  const details = { ...paid, paymentInstrumentId: payment.paymentInstrumentId, status: settled.status }
  return {
    body: settled,
    writes: [
      ...settlement(payment, settled, emitter),
      payOrder(orderId, accountId, emitter.nowMs),
      ...countUses({ accountId, applied }),
      ...emit(
        's_payment_succeeded',
        { ...subject, properties: { ...details, processorId: lastAttempt(payment).processorId } },
        emitter,
      ),
      ...emit('s_order_paid', { ...subject, properties: paid }, emitter),
      ...applied.flatMap(({ promotionId, saving }) =>
        emit(
          's_promotion_applied',
          { ...subject, properties: { promotionId, orderId, amount: saving, currency } },
          emitter,
        ),
      ),
    ],
  }
}

function declined({ payment, applied }: Unsettled, declineCode: DeclineCode, emitter: Emitter): Reply<Payment> {
  const settled = moved(payment, { status: 'declined', declineCode }, emitter)
  const { orderId, amount, currency, storeId, customerId, paymentInstrumentId } = payment
  const properties = {
    orderId,
    amount,
    currency,
    paymentId: payment.id,
    paymentInstrumentId,
    status: settled.status,
    declineCode,
  }
  const [code, message] = declineErrors[declineCode]
  return {
    failure: new ApiError(code, message, { declineCode, paymentId: payment.id }),
    writes: [
      ...settlement(payment, settled, emitter),
      ...releaseUses({ accountId: payment.accountId, applied }),
      ...emit('s_payment_failed', { storeId, customerId, properties }, emitter),
    ],
  }
}

const declineErrors: Record<DeclineCode, readonly [ErrorCode, string]> = {
  generic_decline: ['card_declined', 'The card was declined; ask the buyer for another card.'],
  do_not_honor: ['card_declined', 'The card was declined; ask the buyer for another card, or to call the issuer.'],
  lost_card: ['card_declined', 'The card was declined; ask the buyer for another card.'],
  stolen_card: ['card_declined', 'The card was declined; ask the buyer for another card.'],
  insufficient_funds: ['insufficient_funds', 'The card has insufficient funds; ask the buyer for another card.'],
  expired_card: ['expired_card', 'The card has expired; ask the buyer for another card.'],
  incorrect_cvc: ['incorrect_cvc', "The card's security code is wrong; ask the buyer to enter the card again."],
  processing_error: ['processing_error', 'The processor could not process the card; try again in a moment.'],
}

type End = { status: 'succeeded'; declineCode: null } | { status: 'declined'; declineCode: DeclineCode }

function moved(payment: Payment, { status, declineCode }: End, emitter: Emitter): Payment {
  const last = lastAttempt(payment)
  return {
    ...payment,
    status,
    declineCode,
    attempts: [...payment.attempts.slice(0, -1), { ...last, status, declineCode }],
    updatedAt: new Date(emitter.nowMs).toISOString(),
  }
}

function settlement(payment: Payment, settled: Payment, { nowMs }: Emitter): Write[] {
  const { accountId, id: paymentId, declineCode, status: to } = settled
  return [
    movePayment({ accountId, paymentId, from: payment.status, to, nowMs }),
    ...(declineCode === null ? [] : [{ sql: explainDecline, params: [declineCode, accountId, paymentId] }]),
    {
      sql: 'UPDATE payment_attempts SET status = ?, decline_code = ? WHERE account_id = ? AND id = ?',
      params: [to, declineCode, accountId, lastAttempt(settled).id],
      expect: 1,
    },
  ]
}

/** Behind the move, whose first text is the account, as the order of locks wants. */
const explainDecline = 'UPDATE payments SET decline_code = ? WHERE account_id = ? AND id = ?'

/** A payment that has come as far as a processor has at least one attempt. */
export function lastAttempt(payment: Payment): Payment['attempts'][number] {
  const last = payment.attempts.at(-1)
  if (last === undefined) throw new Error(`The payment ${payment.id} has no attempt.`)
  return last
}
