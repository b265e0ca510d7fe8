import type { OtherMethod, PaymentMethodType, SessionOrder, SessionPayment, WantedLine } from '../api.ts'
import type { CardForm, CardOptions, Checkout } from '../checkout.ts'
import type { OrderStore } from '../order.ts'
import type { PageData } from '../page-data.ts'
import type { OpenSession } from '../session/index.ts'
import type { Store } from '../store.ts'
import type { Environment } from '../environment.ts'
import { TillwrightError } from '../tillwright-error.ts'

/** The current step of a payment, and the outcome of the last one. */
export interface PayState {
  status: 'idle' | 'paying' | 'authenticating' | 'confirming'
  /** `null` before the first payment has ended, and while one is in progress. */
  outcome: PayOutcome | null
}

/** A total shown to the buyer, in minor units of `currency`. */
export interface ShownSum {
  amount: number
  currency: string
}

/**
 * Payments of the session's order, including 3-D Secure. These methods never reject. A call while a payment is in
 * progress returns its promise, so that a double click pays once. For an order that is already paid, the outcome is
 * `paid`.
 */
export interface Pay extends Store<PayState> {
  /**
   * Loads the checkout, and mounts a card form in an element.
   *
   * @throws {TillwrightError} `checkout_unavailable`; and the checkout's own error for invalid arguments.
   */
  mount(target: string | Element, options?: CardOptions): Promise<CardForm>
  /**
   * Requests the methods for the session's order, in the order in which to show them. They depend on the lines, the
   * currency and the country of the billing address.
   *
   * @throws {TillwrightError} If the platform does not answer, or the store has no payment flow.
   */
  methods(): Promise<readonly PaymentMethodType[]>
  /**
   * Pays the total in `order` with a method that is no card. One that leads the buyer away leaves the page, with the outcome
   * `pending`: the page that they come back to calls `resume()`. Debits and vouchers are `pending` for minutes or days.
   */
  withMethod(method: OtherMethod): Promise<PayOutcome>
  /** Pays with the most recently mounted card form. */
  withCard(): Promise<PayOutcome>
  /**
   * Pays with a card used in this session, from `session.get().view.paymentInstruments`. The buyer agrees to the total
   * currently in `order`, unless another one is given; if the order costs something else, it fails.
   */
  withSaved(paymentInstrumentId: string, shown?: ShownSum): Promise<PayOutcome>
  /**
   * Takes an offer: these lines become the next order, which is paid with a card of this session, by default the last
   * one. It happens once per step: if already paid, the outcome is `paid`.
   *
   * @param shown The total on the button. If the lines cost something else, it fails and nothing is charged.
   */
  oneClick(lines: readonly WantedLine[], shown: ShownSum, paymentInstrumentId?: string): Promise<PayOutcome>
  /**
   * Continues a payment that waits for the bank or its outcome, for example after a reload, and tells of the one that the
   * buyer comes back from; `null` if there is none.
   */
  resume(): Promise<PayOutcome | null>
  /** Loads the checkout, for example in advance, and returns it. */
  checkout(): Promise<Checkout>
}

/** The context of payments. */
export interface PayContext {
  data: Store<PageData>
  session: OpenSession
  order: OrderStore
  locale: Store<string>
  env: Environment
}

/**
 * The outcome of a payment.
 * - `paid`: the order is paid.
 * - `declined`: the bank or the shop's rules declined, and the order is open again. `reason` is the platform's code,
 *   such as `insufficient_funds` or `authentication_required`; `message` is in English.
 * - `cancelled`: the buyer left the bank's page, or that of the method. Nothing was charged.
 * - `incomplete`: the card form shows what is missing, and has the keyboard there.
 * - `pending`: not known yet; `resume()` finds out later.
 * - `failed`: no response, or a conflict such as another price. Retrying is safe: an order is paid only once.
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

/** The sum that the buyer was shown to be charged later, after a trial or a period. */
export function deferredOf({ lines }: Pick<SessionOrder, 'lines'>): number {
  return lines.reduce((sum, { deferredAmount }) => sum + deferredAmount, 0)
}

/** The outcome of an error during a payment. Errors of the checkout have a code too. */
export function outcomeOfError(error: unknown): PayOutcome {
  if (error instanceof TillwrightError) {
    const { code: reason, declineCode, message, paymentId } = error
    if (error.status !== 402) return { outcome: 'failed', error }
    return { outcome: 'declined', reason, declineCode, message, paymentId }
  }
  const { code = 'checkout_unavailable', message = '' } = error as { code?: string; message?: string }
  if (code.startsWith('card_in')) return { outcome: 'incomplete' } // card_incomplete, card_invalid
  return { outcome: 'failed', error: new TillwrightError(code, message, { cause: error }) }
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
