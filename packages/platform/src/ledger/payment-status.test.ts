import { contract, type PaymentStatus } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { mayMove, movePayment, requireWay } from './payment-status.ts'

const statuses: readonly PaymentStatus[] = contract.payments.create.response.shape.status.options

test('a payment never leaves a final status', () => {
  const final = statuses.filter((from) => !statuses.some((to) => mayMove('payment', from, to)))
  expect(final.toSorted()).toEqual(['canceled', 'refunded'])
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

test('money that was taken can only be given back', () => {
  expect(statuses.filter((to) => mayMove('payment', 'succeeded', to))).toEqual(['partially_refunded', 'refunded'])
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

test('an order that was paid is never unpaid again, only refunded, and one that was canceled stays so', () => {
  const orders = contract.orders.get.response.shape.status.options
  expect(orders.filter((to) => mayMove('order', 'paid', to))).toEqual(['refunded'])
  expect(orders.filter((from) => !orders.some((to) => mayMove('order', from, to)))).toEqual(['refunded', 'canceled'])
})

test('what a processor was asked for has one outcome, and a dispute is decided, at times anew', () => {
  for (const kind of ['capture', 'refund', 'void'] as const) {
    expect(mayMove(kind, 'pending', 'succeeded') && mayMove(kind, 'pending', 'failed')).toBe(true)
    for (const from of ['succeeded', 'failed'] as const) {
      for (const to of ['pending', 'succeeded', 'failed'] as const) expect(mayMove(kind, from, to)).toBe(false)
    }
  }
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
    expect(statuses.filter((to) => mayMove('payment', from, to))).toEqual(['succeeded'])
  }
})

test('a way that the table of statuses does not have is a bug of the caller', () => {
  expect(() => movePayment({ ...move, from: 'canceled', to: 'succeeded' })).toThrow(RangeError)
})
