import { expect, test } from 'vitest'
import { sessionRecord } from '../../test/threeds/session-record.ts'
import { eciFor, moveSession } from './outcome.ts'

const session = sessionRecord({ status: 'authenticating', leaseUntilMs: 5 })

test('a session moves only from the status and the lease that it was seen with', () => {
  const write = moveSession(session, { to: 'successful', leaseUntilMs: 0 }, 7)
  expect(write.expect).toBe(1)
  expect(write.params).toEqual([0, 7, 7, 'acc_1', 'threeds_1', 'authenticating', 5])
  expect(write.onRefused?.('expectation')).toMatchObject({ code: 'state_conflict' })
})

test('a way that the table of statuses does not have is a bug of the caller', () => {
  const over = sessionRecord({ status: 'failed' })
  expect(() => moveSession(over, { to: 'successful', leaseUntilMs: 0 }, 7)).toThrow(RangeError)
})

test.for([
  ['visa', 'Y', '07', '05'],
  ['mastercard', 'A', null, '01'],
  ['bancontact', 'Y', '05', '05'],
  ['elo', 'A', '06', '06'],
  ['elo', 'C', '06', null],
  ['elo', 'Y', null, null],
] as const)(
  'a card of the brand %s with the outcome %s has, where the directory tells %s, the ECI %s',
  ([brand, transStatus, eci, wanted]) => {
    expect(eciFor({ transStatus, eci }, brand)).toBe(wanted)
  },
)
