import type { SessionPayment } from '../api/buyer-session.ts'
import type { WantedLine } from '../api/session-order.ts'
import type { OrderStore } from '../order/open-order.ts'
import type { PageData } from '../page/page-data.ts'
import type { Surroundings } from '../page/surroundings.ts'
import type { OpenSession } from '../session/open-session.ts'
import { createStore, type Store } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { CardForm, CardOptions, CardToken, Checkout, CheckoutCard } from './checkout.ts'
import { outcomeOfError, outcomeOfPayment, type PayOutcome } from './pay-outcome.ts'

/** How often a payment whose end nobody knows yet is looked at, and how long to wait before each time. */
const LOOKS = 5
const LOOK_AFTER_MS = 2_000

/** What a payment is doing, and how the last one ended. */
export interface PayState {
  status: 'idle' | 'paying' | 'authenticating' | 'confirming'
  /** `null` before the first has ended, and while another one is under way. */
  outcome: PayOutcome | null
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
  /** Pays with a card that was used in this session, of `session.get().view.paymentInstruments`. */
  withSaved(paymentInstrumentId: string): Promise<PayOutcome>
  /**
   * Takes an offer: these lines become the next order, which is paid with a card of this session, the last one unless
   * another is named. At each step once: called again when it is paid, it answers `paid`.
   */
  oneClick(lines: readonly WantedLine[], paymentInstrumentId?: string): Promise<PayOutcome>
  /** Goes on with a payment that waits for the bank or its end, as after a reload; `null` when there is none. */
  resume(): Promise<PayOutcome | null>
  /** Loads the checkout before it is needed. */
  checkout(): Promise<Checkout>
}

/** What payments are made with. */
export interface Paying {
  data: Store<PageData>
  session: OpenSession
  order: OrderStore
  locale: Store<string>
  around: Surroundings
}

/** The payments of a session. */
export function openPay({ data, session, order, locale, around }: Paying): Pay {
  const state = createStore<PayState>({ status: 'idle', outcome: null })
  let running: Promise<PayOutcome> | null = null
  let loading: Promise<Checkout> | null = null
  let card: CheckoutCard | null = null

  const pay: Pay = {
    ...state,
    checkout: () => (loading ??= load().catch(loadAgain)),
    async mount(target, options = {}) {
      const made = (await pay.checkout()).card({ locale: locale.get(), ...options })
      made.mount(target)
      card = made
      return formOf(made, options)
    },
    withCard: () => alone(() => settle(() => (card ? card.tokenize() : Promise.reject(noCard())))),
    withSaved: (paymentInstrumentId) => alone(() => settle(async () => ({ paymentInstrumentId }))),
    oneClick: (lines, paymentInstrumentId) =>
      alone(async () => {
        const { step, payment, order: last, paymentInstruments } = await session.refresh()
        const taken = session.kept.get().receipts.find((receipt) => step !== null && receipt.stepId === step.id)
        if (taken) return { outcome: 'paid', payment: last.id === taken.order.id ? payment : null }
        if (last.status !== 'pending') await order.setLines(lines)
        const id = paymentInstrumentId ?? payment?.paymentInstrumentId ?? paymentInstruments.at(-1)?.id
        return settle(async () => ({ paymentInstrumentId: id }))
      }),
    async resume() {
      const view = await session.ready().catch(() => null) // without a session nothing waits
      if (view?.order.status !== 'pending' || !view.payment) return null
      const { payment } = view
      return alone(() => follow(payment))
    },
  }
  return pay

  /** One payment at a time, whose state the page sees. */
  function alone(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    return (running ??= watch(work).finally(() => (running = null)))
  }

  async function watch(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    state.set({ status: 'paying', outcome: null })
    const outcome = await work().catch(outcomeOfError)
    // Whatever it was, the order is another one now; where nobody answers, the outcome says so already.
    if (outcome.outcome !== 'incomplete') await session.refresh().catch(() => {})
    state.set({ status: 'idle', outcome })
    return outcome
  }

  /** Pays what is open; what is paid or under way already is not paid twice. */
  async function settle(choose: () => Promise<CardToken>): Promise<PayOutcome> {
    const { payment, order: shown } = await session.ready()
    if (shown.status !== 'open' && payment) return follow(payment)
    const { serviceToken, paymentInstrumentId, securityCodeToken } = await choose()
    const body = { serviceToken, paymentInstrumentId, securityCodeToken, expectedAmount: shown.amount }
    return follow((await session.ask('pay', () => ({ body }))) as SessionPayment) // as the platform answers it
  }

  /** Follows a payment to its end. */
  async function follow(payment: SessionPayment): Promise<PayOutcome> {
    if (payment.nextAction) return authenticate(payment, payment.nextAction.actionToken)
    const outcome = outcomeOfPayment(payment)
    return outcome?.outcome === 'pending' ? confirm(payment) : (outcome ?? { outcome: 'pending', payment })
  }

  async function authenticate(payment: SessionPayment, actionToken: string): Promise<PayOutcome> {
    state.set({ status: 'authenticating', outcome: null })
    let isCancelled = false
    let problem: unknown
    try {
      const checkout = await pay.checkout()
      const { outcome } = await checkout.authenticate(actionToken, { returnUrl: around.address() })
      isCancelled = outcome === 'cancelled'
    } catch (error) {
      problem = error // the bank may know of a result all the same
    }
    state.set({ status: 'confirming', outcome: null })
    try {
      const params = { paymentId: payment.id }
      const after = await session.ask('continuePayment', () => ({ params }))
      return await follow(after as SessionPayment) // as the platform answers it
    } catch (error) {
      const outcome = outcomeOfError(error)
      if (outcome.outcome === 'declined' && isCancelled) return { outcome: 'cancelled' }
      const isUnasked = error instanceof TillwrightError && error.status === 409
      return isUnasked && problem ? outcomeOfError(problem) : outcome
    }
  }

  async function confirm(payment: SessionPayment): Promise<PayOutcome> {
    state.set({ status: 'confirming', outcome: null })
    for (let looks = 0; looks < LOOKS; looks += 1) {
      await around.sleep(LOOK_AFTER_MS)
      const { payment: latest } = await session.refresh()
      const outcome = latest?.id === payment.id ? outcomeOfPayment(latest) : null
      if (outcome && outcome.outcome !== 'pending') return outcome
    }
    return { outcome: 'pending', payment }
  }

  async function load(): Promise<Checkout> {
    const { publishableKey, vaultUrl } = data.get()
    const script = await around.loadCheckout(vaultUrl)
    return script.init({ publishableKey, vaultUrl, locale: locale.get() })
  }

  function loadAgain(error: unknown): never {
    loading = null
    throw error
  }

  function formOf(made: CheckoutCard, { locale: fixed }: CardOptions): CardForm {
    const end = locale.subscribe(() => {
      if (!fixed) made.update({ locale: locale.get() })
    })
    return {
      on: made.on,
      focus: made.focus,
      clear: made.clear,
      retry: made.retry,
      update: made.update,
      unmount() {
        end()
        made.destroy()
        if (card === made) card = null
      },
    }
  }
}

function noCard(): TillwrightError {
  return new TillwrightError('checkout_unavailable', 'No card form is in the page; mount one before it is to pay.')
}
