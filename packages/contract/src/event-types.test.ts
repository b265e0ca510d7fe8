import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import type { Operation } from './operation.ts'
import { eventTypes } from './resources/event-types.ts'

test('the types of events are named s_, a noun and a verb', () => {
  for (const type of Object.keys(eventTypes)) {
    expect(type).toMatch(
      /^s(_[a-z]+)+_(created|updated|started|viewed|paid|required|succeeded|failed|archived|deployed|activated|applied|authorized|canceled|refunded|opened|won|lost|renewed|past_due|completed|tracked|removed)$/,
    )
  }
})

/** What happens when its time has come, without a request. */
const ofTime = ['s_subscription_renewed', 's_subscription_past_due']

test('every other type of event is emitted by an operation, beside the one that emits any for trying', () => {
  const { trigger: _, ...eventLog } = contract.eventLog
  const emitted = Object.values({ ...contract, eventLog }).flatMap((group) =>
    Object.values<Operation>(group).flatMap(({ emits = [] }) => emits),
  )
  expect(new Set([...emitted, ...ofTime])).toEqual(new Set(Object.keys(eventTypes)))
})

test('an order that was paid says so in the four fields of the reference', () => {
  expect(Object.keys(eventTypes.s_order_paid.shape).toSorted()).toEqual(['amount', 'currency', 'orderId', 'paymentId'])
})
