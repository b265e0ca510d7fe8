import { z } from 'zod'
import { anyTimestamp, timestamp } from '../text.ts'

/** The clock of a local platform, which a developer moves. */
export const testClock = z
  .object({
    now: timestamp.meta({
      description: 'The time on the platform: everything that renews, expires or is retried follows it.',
    }),
    aheadMs: z.int().meta({
      description: 'How far the platform is ahead of the machine that it runs on, in milliseconds.',
      examples: [0],
    }),
  })
  .meta({ id: 'TestClock', description: 'The clock of a local platform.' })

/** The body of `POST /api/accounts/v1/test-clock/advance`. */
export const testClockAdvance = z.strictObject({
  to: anyTimestamp.meta({
    description: 'The time to move the clock to: later than now, and at most ten years. It cannot be set back.',
    examples: ['2026-12-20T10:30:00Z'],
  }),
})
