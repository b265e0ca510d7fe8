import type { SessionPayment } from './api.ts'
import type { Wallets, WalletsOptions } from './checkout.ts'
import type { Page } from './page.ts'
import { deferredOf, outcomeOfError, outcomeOfPayment, type PayOutcome } from './pay/pay.ts'
import type { OpenSession } from './session/index.ts'

/** Options of `showWallets()`. */
export interface ShowWalletsOptions extends Pick<WalletsOptions, 'country' | 'label' | 'theme' | 'onStart'> {
  /** Called when the buyer has approved, before the payment: says who buys, such as `customer.setContact()`. */
  prepare?: () => Promise<unknown>
  /** Called with the outcome of the payment, and if a wallet made no token. */
  onOutcome: (outcome: PayOutcome) => void
}

/**
 * Puts the buttons of Apple Pay and Google Pay into an element: those that this device and the account have, which may be
 * none. They ask for what the order costs, also when it changes, and pay for it.
 *
 * @throws {TillwrightError} `checkout_unavailable`; and the checkout's own error.
 */
export async function showWallets(
  page: Pick<Page, 'pay' | 'order' | 'session' | 'locale'>,
  target: string | Element,
  { prepare, onOutcome, ...options }: ShowWalletsOptions,
): Promise<Wallets> {
  const { order, locale } = page
  const checkout = await page.pay.checkout()
  const sum = () => ({ amount: order.get()?.amount ?? 0, currency: order.get()?.currency ?? 'USD' })
  const wallets = await checkout.wallets(target, {
    ...sum(),
    locale: locale.get(),
    ...options,
    onPay: async ({ serviceToken }) => {
      await prepare?.()
      const outcome = await payWith(serviceToken, page)
      onOutcome(outcome)
      // The sheet shows that it failed.
      if (outcome.outcome !== 'paid') throw new Error(outcome.outcome)
    },
    onError: (error) => onOutcome(outcomeOfError(error)),
  })
  const unfollow = order.subscribe(() => wallets.update(sum()))
  wallets.update(sum()) // it may have changed while they were loaded
  const remove = (): void => {
    unfollow()
    wallets.remove()
  }
  return { ...wallets, remove }
}

/** Pays the session's order. What only a wallet needs is here, so that pages without wallets load none of it. */
async function payWith(
  serviceToken: string,
  { pay, order, session }: Pick<Page, 'pay' | 'order' | 'session'>,
): Promise<PayOutcome> {
  // The session of a page is what openSession() has made.
  const { ask, refresh } = session as OpenSession
  const { amount, currency, lines = [] } = order.get() ?? {}
  const expectedDeferredAmount = deferredOf({ lines })
  const body = { serviceToken, expectedAmount: amount, expectedDeferredAmount, expectedCurrency: currency }
  try {
    const outcome = outcomeOfPayment((await ask('POST /session/pay', body)) as SessionPayment) // as returned by the platform
    await refresh().catch(() => {})
    return outcome.outcome === 'pending' ? ((await pay.resume()) ?? outcome) : outcome
  } catch (error) {
    await refresh().catch(() => {})
    return outcomeOfError(error)
  }
}
