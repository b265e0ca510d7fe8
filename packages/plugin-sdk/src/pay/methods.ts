import type { PaymentMethodType, SessionPayment } from '../api.ts'
import type { TillwrightError } from '../tillwright-error.ts'
import type { PayContext, PayOutcome } from './pay.ts'

/** How the platform says that the buyer has cancelled on a method's page. */
const CANCELLED = 'buyer_canceled'

/** Requests the methods for the session's order. */
export async function findMethods({ session }: Pick<PayContext, 'session'>): Promise<readonly PaymentMethodType[]> {
  await session.ready()
  const { data } = (await session.ask('GET /session/payment-methods')) as { data: { type: PaymentMethodType }[] }
  return data.map(({ type }) => type)
}

/** The context of `comeBack`, passed in because this module is loaded separately. */
interface ReturnContext extends Pick<PayContext, 'session' | 'env'> {
  follow(payment: SessionPayment): Promise<PayOutcome>
}

/**
 * The outcome for a buyer who is back from a method's page: its processor is asked. A buyer who has not decided there has a
 * payment that is pending, and the page can lead them there again.
 */
export async function comeBack(payment: SessionPayment, { session, env, follow }: ReturnContext): Promise<PayOutcome> {
  const url = new URL(env.location.href)
  url.searchParams.delete('paymentId')
  env.history.replaceState(env.history.state, '', url.href) // a reload comes back from nowhere
  if (payment.declineCode === CANCELLED) return { outcome: 'cancelled' }
  if (payment.nextAction?.type !== 'redirect') return follow(payment)
  try {
    const after = (await session.ask(`POST /session/payments/${payment.id}/continue`)) as SessionPayment
    return after.nextAction === null ? await follow(after) : { outcome: 'pending', payment: after }
  } catch (error) {
    if ((error as Partial<TillwrightError>).declineCode === CANCELLED) return { outcome: 'cancelled' }
    throw error
  }
}
