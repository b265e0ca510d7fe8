import { transStatus } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { methodCompletion, sessionEvent } from './session-records.ts'
import { statusOfOutcome } from './status.ts'

test('a session succeeds with what proves something, and fails with all else that ends it', () => {
  const events = transStatus.options.map((outcome) => [outcome, sessionEvent(statusOfOutcome(outcome))])
  expect(Object.fromEntries(events)).toEqual({
    Y: 's_threeds_session_succeeded',
    A: 's_threeds_session_succeeded',
    N: 's_threeds_session_failed',
    U: 's_threeds_session_failed',
    R: 's_threeds_session_failed',
    I: 's_threeds_session_failed',
    C: 's_threeds_session_challenge_required',
    D: null,
  })
  expect(sessionEvent('expired')).toBe('s_threeds_session_failed')
  expect(sessionEvent('cancelled')).toBe('s_threeds_session_failed')
})

test.for([
  ['there was none', null, null, 'U'],
  ['the notification was not sent', 5, null, 'N'],
  ['the notification came at once', 5, 5, 'Y'],
  ['it came in the last moment', 5, 10_005, 'Y'],
  ['it came too late', 5, 10_006, 'N'],
] as const)('where %s, the method page is %s', ([, methodStartedAtMs, methodNotifiedAtMs, completion]) => {
  expect(methodCompletion({ methodStartedAtMs, methodNotifiedAtMs })).toBe(completion)
})
