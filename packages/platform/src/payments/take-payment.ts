import type { Payment } from '@tillwright/contract'
import type { Call, Reply } from '../call.ts'
import type { CardTries } from '../vault/card-tries.ts'
import { beginPayment } from './begin-payment.ts'
import { chargeAndSettle } from './charge-and-settle.ts'
import { countDecline } from './routing/count-decline.ts'
import { payNothing } from './orders/pay-nothing.ts'
import { withNextAction } from './require-authentication.ts'
import { declineUntried } from './settle-payment.ts'
import type { Paying, PreparedPayment } from './start-payment.ts'

/**
 * Puts a payment on record and charges its card, unless it costs nothing or the buyer has to do something first. The charge happens between
 * units: what is tried is on record before it is tried.
 */
export async function takePayment(
  prepared: PreparedPayment,
  call: Call,
  { cardTries, ...paying }: Paying & { cardTries: CardTries },
): Promise<Reply<Payment>> {
  if (prepared.next === null) return payNothing(prepared, call)
  const begun = await beginPayment(prepared, call)
  if ('blocked' in begun) return begun.blocked
  const { stopped, session: _, ...started } = begun.started
  if (stopped !== null) return declineUntried({ ...started, stopped }, call)
  const { payment, route } = started
  if (payment.status === 'requires_action') {
    paying.cvcs.move(route.card.codeId, payment.id)
    return { body: withNextAction(payment, call.parts), writes: begun.left }
  }
  const { authenticator } = prepared
  const reply = await chargeAndSettle({ ...started, threeds: null, authenticator }, { ...paying, fault: call.fault })
  await countDecline({ cardId: route.card.cardId, reply }, call, cardTries)
  return reply
}
