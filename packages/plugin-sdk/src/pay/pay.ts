import type { WantedLine } from '../api/session-order.ts'
import type { OrderStore } from '../order/open-order.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { OpenSession } from '../session/open-session.ts'
import type { Store } from '../store.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { CardForm, CardOptions, Checkout } from './checkout.ts'
import type { PayOutcome } from './pay-outcome.ts'

/** What a payment is doing, and how the last one ended. */
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

/** What payments are made with. */
export interface Paying {
  data: Store<PageData>
  session: OpenSession
  order: OrderStore
  locale: Store<string>
  around: Surroundings
  /** The core's, which stays one copy. */
  Failure: typeof TillwrightError
}
