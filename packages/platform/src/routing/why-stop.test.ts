import { expect, test } from 'vitest'
import { type RetryRules, whyStop } from './next-attempt.ts'

const flow: RetryRules = { strategy: 'cascade', fallbackMode: true, maxFallbackRetries: 2 }

test.for(['soft_decline', 'technical_failure'] as const)(
  'after a %s there are as many retries as allowed',
  (outcome) => {
    expect([1, 2, 3].map((attempts) => whyStop(outcome, attempts, flow))).toEqual([null, null, 'retries_used_up'])
    expect(whyStop(outcome, 1, { ...flow, fallbackMode: false })).toBe('fallback_off')
    expect(whyStop(outcome, 1, { ...flow, strategy: 'simple' })).toBe('single_processor')
  },
)

test.for(['hard_decline', 'authentication_required'] as const)('after a %s there are none', (outcome) => {
  expect(whyStop(outcome, 1, flow)).toBe(outcome)
})
