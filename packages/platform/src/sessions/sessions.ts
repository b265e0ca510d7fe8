import type { BuyerSession, Contract, OrderBuyer } from '@tillwright/contract'
import { updateCustomer } from '../customers/index.ts'
import { emit } from '../events/index.ts'
import type { Paying } from '../payments/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { RequestContext, Handler, Handlers, Reply } from '../request-context.ts'
import type { CardTries } from '../vault/index.ts'
import { beginSession } from './begin.ts'
import { confirmOrder, saidHere } from './brought-along.ts'
import { type BuyersSession, readSession, replaceSession } from './buyers-session.ts'
import { handOver, redeem } from './hand-over.ts'
import { orderOf } from './open-order.ts'
import { changeOrder } from './order.ts'
import { payOrder } from './pay.ts'
import { aboutOf, goOn, goTo } from './steps.ts'
import { sessionView, type ViewSession } from './view.ts'

/** Dependencies of the session handlers. */
interface SessionParts {
  paying: Paying
  cardTries: CardTries
  urlsOf: PageUrls
}

/** Handlers for the requests of a buyer's page about its session. */
export function sessions({ paying, cardTries, urlsOf }: SessionParts): Handlers<Contract['session']> {
  const view = sessionView(urlsOf)
  return {
    begin: beginSession(view),

    async get(_, context) {
      const buyers = await readSession(context)
      return { body: await view(buyers, await orderOf(buyers, context), context) }
    },

    handOver,
    redeem: redeem(view),
    confirmOrder: confirmOrder(view),
    ...changeOrder(view),
    ...changeBuyer(view),
    ...payOrder(paying, cardTries),
    next: goOn(view),
    goTo: goTo(view),
    track: trackEvent,
  }
}

/** Puts on record what a page tells of itself. It changes nothing of the session. */
const trackEvent: Handler<Contract['session']['track']> = async ({ body }, context) => {
  const { session, funnel } = await readSession(context)
  const { sessionId, funnelId, currentStepId } = session
  const place = funnel === null ? { funnelId: null, stepId: null } : { funnelId, stepId: currentStepId }
  const { name, properties } = body
  const told = { ...aboutOf(session), properties: { sessionId, ...place, name, properties } }
  return { body: { success: true }, writes: emit('s_funnel_session_event_tracked', told, context) }
}

/**
 * The details that a page gives of its buyer. They are kept with the session, its orders and the session's own
 * customer. Anybody can type an e-mail address: it leads to no other customer, whose data, cards and limits are not the
 * page's.
 */
function changeBuyer(view: ViewSession): Pick<Handlers<Contract['session']>, 'setContact' | 'setAddress'> {
  return {
    async setContact({ body }, context) {
      const { email, firstName, lastName, phone } = body
      const said = { email, firstName: firstName ?? '', lastName: lastName ?? '', phone: phone ?? null }
      return changed(saidHere('contact', await readSession(context)), said, context)
    },

    async setAddress({ body }, context) {
      const buyers = await readSession(context)
      const { billingAddress: billing, shippingAddress: shipping } = buyers.state.buyer
      const { billingAddress = billing, shippingAddress = shipping } = body
      return changed(saidHere('address', buyers), { billingAddress, shippingAddress }, context)
    },
  }

  async function changed(
    buyers: BuyersSession,
    said: Partial<OrderBuyer>,
    context: RequestContext,
  ): Promise<Reply<BuyerSession>> {
    const buyer = { ...buyers.state.buyer, ...said }
    const after = { ...buyers, state: { ...buyers.state, buyer } }
    const { originalCustomerId: id, metadata } = after.session
    return {
      body: await view(after, await orderOf(after, context), context),
      writes: [
        ...replaceSession(after, context.nowMs),
        ...updateCustomer({ accountId: metadata.accountId, id, nowMs: context.nowMs }, buyer),
      ],
    }
  }
}
