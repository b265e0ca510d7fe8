import type { SessionPayment } from '../api/buyer-session.ts'
import type { Source } from '../store.ts'
import { cardForms, type CardForms } from './card-forms.ts'
import type { CardToken } from './checkout.ts'
import type { Pay, Paying, PayState, ShownSum } from './pay.ts'
import { outcomeOfError, outcomeOfPayment, type PayOutcome } from './pay-outcome.ts'

/** What pays, once it is loaded. */
export interface Payments
  extends Pick<Pay, 'withCard' | 'withSaved' | 'oneClick' | 'resume'>, Pick<CardForms, 'mount' | 'checkout'> {}

/** Makes what pays. */
export function openPayments(paying: Paying, state: Source<PayState>): Payments {
  const { session, order, Failure } = paying
  const forms = cardForms(paying)
  let running: Promise<PayOutcome> | null = null

  return {
    mount: forms.mount,
    checkout: forms.checkout,
    withCard: () => alone(() => pay(forms.tokenize)),
    withSaved: (paymentInstrumentId, sum) => alone(() => pay(async () => ({ paymentInstrumentId }), sum)),
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
    async resume() {
      const { payment, order: waiting } = await session.ready()
      return payment && waiting.status === 'pending' ? alone(() => follow(payment)) : null
    },
  }

  /** One payment at a time. */
  function alone(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    return (running ??= watched(work).finally(() => (running = null)))
  }

  async function watched(work: () => Promise<PayOutcome>): Promise<PayOutcome> {
    state.set({ status: 'paying', outcome: null })
    const outcome = await work().catch((error: unknown) => outcomeOfError(error, Failure))
    // The order is another one now, whatever came of it. Where nobody answers, the session says so.
    if (outcome.outcome !== 'incomplete') await session.refresh().catch(() => {})
    state.set({ status: 'idle', outcome })
    return outcome
  }

  /** Pays what is open; what is paid or under way already is not paid twice. */
  async function pay(choose: () => Promise<CardToken>, sum?: ShownSum): Promise<PayOutcome> {
    const { payment, order: shown } = await session.ready()
    if (shown.status !== 'open' && payment) return follow(payment)
    const { amount, currency } = sum ?? shown
    const body = { ...(await choose()), expectedAmount: amount, expectedCurrency: currency }
    return follow((await session.ask('POST /session/pay', body)) as SessionPayment) // as the platform answers it
  }

  async function follow(payment: SessionPayment): Promise<PayOutcome> {
    const outcome = outcomeOfPayment(payment)
    if (outcome.outcome !== 'pending') return outcome
    const { followPayment } = await import('./follow-payment.ts') // few banks ask, and few processors keep one waiting
    return followPayment(payment, { ...paying, checkout: forms.checkout, state, outcomeOf: outcomeOfPayment })
  }
}
