import { expect, test } from 'vitest'
import { moveSession } from './move-session.ts'
import type { SessionRecord } from './session-record.ts'

const session: SessionRecord = {
  accountId: 'acc_1',
  id: 'threeds_1',
  storeId: 'store_1',
  customerId: 'cus_1',
  paymentInstrumentId: 'pi_1',
  provider: 'vendor_a',
  externalSessionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  status: 'authenticating',
  leaseUntilMs: 5,
  expiresAtMs: 9,
  createdAtMs: 0,
}

test('a session moves only from the status and the lease that it was seen with', () => {
  const write = moveSession(session, { to: 'successful', leaseUntilMs: 0 }, 7)
  expect(write.expect).toBe(1)
  expect(write.params).toEqual([0, 7, 'acc_1', 'threeds_1', 'authenticating', 5])
  expect(write.otherwise?.('expectation')).toMatchObject({ code: 'state_conflict' })
})

test('a way that the table of statuses does not have is a bug of the caller', () => {
  const over: SessionRecord = { ...session, status: 'failed' }
  expect(() => moveSession(over, { to: 'successful', leaseUntilMs: 0 }, 7)).toThrow(RangeError)
})
