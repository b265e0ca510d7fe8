import type { SessionPayment } from '../api.ts'
import type { CardForm, CardOptions, CardToken, Checkout, CheckoutCard, CheckoutScript } from '../checkout.ts'
import { createStore } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import {
  deferredOf,
  outcomeOfError,
  outcomeOfPayment,
  type Pay,
  type PayContext,
  type PayOutcome,
  type PayState,
  type ShownSum,
} from './pay.ts'

/** The payments of a page. What few of them need, such as 3-D Secure, is loaded on demand. */
export function openPayments(paying: PayContext): Pay {
  const { session, order } = paying
  const forms = cardForms(paying)
  const state = createStore<PayState>({ status: 'idle', outcome: null })
  let running: Promise<PayOutcome> | null = null

  return {
    ...state,
    mount: forms.mount,
    checkout: forms.checkout,
    methods: async () => (await import('./methods.ts')).findMethods(paying),
    withMethod: (paymentMethod) => alone(() => pay(async () => ({ paymentMethod }))),
    withCard: () => alone(() => pay(forms.tokenize)),
    withSaved: (paymentInstrumentId, sum = order.get() ?? undefined) =>
      alone(() => pay(async () => ({ paymentInstrumentId }), sum)),
    oneClick: (lines, sum, paymentInstrumentId) =>
      alone(async () => {
        const view = await session.refresh()
        const { step, payment } = view
        const taken = session.kept.get().receipts.find(({ stepId }) => step && stepId === step.id)
        if (taken) return { outcome: 'paid', payment: payment?.orderId === taken.order.id ? payment : null }
        const id = paymentInstrumentId ?? payment?.paymentInstrumentId ?? view.paymentInstruments.at(-1)?.id
        if (view.order.status !== 'pending') await order.setLines(lines)
        return pay(async () => ({ paymentInstrumentId: id }), sum)
      }),
    resume: () => resume().catch((error: unknown) => outcomeOfError(error)),
  }

  async function resume(): Promise<PayOutcome | null> {
    const { payment, order: waiting } = await session.ready()
    if (payment && (payment.nextAction?.type === 'redirect' || paying.env.location.href.includes(payment.id))) {
      const { comeBack } = await import('./methods.ts')
      return alone(() => comeBack(payment, { ...paying, follow }))
    }
    return payment && waiting.status === 'pending' ? alone(() => follow(payment)) : null
  }

  /** One payment at a time. */
  function alone(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    return (running ??= watched(work).finally(() => (running = null)))
  }

  async function watched(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    state.set({ status: 'paying', outcome: null })
    const outcome = await work().catch((error: unknown) => outcomeOfError(error))
    // The order has changed, whatever the outcome. If the platform does not answer, the session's state says so.
    if (outcome.outcome !== 'incomplete') await session.refresh().catch(() => {})
    state.set({ status: 'idle', outcome })
    return outcome
  }

  /** Pays an open order; an order that is paid or in progress is not paid twice. */
  async function pay(choose: () => Promise<object>, sum?: ShownSum): Promise<PayOutcome> {
    const { payment, order: shown } = await session.ready()
    if (shown.status !== 'open' && payment) return follow(payment)
    const { amount, currency } = sum ?? shown
    const later = sum ? {} : { expectedDeferredAmount: deferredOf(shown) }
    const body = { ...(await choose()), expectedAmount: amount, ...later, expectedCurrency: currency }
    return follow((await session.ask('POST /session/pay', body)) as SessionPayment) // as returned by the platform
  }

  async function follow(payment: SessionPayment): Promise<PayOutcome> {
    const outcome = outcomeOfPayment(payment)
    if (outcome.outcome !== 'pending') return outcome
    const { followPayment } = await import('./follow-payment.ts') // few banks require it, and few processors keep buyers waiting
    return followPayment(payment, { ...paying, checkout: forms.checkout, state, outcomeOf: outcomeOfPayment })
  }
}

/** The card forms of a page. */
interface CardForms extends Pick<Pay, 'mount' | 'checkout'> {
  /** The tokens of the most recently mounted form. */
  tokenize(): Promise<CardToken>
}

/** Creates card forms with the vault's checkout, in the page's language. */
function cardForms({ data, session, locale, env }: PayContext): CardForms {
  let card: CheckoutCard | null = null

  return { mount, checkout, tokenize }

  async function checkout(): Promise<Checkout> {
    const { publishableKey, vaultUrl } = data.get()
    const script = await (env.loadCheckout?.(vaultUrl) ?? loadCheckout(vaultUrl))
    // In the console's frame the vault has to know the preview. Everywhere else a form waits for no session.
    if (globalThis.parent !== globalThis.self) await session.ready().catch(() => {})
    const { isPreview, sessionId } = session.kept.get()
    return script.init({ publishableKey, vaultUrl, locale: locale.get(), preview: isPreview ? sessionId : '' })
  }

  async function mount(target: string | Element, options: CardOptions = {}): Promise<CardForm> {
    const made = (await checkout()).card({ locale: locale.get(), ...options })
    made.mount(target)
    card = made
    const unfollow = locale.subscribe(() => {
      if (!options.locale) made.update({ locale: locale.get() })
    })
    return { ...made, unmount }

    function unmount(): void {
      unfollow()
      made.destroy()
      if (card === made) card = null
    }
  }

  async function tokenize(): Promise<CardToken> {
    if (card) return card.tokenize()
    throw new TillwrightError('checkout_unavailable', 'No card form is mounted.')
  }
}

let loading: Promise<CheckoutScript> | null = null

/** Loads the checkout from the vault once; after a failure it can be requested again. */
function loadCheckout(vaultUrl: string): Promise<CheckoutScript> {
  return (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.onload = () => resolve((window as { Tillwright?: CheckoutScript }).Tillwright as CheckoutScript) // it sets that
    script.onerror = () => {
      loading = null
      script.remove()
      reject(new TillwrightError('checkout_unavailable', 'The checkout did not load.'))
    }
    script.src = `${vaultUrl}/v1/tillwright.js`
    document.head.append(script)
  }))
}
