import { expect, test } from 'vitest'
import { movePayment } from './payment-status.ts'

const move = { accountId: 'acc_1', paymentId: 'pay_1', nowMs: 1 }

test('a payment moves only from the status that it was seen in', () => {
  const write = movePayment({ ...move, from: 'processing', to: 'succeeded' })
  expect(write.expect).toBe(1)
  expect(write.params.slice(-3)).toEqual(['acc_1', 'pay_1', 'processing'])
  expect(write.otherwise?.('expectation')).toMatchObject({ code: 'state_conflict' })
})

test('a way that the table of statuses does not have is a bug of the caller', () => {
  expect(() => movePayment({ ...move, from: 'declined', to: 'succeeded' })).toThrow(RangeError)
})
