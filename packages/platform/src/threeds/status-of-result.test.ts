import { expect, test } from 'vitest'
import { statusOfResult } from './results.ts'

test.for([
  ['Y', null, 'successful'],
  ['A', null, 'attempted'],
  ['N', null, 'failed'],
  ['U', null, 'unavailable'],
  ['R', null, 'rejected'],
  ['N', '01', 'cancelled'],
  ['U', '01', 'cancelled'],
  ['N', '03', 'expired'],
  ['U', '04', 'expired'],
  ['N', '05', 'expired'],
  ['U', '08', 'expired'],
  ['N', '06', 'failed'],
  ['U', '07', 'unavailable'],
  ['R', '01', 'rejected'],
  ['Y', '01', 'successful'],
] as const)('a result %s with the cancellation %s is %s', ([transStatus, challengeCancel, status]) => {
  expect(statusOfResult({ transStatus, challengeCancel })).toBe(status)
})
