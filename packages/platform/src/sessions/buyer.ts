import type { BuyerSession, Contract, OrderBuyer } from '@tillwright/contract'
import { updateCustomer } from '../customers/index.ts'
import type { Call, Handlers, Reply } from '../request-context.ts'
import { saidHere } from './brought-along.ts'
import { type BuyersSession, readSession, replaceSession } from './buyers-session.ts'
import { orderOf } from './open-order.ts'
import type { ViewSession } from './view.ts'

/**
 * What a page says of its buyer. It is kept with the session, its orders and the session's own customer. Anybody can type
 * an e-mail address: it leads to no other customer, whose data, cards and limits are not the page's.
 */
export function changeBuyer(view: ViewSession): Pick<Handlers<Contract['session']>, 'setContact' | 'setAddress'> {
  return {
    async setContact({ body }, call) {
      const { email, firstName, lastName, phone } = body
      const said = { email, firstName: firstName ?? '', lastName: lastName ?? '', phone: phone ?? null }
      return changed(saidHere('contact', await readSession(call)), said, call)
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
    const { originalCustomerId: id, metadata } = after.session
    return {
      body: await view(after, await orderOf(after, call), call),
      writes: [...replaceSession(after, call.nowMs), updateCustomer({ accountId: metadata.accountId, id }, buyer)],
    }
  }
}
