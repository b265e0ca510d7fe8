import { contract, type EventType, type ThreedsOutcome, type ThreedsStatus } from '@tillwright/contract'
import { expect } from 'vitest'
import type { BrowserShop, DeliveredEvent } from './browser-shop.ts'
import type { TestPlatform } from './test-platform.ts'
import type { WaitingPayment } from './threeds-payment.ts'

/** How an authentication ended, and whether the bank had asked the buyer before. */
export interface Ending {
  outcome: Exclude<ThreedsOutcome, 'pending'>
  wasChallenged: boolean
}

/** Subjects of the checks after an authentication has ended. */
export interface Ended {
  platform: TestPlatform
  shop: BrowserShop
  waiting: WaitingPayment
}

/** The status of a session by its outcome. */
const statuses: Readonly<Record<Ending['outcome'], ThreedsStatus>> = {
  authenticated: 'successful',
  attempted: 'attempted',
  failed: 'failed',
  rejected: 'rejected',
  cancelled: 'cancelled',
  timed_out: 'expired',
  unavailable: 'unavailable',
  informational: 'informational',
}

/**
 * Continues the payment as the shop's server does, and expects of session, payment and order that they are what the
 * outcome makes of them, and of the account's webhooks that they have told this and nothing else, in this order.
 */
export async function expectStory({ outcome, wasChallenged }: Ending, ended: Ended): Promise<void> {
  const { platform, shop, waiting } = ended
  const { call, clock, request } = platform
  const { id: paymentId, orderId, customerId } = waiting.payment
  const status = statuses[outcome]
  const isPaid = outcome === 'authenticated' || outcome === 'attempted'
  clock.advance(1_000)
  const answer = await request('POST', contract.payments.continue.path.replace('{paymentId}', paymentId))
  expect(answer.status, answer.text).toBe(isPaid ? 200 : 402)
  const session = await call(contract.threeds.get, { params: { sessionId: waiting.sessionId } })
  expect(session).toMatchObject({ outcome, status, paymentId, liabilityShifted: isPaid })
  expect(await call(contract.payments.get, { params: { paymentId } })).toMatchObject(
    isPaid
      ? { status: 'succeeded', declineCode: null }
      : { status: 'declined', declineCode: `authentication_${outcome}` },
  )
  expect(await call(contract.orders.get, { params: { orderId } })).toMatchObject({
    status: isPaid ? 'paid' : 'pending',
  })
  const events = await shop.eventsOf(customerId)
  expect(inTurn(events)).toEqual([
    ...begun,
    ...(wasChallenged ? [['s_threeds_session_challenge_required']] : []),
    ...(isPaid ? paid : unpaid),
  ])
  expect(events.findLast(({ eventType }) => eventType.startsWith('s_threeds'))?.properties).toMatchObject({
    sessionId: waiting.sessionId,
    status,
    transStatus: session.transStatus,
    eci: session.eci,
  })
}

/** Groups events by time, oldest first. Those of one unit have the same time, and are sorted by name. */
function inTurn(events: readonly DeliveredEvent[]): EventType[][] {
  const byTime = Map.groupBy(events, ({ createdAt }) => createdAt)
  return [...byTime.values()].map((together) => together.map(({ eventType }) => eventType).toSorted())
}

const begun: readonly EventType[][] = [
  [
    's_checkout_started',
    's_customer_created',
    's_order_created',
    's_payment_action_required',
    's_payment_created',
    's_payment_instrument_created',
    's_threeds_session_created',
  ],
]
const paid: readonly EventType[][] = [['s_threeds_session_succeeded'], ['s_order_paid', 's_payment_succeeded']]
const unpaid: readonly EventType[][] = [['s_threeds_session_failed'], ['s_payment_failed']]
