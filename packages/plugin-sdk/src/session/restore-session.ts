import type { BuyerSession } from '../api/buyer-session.ts'
import { TillwrightError } from '../tillwright-error.ts'
import type { KeptSession } from './kept-session.ts'
import type { Sent, SessionOperation } from './session-operations.ts'

/** What is left of a session that has expired. */
export type LostSession = Pick<KeptSession, 'lines' | 'currency'> & { view: BuyerSession | null }

/** Says again in a new session what was said in one that has expired: the cart, codes, contact and addresses. */
export async function restoreSession(
  { lines, currency, view }: LostSession,
  send: (operation: SessionOperation, sent: Sent) => Promise<unknown>,
): Promise<void> {
  if (lines.length > 0) await say('setLines', { lines, ...(currency && { currency }) })
  if (view?.order.status === 'open') {
    for (const code of view.order.promotionCodes) await say('addPromotionCode', { code })
  }
  if (view?.customer.email) {
    const { email, firstName, lastName, phone } = view.customer
    await say('setContact', { email, firstName: firstName || null, lastName: lastName || null, phone })
  }
  if (view) {
    const { billingAddress, shippingAddress } = view.customer
    if (billingAddress || shippingAddress) await say('setAddress', { billingAddress, shippingAddress })
  }

  async function say(operation: SessionOperation, body: object): Promise<void> {
    try {
      await send(operation, { body })
    } catch (error) {
      // What is no longer sold, or a code that has ended, is left out: the session shows what is there.
      if (!(error instanceof TillwrightError) || error.status === null || error.status >= 500) throw error
    }
  }
}
