import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../call.ts'
import type { Paying } from '../payments/start-payment.ts'
import type { PageUrls } from '../plugins/page-urls.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { beginSession } from './begin-session.ts'
import { confirmOrder } from './brought-along.ts'
import { readSession } from './buyers-session.ts'
import { changeBuyer } from './change-buyer.ts'
import { changeOrder } from './change-order.ts'
import { goOn } from './go-on.ts'
import { goTo } from './go-to.ts'
import { handOver, redeem } from './hand-over.ts'
import { orderOf } from './open-order.ts'
import { payOrder } from './pay-order.ts'
import { sessionView } from './session-view.ts'
import { trackEvent } from './track-event.ts'

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
