import { expect, test } from 'vitest'
import { periodOf } from './recurring.tsx'

const once = { intervalCount: 1, billingTiming: 'in_advance', trialDays: 0 } as const

test.for([
  ['en', '/ month'],
  ['de', '/ Monat'],
  ['es', '/ mes'],
  ['fr', '/ mois'],
  ['ar', '/ شهر'],
] as const)('a price says how often it is paid, in words of the language %s', ([locale, words]) => {
  expect(periodOf({ ...once, interval: 'month' }, locale)).toBe(words)
})

test('a price that is paid each few periods says how many', () => {
  expect(periodOf({ ...once, interval: 'week', intervalCount: 2 }, 'en')).toBe('/ 2 weeks')
})
