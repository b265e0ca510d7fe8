import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import type { Operation } from './operation.ts'
import { eventTypes } from './resources/event-types.ts'

test('event types are named s_, a noun and a verb', () => {
  for (const type of Object.keys(eventTypes)) {
    expect(type).toMatch(
      /^s(_[a-z]+)+_(created|updated|started|viewed|paid|required|succeeded|failed|archived|deployed|activated|applied|authorized|canceled|refunded|captured|pending|paid_late|opened|won|lost|renewed|postponed|past_due|paused|resumed|completed|tracked|removed|deleted|erased|recorded|invited|rolled|revoked|restored|approved|declined|expired|submitted|hidden|shown)$/,
    )
  }
})

/** Events that are triggered by time, or by the platform itself, rather than by a request. */
const ofTime = [
  's_subscription_renewed',
  's_subscription_postponed',
  's_subscription_past_due',
  's_subscription_action_required',
  's_payment_paid_late',
  's_audit_recorded',
  's_customer_erased',
]

test('every other event type is emitted by an operation other than the one that simulates events', () => {
  const { trigger: _, ...eventLog } = contract.eventLog
  const emitted = Object.values({ ...contract, eventLog }).flatMap((group) =>
    Object.values<Operation>(group).flatMap(({ emits = [] }) => emits),
  )
  expect(new Set([...emitted, ...ofTime])).toEqual(new Set(Object.keys(eventTypes)))
})

test('s_order_paid has the four fields of the reference', () => {
  expect(Object.keys(eventTypes.s_order_paid.shape).toSorted()).toEqual(['amount', 'currency', 'orderId', 'paymentId'])
})
