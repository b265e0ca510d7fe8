import { ApiError } from '../../ambient/api-error.ts'

/** What is true of every payment at any time, by the names that the log calls them. */
const invariants = {
  single_capture: 'a payment is captured once at most',
  capture_within_authorisation: 'what is captured is at most what was authorised',
  refunds_within_capture: 'refunds and disputes together are at most what was captured',
  reservation_kept: 'what is set aside for refunds and disputes covers them',
  single_booking: 'a change is booked once',
  ledger_balanced: 'a ledger sums to zero, and agrees with what was captured and refunded',
} as const

/** The name of an invariant. */
export type MoneyInvariant = keyof typeof invariants

/** A change of a payment was refused because it would have broken an invariant: the platform has a fault. */
export class MoneyInvariantBroken extends Error {
  override readonly name = 'MoneyInvariantBroken'
}

/**
 * What a guarded statement says when it is refused: the caller gets a 500, the log the name of the invariant, and the
 * database stays as it was.
 */
export function holds(invariant: MoneyInvariant, paymentId: string): () => ApiError {
  return () =>
    new ApiError('internal', 'The service has a fault; it is on record under the request id.', {
      cause: new MoneyInvariantBroken(
        `The invariant ${invariant} would be broken (${invariants[invariant]}): the payment ${paymentId} stays as it is.`,
      ),
    })
}
