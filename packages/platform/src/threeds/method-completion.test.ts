import { expect, test } from 'vitest'
import { methodCompletion } from './session-records.ts'

test.for([
  ['there was none', null, null, 'U'],
  ['nobody has sent the notification', 5, null, 'N'],
  ['the notification came at once', 5, 5, 'Y'],
  ['it came in the last moment', 5, 10_005, 'Y'],
  ['it came too late', 5, 10_006, 'N'],
] as const)('where %s, the method page is %s', ([, methodStartedAtMs, methodNotifiedAtMs, completion]) => {
  expect(methodCompletion({ methodStartedAtMs, methodNotifiedAtMs })).toBe(completion)
})
