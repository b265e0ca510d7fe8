import { contract, type PaymentStatus } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { mayMove, movePayment, requireWay, statusByMoney } from './payment-status.ts'

const statuses: readonly PaymentStatus[] = contract.payments.create.response.shape.status.options

test('a payment never leaves a final status', () => {
  const final = statuses.filter((from) => !statuses.some((to) => mayMove('payment', from, to)))
  expect(final).toEqual(['canceled'])
  for (const from of final)
    for (const to of statuses) expect(mayMove('payment', from, to), `${from} -> ${to}`).toBe(false)
})

test('every status can be reached from the first', () => {
  const reached = new Set<PaymentStatus>(['created'])
  for (const from of reached) for (const to of statuses) if (mayMove('payment', from, to)) reached.add(to)
  expect(reached).toEqual(new Set(statuses))
})

test('nothing leads back to the first', () => {
  for (const from of statuses) expect(mayMove('payment', from, 'created')).toBe(false)
})

test('money that was taken can only be given back, or turn out not to have come', () => {
  const after = ['succeeded', 'failed', 'partially_refunded', 'refunded']
  for (const from of ['succeeded', 'partially_refunded', 'refunded'] as const) {
    expect(statuses.filter((to) => mayMove('payment', from, to))).toEqual(after)
  }
})

test.each([
  [1_000, 0, 'succeeded'],
  [1_000, 999, 'partially_refunded'],
  [1_000, 1_000, 'refunded'],
  [400, 500, 'refunded'],
  [0, 0, 'failed'],
  [0, 500, 'failed'],
] as const)('a payment of which %i are captured and %i refunded is %s', (capturedAmount, refundedAmount, status) => {
  expect(statusByMoney({ capturedAmount, refundedAmount })).toBe(status)
})

test('a payment without an answer is neither captured twice nor forgotten: it succeeds or ends', () => {
  expect(statuses.filter((to) => mayMove('payment', 'processing', to)).toSorted()).toEqual([
    'authorized',
    'declined',
    'failed',
    'requires_action',
    'succeeded',
  ])
})

test('an order that was paid is refunded or canceled, paid again when the refund comes back, and stays canceled', () => {
  const orders = contract.orders.get.response.shape.status.options
  expect(orders.filter((to) => mayMove('order', 'paid', to))).toEqual(['refunded', 'canceled'])
  expect(orders.filter((to) => mayMove('order', 'refunded', to))).toEqual(['paid'])
  expect(orders.filter((from) => !orders.some((to) => mayMove('order', from, to)))).toEqual(['canceled'])
})

test('what a processor was asked for has one outcome, of which it withdraws a capture or a refund at times', () => {
  for (const kind of ['capture', 'refund', 'void'] as const) {
    expect(mayMove(kind, 'pending', 'succeeded') && mayMove(kind, 'pending', 'failed')).toBe(true)
    for (const to of ['pending', 'succeeded', 'failed'] as const) expect(mayMove(kind, 'failed', to)).toBe(false)
    for (const to of ['pending', 'succeeded'] as const) expect(mayMove(kind, 'succeeded', to)).toBe(false)
    expect(mayMove(kind, 'succeeded', 'failed')).toBe(kind !== 'void')
  }
})

test('a dispute is decided, at times anew', () => {
  expect(mayMove('dispute', 'open', 'won') && mayMove('dispute', 'open', 'lost')).toBe(true)
  expect(mayMove('dispute', 'won', 'lost') && mayMove('dispute', 'lost', 'won')).toBe(true)
})

test('a way that there is not is a bug of the caller', () => {
  expect(() => requireWay('dispute', 'won', 'open')).toThrow(RangeError)
})

const move = { accountId: 'acc_1', paymentId: 'pay_1', nowMs: 1 }

test('a payment moves only from the status that it was seen in', () => {
  const write = movePayment({ ...move, from: 'processing', to: 'succeeded' })
  expect(write.expect).toBe(1)
  expect(write.params.slice(-3)).toEqual(['acc_1', 'pay_1', 'processing'])
  expect(write.onRefused?.('expectation')).toMatchObject({ code: 'state_conflict' })
})

test('a payment that ended without money leads nowhere but to money that comes late', () => {
  for (const from of ['declined', 'failed'] as const) {
    expect(statuses.filter((to) => to !== from && mayMove('payment', from, to))).toEqual(['succeeded'])
  }
})

test('a way that the table of statuses does not have is a bug of the caller', () => {
  expect(() => movePayment({ ...move, from: 'canceled', to: 'succeeded' })).toThrow(RangeError)
})
