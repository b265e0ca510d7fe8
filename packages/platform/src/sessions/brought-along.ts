import { hash } from 'node:crypto'
import type { BuyerSession, Contract, SessionOrder } from '@tillwright/contract'
import { updateCustomer } from '../customers/index.ts'
import type { RequestContext, Handler, Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import {
  type BuyersSession,
  orderStanding,
  readSession,
  replaceSession,
  type SessionState,
  untouched,
} from './buyers-session.ts'
import { openOrder, orderOf } from './open-order.ts'

/**
 * The part of a session that remains when another page takes it over. The code may have been sent by a stranger: as
 * long as nothing is paid, the buyer's details are dropped, and the lines wait for the buyer's confirmation. A session
 * in which something was paid keeps its payer, for the receipt and for charges to that card alone.
 */
export function handedOver(buyers: BuyersSession, nowMs: number): { buyers: BuyersSession; writes: readonly Write[] } {
  const { session, state } = buyers
  const standing = orderStanding(buyers)
  const handOvers = state.handOvers + 1
  const brings = !session.metadata.isPreview && standing !== 'placed'
  const broughtAlong = brings ? [...new Set(state.lines.map(({ variantId }) => variantId))] : []
  if (standing === 'placed' || state.paidWithIds.length > 0) {
    const kept: SessionState = { ...state, handOvers, broughtAlong, saidElsewhere: ['contact', 'address'] }
    return { buyers: { ...buyers, state: kept }, writes: [] }
  }
  const nameless: SessionState = { ...state, handOvers, broughtAlong, buyer: untouched.buyer }
  const { customerId: fromCustomerId, originalCustomerId, metadata } = session
  // The customer of a preview was named by the merchant's server, not by the page before.
  const toCustomerId = metadata.isPreview ? fromCustomerId : originalCustomerId
  const entry = { fromCustomerId, toCustomerId, reason: 'handed_over', timestamp: nowMs }
  return {
    buyers: {
      ...buyers,
      session: {
        ...session,
        customerId: toCustomerId,
        customerHistory:
          fromCustomerId === toCustomerId ? session.customerHistory : [...session.customerHistory, entry],
        resources: { ...session.resources, customer: { id: toCustomerId } },
      },
      // A payment that was declined is the sender's business; one that is under way keeps the buyer it began with.
      state: standing === 'open' ? { ...nameless, paying: null } : nameless,
      payment: standing === 'open' ? null : buyers.payment,
    },
    writes: updateCustomer({ accountId: metadata.accountId, id: originalCustomerId, nowMs }, untouched.buyer),
  }
}

/** The lines a page must have the buyer confirm before anything can be paid; `null` when there are none. */
export function broughtAlongOf(
  { state }: Pick<BuyersSession, 'state'>,
  order: SessionOrder,
): BuyerSession['broughtAlong'] {
  const lines = order.lines.filter(({ variantId }) => state.broughtAlong.includes(variantId))
  if (order.status !== 'open' || lines.length === 0) return null
  return { lines, confirmation: confirmationOf(order) }
}

/** Shows a session to its page. */
type View = (buyers: BuyersSession, order: SessionOrder, context: RequestContext) => Promise<BuyerSession>

/** Confirms what the session has come with, if the order still is what the buyer was shown. */
export function confirmOrder(view: View): Handler<Contract['session']['confirmOrder']> {
  return async ({ body: { confirmation } }, context) => {
    const buyers = await readSession(context)
    if (buyers.state.broughtAlong.length === 0)
      return { body: await view(buyers, await orderOf(buyers, context), context) }
    const order = await openOrder(buyers, context)
    if (confirmation !== confirmationOf(order)) {
      const message = 'The order is not the one that was confirmed; show the buyer the current one.'
      throw new ApiError('state_conflict', message, { param: 'confirmation' })
    }
    const after = { ...buyers, state: { ...buyers.state, broughtAlong: [] } }
    return { body: await view(after, order, context), writes: replaceSession(after, context.nowMs) }
  }
}

/**
 * @param isNewCard Whether the card has just been typed, by a person who need not be the one who gave contact and
 *   addresses.
 * @throws {ApiError} `state_conflict` for an order that its buyer has not claimed.
 */
export function requireConfirmed({ state }: BuyersSession, isNewCard: boolean): void {
  if (state.broughtAlong.length > 0) {
    const message =
      'The order has lines from before the session was handed over; show the buyer broughtAlong, and confirm it before you pay.'
    throw new ApiError('state_conflict', message, { param: 'broughtAlong' })
  }
  if (!isNewCard || state.saidElsewhere.length === 0) return
  const message = `The ${state.saidElsewhere.join(' and the ')} came with the session; ask the buyer for them again before paying with another card.`
  throw new ApiError('state_conflict', message, { param: state.saidElsewhere[0] ?? 'contact' })
}

/** The brought-along variants that are still among the lines. */
export function stillBrought(
  { broughtAlong }: SessionState,
  lines: SessionState['lines'],
): Pick<SessionState, 'broughtAlong'> {
  return { broughtAlong: broughtAlong.filter((id) => lines.some(({ variantId }) => variantId === id)) }
}

/** The session once its page has said something of the buyer. */
export function saidHere(what: SessionState['saidElsewhere'][number], buyers: BuyersSession): BuyersSession {
  const saidElsewhere = buyers.state.saidElsewhere.filter((each) => each !== what)
  return { ...buyers, state: { ...buyers.state, saidElsewhere } }
}

/** Stands for an order to the last line and amount. */
function confirmationOf({ currency, amount, lines, promotionCodes }: SessionOrder): string {
  return hash('sha256', JSON.stringify([currency, amount, lines, promotionCodes]), 'base64url').slice(0, 22)
}
