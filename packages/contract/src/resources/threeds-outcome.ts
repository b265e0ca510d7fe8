import { z } from 'zod'

/**
 * How an authentication ended, in a word: `authenticated` and `attempted` prove something to the acquirer, `pending` has
 * not ended yet.
 */
export const threedsOutcome = z.enum([
  'authenticated',
  'attempted',
  'failed',
  'rejected',
  'cancelled',
  'timed_out',
  'unavailable',
  'informational',
  'pending',
])
export type ThreedsOutcome = z.infer<typeof threedsOutcome>
