import type { Contract } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import type { Paying } from '../payments/index.ts'
import type { PageUrls } from '../plugins/index.ts'
import type { Handler, Handlers } from '../request-context.ts'
import type { CardTries } from '../vault/index.ts'
import { beginSession } from './begin.ts'
import { confirmOrder } from './brought-along.ts'
import { changeBuyer } from './buyer.ts'
import { readSession } from './buyers-session.ts'
import { handOver, redeem } from './hand-over.ts'
import { orderOf } from './open-order.ts'
import { changeOrder } from './order.ts'
import { payOrder } from './pay.ts'
import { aboutOf, goOn, goTo } from './steps.ts'
import { sessionView } from './view.ts'

/** What sessions need around them. */
interface SessionParts {
  paying: Paying
  cardTries: CardTries
  urlsOf: PageUrls
}

/** What a buyer's page asks of its session. */
export function sessions({ paying, cardTries, urlsOf }: SessionParts): Handlers<Contract['session']> {
  const view = sessionView(urlsOf)
  return {
    begin: beginSession(view),

    async get(_, call) {
      const buyers = await readSession(call)
      return { body: await view(buyers, await orderOf(buyers, call), call) }
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
const trackEvent: Handler<Contract['session']['track']> = async ({ body }, call) => {
  const { session, funnel } = await readSession(call)
  const { sessionId, funnelId, currentStepId } = session
  const place = funnel === null ? { funnelId: null, stepId: null } : { funnelId, stepId: currentStepId }
  const { name, properties } = body
  const told = { ...aboutOf(session), properties: { sessionId, ...place, name, properties } }
  return { body: { success: true }, writes: emit('s_funnel_session_event_tracked', told, call) }
}
