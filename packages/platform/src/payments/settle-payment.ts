import type { AppliedPromotion, ErrorCode, Payment } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Reply, Write } from '../call.ts'
import { emit, type Emitter } from '../events/emit.ts'
import { countUses, releaseUses } from '../promotions/promotion-usage.ts'
import { movePayment } from './move-payment.ts'
import { payOrder } from './orders.ts'
import type { DeclineCode } from './processors/decline-codes.ts'
import type { AuthorisationOutcome, Declined } from './processors/driver.ts'

/** A payment under way, and the promotions of its order of which a use each is set aside. */
export interface Unsettled {
  payment: Payment
  applied: readonly AppliedPromotion[]
}

/** Ends a payment by what its processor answered: the writes, and the answer to whoever asked for it. */
export function settlePayment(unsettled: Unsettled, outcome: AuthorisationOutcome, emitter: Emitter): Reply<Payment> {
  switch (outcome.outcome) {
    case 'succeeded':
      return succeeded(unsettled, outcome.reference, emitter)
    case 'declined':
      return declined(unsettled, outcome, emitter)
    case 'threeds_required':
      return declined(unsettled, { ...outcome, declineCode: 'authentication_required' }, emitter)
    case 'refused_before_acceptance':
      return declined(unsettled, { declineCode: 'processing_error', reference: null }, emitter)
    case 'authorized':
      throw new Error(
        `The processor of the payment ${unsettled.payment.id} has not taken the money that it was asked for.`,
      )
  }
}

function succeeded({ payment, applied }: Unsettled, reference: string, emitter: Emitter): Reply<Payment> {
  const settled = moved(payment, { status: 'succeeded', declineCode: null }, emitter)
  const { accountId, orderId, amount, currency, storeId, customerId } = payment
  const paid = { orderId, amount, currency, paymentId: payment.id }
  const subject = { storeId, customerId }
  const details = { ...paid, paymentInstrumentId: payment.paymentInstrumentId, status: settled.status }
  return {
    body: settled,
    writes: [
      ...settlement({ payment, settled, reference }, emitter),
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

type Decline = Pick<Declined, 'declineCode' | 'reference'>

function declined(
  { payment, applied }: Unsettled,
  { declineCode, reference }: Decline,
  emitter: Emitter,
): Reply<Payment> {
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
  const [code, message] = declineErrors[declineCode] ?? anotherCard
  return {
    failure: new ApiError(code, message, { declineCode, paymentId: payment.id }),
    writes: [
      ...settlement({ payment, settled, reference }, emitter),
      ...releaseUses({ accountId: payment.accountId, applied }),
      ...emit('s_payment_failed', { storeId, customerId, properties }, emitter),
    ],
  }
}

const anotherCard = ['card_declined', 'The card was declined; ask the buyer for another card.'] as const

/** What the one who asked is told of a decline; of any other reason that another card is needed, and no more. */
const declineErrors: Partial<Record<DeclineCode, readonly [ErrorCode, string]>> = {
  do_not_honor: ['card_declined', 'The card was declined; ask the buyer for another card, or to call the issuer.'],
  insufficient_funds: ['insufficient_funds', 'The card has insufficient funds; ask the buyer for another card.'],
  expired_card: ['expired_card', 'The card has expired; ask the buyer for another card.'],
  incorrect_cvc: ['incorrect_cvc', "The card's security code is wrong; ask the buyer to enter the card again."],
  processing_error: ['processing_error', 'The processor could not process the card; try again in a moment.'],
  try_again_later: ['processing_error', 'The issuer could not answer for the card; try again in a moment.'],
  authentication_required: [
    'authentication_required',
    'The issuer wants the buyer to authenticate; take the payment with 3-D Secure.',
  ],
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

interface Settlement {
  payment: Payment
  settled: Payment
  /** What the processor calls the attempt. */
  reference: string | null
}

function settlement({ payment, settled, reference }: Settlement, { nowMs }: Emitter): Write[] {
  const { accountId, id: paymentId, declineCode, status: to } = settled
  return [
    movePayment({ accountId, paymentId, from: payment.status, to, nowMs }),
    ...(declineCode === null ? [] : [{ sql: explainDecline, params: [declineCode, accountId, paymentId] }]),
    {
      sql: 'UPDATE payment_attempts SET status = ?, decline_code = ?, reference = ? WHERE account_id = ? AND id = ?',
      params: [to, declineCode, reference, accountId, lastAttempt(settled).id],
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
