import type { Operation } from '../operation.ts'
import { testClock as clock, testClockAdvance } from '../resources/test-clock.ts'

/** Not in the reference: the clock of a local platform. No other platform has these operations. */
export const testClock = {
  get: {
    method: 'GET',
    path: '/api/accounts/v1/test-clock',
    audience: 'admin',
    scope: 'events:read',
    summary: 'Read the test clock (local only)',
    description: 'Returns 404 unless the platform is `local`.',
    status: 200,
    response: clock,
    errors: ['route_not_found'],
  },
  advance: {
    method: 'POST',
    path: '/api/accounts/v1/test-clock/advance',
    audience: 'admin',
    scope: 'events:write',
    summary: 'Advance the test clock (local only)',
    description:
      'Moves the time of a local platform forward. What is due until then happens in the next moments: subscriptions renew, webhooks are retried, tokens expire. The platform stays ahead after a restart. Members stay signed in. Returns 404 unless the platform is `local`.',
    body: testClockAdvance,
    status: 200,
    response: clock,
    errors: ['route_not_found', 'state_conflict'],
  },
} as const satisfies Record<string, Operation>
