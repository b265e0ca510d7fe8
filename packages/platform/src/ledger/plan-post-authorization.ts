import { type NewCapture, type NewRefund, type Payment, REFUNDS_MAX } from '@tillwright/contract'
import { ApiError } from '../runtime/index.ts'
import { type PostAuthorization, underWay } from './captures-and-refunds.ts'

/** An operation that a caller requests on a payment. */
export type WantedPostAuthorization =
  | ({ kind: 'capture' } & NewCapture)
  | ({ kind: 'refund' } & NewRefund)
  | { kind: 'void' }

/** The captured amount that is not refunded, pending refund or disputed, in minor units. */
export function refundableAmount({ capturedAmount, refunds, disputes }: Payment): number {
  const refunded = refunds.filter(({ status }) => status !== 'failed')
  const disputed = disputes.filter(({ status }) => status !== 'won')
  return [...refunded, ...disputed].reduce((left, { amount }) => left - amount, capturedAmount)
}

/**
 * Plans the request to the processor.
 *
 * @throws {ApiError} `state_conflict` if the payment's status does not allow it, `amount_invalid` if the amount is too
 *   large.
 */
export function planPostAuthorization(
  payment: Payment,
  wanted: WantedPostAuthorization,
  newId: (prefix: Prefix) => string,
): PostAuthorization {
  const planned = { id: newId(prefixes[wanted.kind]), paymentId: payment.id, isFinal: true }
  if ([...payment.captures, ...payment.refunds].some(({ status }) => status === 'pending')) throw underWay(payment.id)
  switch (wanted.kind) {
    case 'void':
      requireStatus(payment, ['authorized'], 'only an authorized payment can be voided')
      return { ...planned, kind: 'void', amount: 0, reason: null }
    case 'capture':
      requireStatus(payment, ['authorized'], 'only an authorized payment can be captured')
      return { ...planned, kind: 'capture', ...captureOf(wanted, payment), reason: null }
    case 'refund':
      requireStatus(payment, ['succeeded', 'partially_refunded'], 'only what was captured can be refunded')
      return { ...planned, kind: 'refund', amount: refundOf(wanted, payment), reason: wanted.reason ?? null }
  }
}

const prefixes = { capture: 'cap', refund: 're', void: 'void' } as const

type Prefix = (typeof prefixes)[PostAuthorization['kind']]

function requireStatus({ id, status }: Payment, allowed: readonly Payment['status'][], rule: string): void {
  if (allowed.includes(status)) return
  throw new ApiError('state_conflict', `The payment '${id}' is ${status}, and ${rule}; read it to see where it stands.`)
}

/** One that takes all that is left is the last. */
function captureOf(wanted: NewCapture, payment: Payment): Pick<PostAuthorization, 'amount' | 'isFinal'> {
  const left = payment.amount - payment.capturedAmount
  const amount = amountOf(wanted, left)
  return { amount, isFinal: wanted.finalCapture || amount === left }
}

function refundOf(wanted: NewRefund, payment: Payment): number {
  const left = refundableAmount(payment)
  if (payment.refunds.length >= REFUNDS_MAX) {
    throw new ApiError('state_conflict', `The payment '${payment.id}' has been refunded ${REFUNDS_MAX} times already.`)
  }
  if (left > 0) return amountOf(wanted, left)
  throw new ApiError('state_conflict', `Nothing is left of the payment '${payment.id}' to refund.`)
}

function amountOf({ amount }: { amount?: number | undefined }, left: number): number {
  if (amount === undefined || amount <= left) return amount ?? left
  throw new ApiError(
    'amount_invalid',
    `amount is more than the ${left} minor units that are left; send that or less.`,
    {
      param: 'amount',
    },
  )
}
