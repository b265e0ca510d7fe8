import { plans } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { quotaHeaders } from './limits.ts'

test('the headers name the plan, its limit, what is left and when the next token comes', () => {
  const quota = { allowed: true, left: 42, nextTokenS: 1, retryAfterS: 0 }
  expect(quotaHeaders({ policy: 'premium', limit: plans.premium, quota })).toEqual({
    'RateLimit-Policy': '"premium";q=500;w=60',
    RateLimit: '"premium";r=42;t=1',
  })
})
