import type { Contract } from '@tillwright/contract'
import type { Handlers } from '../call.ts'
import type { Paying } from '../payments/start-payment.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { beginSession } from './begin-session.ts'
import { readSession } from './buyers-session.ts'
import { changeBuyer } from './change-buyer.ts'
import { changeOrder } from './change-order.ts'
import { goOn } from './go-on.ts'
import { goTo } from './go-to.ts'
import { orderOf } from './open-order.ts'
import { payOrder } from './pay-order.ts'
import { sessionView } from './session-view.ts'
import { trackEvent } from './track-event.ts'

/** What a buyer's page asks of its session. */
export function sessions(paying: Paying, cardTries: CardTries): Handlers<Contract['session']> {
  return {
    begin: beginSession,

    async get(_, call) {
      const buyers = await readSession(call)
      return { body: await sessionView(buyers, await orderOf(buyers, call), call) }
    },

    ...changeOrder,
    ...changeBuyer,
    ...payOrder(paying, cardTries),
    next: goOn,
    goTo,
    track: trackEvent,
  }
}
