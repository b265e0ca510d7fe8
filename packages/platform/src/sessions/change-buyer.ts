import type { BuyerSession, Contract, FunnelSession, OrderBuyer } from '@tillwright/contract'
import type { Call, Handlers, Reply } from '../call.ts'
import { findCustomerId, updateCustomer } from '../customers/customers.ts'
import { readSession, replaceSession, type BuyersSession } from './buyers-session.ts'
import { saidHere } from './brought-along.ts'
import { orderOf } from './open-order.ts'
import type { ViewSession } from './session-view.ts'

/**
 * What a page says of its buyer. Nobody has proven the e-mail address that they type: whoever the shop knows by it is
 * charged and told of as that customer, but the page reads nothing of what was known, and changes none of it.
 */
export function changeBuyer(view: ViewSession): Pick<Handlers<Contract['session']>, 'setContact' | 'setAddress'> {
  return {
    async setContact({ body }, call) {
      const buyers = await readSession(call)
      const { email, firstName, lastName, phone } = body
      const said = { email, firstName: firstName ?? '', lastName: lastName ?? '', phone: phone ?? null }
      const session = await identified(buyers.session, email, call)
      return changed(saidHere('contact', { ...buyers, session }), said, call)
    },

    async setAddress({ body }, call) {
      const buyers = await readSession(call)
      const { billingAddress: billing, shippingAddress: shipping } = buyers.state.buyer
      const { billingAddress = billing, shippingAddress = shipping } = body
      return changed(saidHere('address', buyers), { billingAddress, shippingAddress }, call)
    },
  }

  async function changed(buyers: BuyersSession, said: Partial<OrderBuyer>, call: Call): Promise<Reply<BuyerSession>> {
    const buyer = { ...buyers.state.buyer, ...said }
    const after = { ...buyers, state: { ...buyers.state, buyer } }
    const { customerId, originalCustomerId, metadata } = after.session
    const own = { accountId: metadata.accountId, id: originalCustomerId, isPreview: metadata.isPreview }
    return {
      body: await view(after, await orderOf(after, call), call),
      writes: [
        ...replaceSession(after, call.nowMs),
        ...(customerId === originalCustomerId ? [updateCustomer(own, buyer)] : []),
      ],
    }
  }
}

/**
 * The session with the customer whom the store knows by an e-mail address, else with the one that it has begun with. A
 * preview meets no real customer.
 */
async function identified(session: FunnelSession, email: string, call: Call): Promise<FunnelSession> {
  const { storeId, customerId: fromCustomerId, originalCustomerId, metadata } = session
  const known = metadata.isPreview ? null : await findCustomerId({ email, storeId }, call)
  const toCustomerId = known ?? originalCustomerId
  if (toCustomerId === fromCustomerId) return session
  const entry = { fromCustomerId, toCustomerId, reason: 'identified', timestamp: call.nowMs }
  return {
    ...session,
    customerId: toCustomerId,
    customerHistory: [...session.customerHistory, entry],
    resources: { ...session.resources, customer: { id: toCustomerId } },
  }
}
