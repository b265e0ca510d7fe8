import type { DisputeStatus, PostAuthorizationStatus, OrderStatus, Payment, PaymentStatus } from '@tillwright/contract'
import type { Emitter } from '../events/index.ts'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Statement } from '../storage/index.ts'

/** Statuses of everything that tracks money. */
interface Statuses {
  payment: PaymentStatus
  order: OrderStatus
  capture: PostAuthorizationStatus
  refund: PostAuthorizationStatus
  void: PostAuthorizationStatus
  dispute: DisputeStatus
}

type Ways = { [Kind in keyof Statuses]: Record<Statuses[Kind], readonly Statuses[Kind][]> }

/** A request to the processor gets exactly one outcome. */
const postAuthorization: Record<PostAuthorizationStatus, readonly PostAuthorizationStatus[]> = {
  pending: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
}

/** The processor may withdraw a success later; a failure is final. */
const reversible = { ...postAuthorization, succeeded: ['failed'] } as const

/** Where captures, refunds and their reversals may lead. */
const byMoney: readonly PaymentStatus[] = ['succeeded', 'partially_refunded', 'refunded', 'failed']

/** Where each may go from each status. A status without a way on is final. */
const ways: Ways = {
  payment: {
    created: ['requires_action', 'processing', 'canceled', 'failed'],
    requires_action: ['processing', 'succeeded', 'declined', 'canceled', 'failed'],
    processing: ['requires_action', 'authorized', 'succeeded', 'declined', 'failed'],
    // A part of what was captured may be reversed.
    authorized: ['authorized', 'succeeded', 'canceled', 'failed'],
    succeeded: byMoney,
    partially_refunded: byMoney,
    refunded: byMoney,
    // Money that comes after all is booked, and given back.
    declined: ['succeeded'],
    // A refund may be under way when the capture is reversed.
    failed: ['succeeded', 'failed'],
    canceled: [],
  },
  order: { pending: ['paid', 'canceled'], paid: ['refunded', 'canceled'], refunded: ['paid'], canceled: [] },
  capture: reversible,
  refund: reversible,
  void: postAuthorization,
  // A second chargeback takes what was won; an appeal gives back what was lost.
  dispute: { open: ['won', 'lost'], won: ['lost'], lost: ['won'] },
}

/** Whether a thing of the kind may move from one status to the other. */
export function mayMove<Kind extends keyof Statuses>(kind: Kind, from: Statuses[Kind], to: Statuses[Kind]): boolean {
  return ways[kind][from].includes(to)
}

/**
 * The same for a caller that knows the transition is valid.
 *
 * @throws {RangeError} If the table has no such transition: a bug in the caller.
 */
export function requireWay<Kind extends keyof Statuses>(kind: Kind, from: Statuses[Kind], to: Statuses[Kind]): void {
  if (!mayMove(kind, from, to)) throw new RangeError(`A ${kind} cannot go from ${from} to ${to}.`)
}

/** The money of a payment, in minor units of its currency. */
export type PaymentSums = Pick<Payment, 'capturedAmount' | 'refundedAmount'>

/** The status of a payment after its capture, by what is left of that. */
export function statusByMoney({ capturedAmount, refundedAmount }: PaymentSums): PaymentStatus {
  if (capturedAmount === 0) return 'failed'
  if (refundedAmount === 0) return 'succeeded'
  return refundedAmount < capturedAmount ? 'partially_refunded' : 'refunded'
}

/** A payment's change of status. `leaseUntilMs` says until when it is being worked on; at once over unless given. */
export interface PaymentMove {
  accountId: string
  paymentId: string
  from: PaymentStatus
  to: PaymentStatus
  leaseUntilMs?: number
  /** When its processor has to know the outcome, in Unix milliseconds; nothing is awaited unless given. */
  expiresAtMs?: number
  /** Only if this process still holds it: another takes a payment over whose process seems to be gone. */
  heldBy?: string | undefined
  /** Only if these are its sums by now, where the status follows from them; whatever they are unless given. */
  sums?: PaymentSums
  /** Money that is taken with it, on top of what was taken `before`: both in minor units. */
  taken?: { before: number; amount: number }
  nowMs: number
}

/**
 * The only statement that changes a payment's status, and the only one that counts captured money. Guarded by the previous
 * status and sums, so that of two concurrent changes one wins; that no more is taken than was authorized is `requireBalance`'s.
 *
 * @throws {RangeError} If the table of statuses has no such transition: a bug in the caller.
 */
export function movePayment(move: PaymentMove): Write {
  requireWay('payment', move.from, move.to)
  const { heldBy, sums, taken } = move
  return {
    // The status is one of a dozen words of our own; as a parameter it would stand before the account.
    sql: `UPDATE payments SET status = '${move.to}', lease_until = ?, expires_at = ?, updated_at = ?
        ${taken === undefined ? '' : ', captured_amount = captured_amount + ?'}
      WHERE account_id = ? AND id = ? AND status = ?${heldBy === undefined ? '' : ' AND holder = ?'}
        ${sums === undefined ? '' : 'AND captured_amount = ? AND refunded_amount = ?'}
        ${taken === undefined ? '' : 'AND captured_amount = ?'}`,
    params: [
      move.leaseUntilMs ?? 0,
      move.expiresAtMs ?? null,
      move.nowMs,
      ...(taken === undefined ? [] : [taken.amount]),
      move.accountId,
      move.paymentId,
      move.from,
      ...(heldBy === undefined ? [] : [heldBy]),
      ...(sums === undefined ? [] : [sums.capturedAmount, sums.refundedAmount]),
      ...(taken === undefined ? [] : [taken.before]),
    ],
    expect: 1,
    onRefused: () =>
      new ApiError(
        'state_conflict',
        `The payment '${move.paymentId}' is no longer ${move.from}; read it to see where it stands.`,
      ),
  }
}

/** A payment under way in the hands of a process, until its lease ends or recovery takes it. */
export interface Held {
  accountId: string
  id: string
  holder: string
  leaseUntilMs: number
}

/** Frees a payment that its process does not bring to its end (`Write.giveBack`): recovery takes it at once. */
export function freePayment({ accountId, id, holder, leaseUntilMs }: Held): Statement {
  return {
    sql: `UPDATE payments SET lease_until = 1 WHERE account_id = ? AND id = ? AND holder = ?
      AND (status = 'processing' OR (status = 'requires_action' AND lease_until = ?)) RETURNING id`,
    params: [accountId, id, holder, leaseUntilMs],
  }
}

/** The emitter of a payment's events: a preview's events are drafts, regardless of the caller. */
export function emitterOf({ preview }: Pick<Payment, 'preview'>, emitter: Emitter): Emitter {
  return preview === null ? emitter : { ...emitter, caller: { ...emitter.caller, isPreview: true } }
}

/** The same for a request that goes on with a payment. */
export function callOf({ preview }: Pick<Payment, 'preview'>, context: RequestContext): RequestContext {
  return preview === null ? context : { ...context, caller: { ...context.caller, isPreview: true } }
}

/**
 * Builds the properties of a payment's events: its references (`subject`), its order's price (`paid`, and `ordered`
 * without the payment), and its state (`moved`).
 *
 * @param status The status that the event reports, which the payment may not have yet.
 */
export function eventFacts(payment: Payment, status: Payment['status']) {
  const { id: paymentId, orderId, amount, currency, storeId, customerId, paymentInstrumentId } = payment
  const ordered = { orderId, amount, currency }
  const paid = { ...ordered, paymentId }
  return { subject: { storeId, customerId }, ordered, paid, moved: { ...paid, paymentInstrumentId, status } }
}
