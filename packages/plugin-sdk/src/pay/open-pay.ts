import { createStore } from '../store.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { PayOutcome } from './pay-outcome.ts'
import type { Pay, Paying, PayState } from './pay.ts'
import type { Payments } from './payments.ts'

/** What pays in a page, of which the greater part is loaded when it is wanted. */
export function openPay(parts: Omit<Paying, 'Failure'>): Pay {
  const state = createStore<PayState>({ status: 'idle', outcome: null })
  let loading: Promise<Payments> | null = null
  const load = (): Promise<Payments> =>
    (loading ??= import('./payments.ts').then(({ openPayments }) =>
      openPayments({ ...parts, Failure: TillwrightError }, state),
    ))
  const pay = <Outcome>(work: (payments: Payments) => Promise<Outcome>): Promise<Outcome | PayOutcome> =>
    load().then(work).catch(failed)
  return {
    ...state,
    mount: async (target, options) => (await load()).mount(target, options),
    checkout: async () => (await load()).checkout(),
    withCard: () => pay((payments) => payments.withCard()),
    withSaved: (id, shown = parts.order.get() ?? undefined) => pay((payments) => payments.withSaved(id, shown)),
    oneClick: (...offer) => pay((payments) => payments.oneClick(...offer)),
    resume: () => pay((payments) => payments.resume()),
  }
}

function failed(cause: unknown): PayOutcome {
  const isKnown = cause instanceof TillwrightError
  const error = isKnown ? cause : new TillwrightError('checkout_unavailable', 'Load the page again.', { cause })
  return { outcome: 'failed', error }
}
