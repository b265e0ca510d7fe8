import type { SessionPayment, WantedLine } from '../api.ts'
import type { CardForm, CardOptions, Checkout } from '../checkout.ts'
import type { OrderStore } from '../order.ts'
import type { PageData } from '../page-data.ts'
import type { OpenSession } from '../session/index.ts'
import type { Store } from '../store.ts'
import type { Surroundings } from '../surroundings.ts'
import type { TillwrightError } from '../tillwright-error.ts'

/** The current step of a payment, and the outcome of the last one. */
export interface PayState {
  status: 'idle' | 'paying' | 'authenticating' | 'confirming'
  /** `null` before the first has ended, and while another one is under way. */
  outcome: PayOutcome | null
}

/** A sum that the buyer was shown, in minor units of `currency`. */
export interface ShownSum {
  amount: number
  currency: string
}

/**
 * Payments of the session's order, 3-D Secure included. What pays never rejects, and a call while another is under way
 * gets that one's promise, so that a double click pays once. An order that is paid already answers `paid`.
 */
export interface Pay extends Store<PayState> {
  /**
   * Loads the checkout, and puts a card form into an element.
   *
   * @throws {TillwrightError} `checkout_unavailable`; and the checkout's own error for wrong arguments.
   */
  mount(target: string | Element, options?: CardOptions): Promise<CardForm>
  /** Pays with the card form that was mounted last. */
  withCard(): Promise<PayOutcome>
  /**
   * Pays with a card that was used in this session, of `session.get().view.paymentInstruments`. Its holder agrees to the
   * sum that `order` shows at this moment, unless another one is given; where the order costs something else, it fails.
   */
  withSaved(paymentInstrumentId: string, shown?: ShownSum): Promise<PayOutcome>
  /**
   * Takes an offer: these lines become the next order, which is paid with a card of this session, the last one unless
   * another is named. At each step once: called again when it is paid, it answers `paid`.
   *
   * @param shown The sum that the button names. Where the lines cost something else, it fails and nothing is charged.
   */
  oneClick(lines: readonly WantedLine[], shown: ShownSum, paymentInstrumentId?: string): Promise<PayOutcome>
  /** Goes on with a payment that waits for the bank or its end, as after a reload; `null` when none does. */
  resume(): Promise<PayOutcome | null>
  /** The checkout itself, or to load it before it is needed. */
  checkout(): Promise<Checkout>
}

/** The context of payments. */
export interface PayContext {
  data: Store<PageData>
  session: OpenSession
  order: OrderStore
  locale: Store<string>
  around: Surroundings
  /** The core's, which stays one copy. */
  Failure: typeof TillwrightError
}

/**
 * The outcome of a payment.
 * - `paid`: the order is paid.
 * - `declined`: the bank or the shop's rules declined, and the order is open again. `reason` is the platform's code,
 *   such as `insufficient_funds` or `authentication_required`; `message` is English.
 * - `cancelled`: the buyer left the bank's page. Nothing was charged.
 * - `incomplete`: the card form shows where.
 * - `pending`: not known yet; `resume()` finds out later.
 * - `failed`: no answer, or a conflict such as another price. Trying again is safe: an order is paid once.
 */
export type PayOutcome =
  | { outcome: 'paid'; payment: SessionPayment | null }
  | DeclinedOutcome
  | { outcome: 'cancelled' }
  | { outcome: 'incomplete' }
  | { outcome: 'pending'; payment: SessionPayment }
  | { outcome: 'failed'; error: TillwrightError }

/** The details of a declined payment. */
export interface DeclinedOutcome {
  outcome: 'declined'
  reason: string
  declineCode: string | null
  message: string
  paymentId: string | null
}

/** The outcome of an error during a payment. Errors of the checkout have a code as well. */
export function outcomeOfError(error: unknown, Failure: typeof TillwrightError): PayOutcome {
  if (error instanceof Failure) {
    const { code: reason, declineCode, message, paymentId } = error
    if (error.status !== 402) return { outcome: 'failed', error }
    return { outcome: 'declined', reason, declineCode, message, paymentId }
  }
  const { code = 'checkout_unavailable', message = '' } = error as { code?: string; message?: string }
  if (code.startsWith('card_in')) return { outcome: 'incomplete' } // card_incomplete, card_invalid
  return { outcome: 'failed', error: new Failure(code, message, { cause: error }) }
}

/** The outcome of a payment by its status. */
export function outcomeOfPayment(payment: SessionPayment): PayOutcome {
  switch (payment.status) {
    case 'authorized':
    case 'succeeded':
    case 'partially_refunded':
    case 'refunded':
      return { outcome: 'paid', payment }
    case 'created':
    case 'processing':
    case 'requires_action':
      return { outcome: 'pending', payment }
    case 'declined':
    case 'failed':
    case 'canceled': {
      const { status: message, declineCode, id: paymentId } = payment
      return { outcome: 'declined', reason: 'card_declined', declineCode, message, paymentId }
    }
  }
}
