import { z } from 'zod'
import { timestamp } from '../text.ts'
import { orderLine } from './orders.ts'

/** Lines that were in the order before the session was handed over to the page. */
export const broughtAlong = z
  .object({
    lines: z.array(orderLine).meta({ description: 'The lines brought along, at current prices.' }),
    confirmation: z.string().meta({
      description: 'Identifies the order exactly as shown here. Send it after the buyer has seen the lines.',
      examples: ['7Tq2mZcR4vYx0LhN9sKpWb'],
    }),
  })
  .meta({
    id: 'BroughtAlong',
    description: 'Lines that were in the order before the session was handed over to the page.',
  })

/** A single-use code that opens a session. It is returned only here. */
export const sessionHandOver = z
  .object({
    code: z.string().meta({
      description: 'Goes into the fragment of the next page’s address. It can be redeemed once.',
      examples: ['fscode_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    expiresAt: timestamp.meta({ description: 'When the code expires, a minute after it was created.' }),
  })
  .meta({ id: 'SessionHandOver' })

/** The body of `POST /api/session/v1/sessions/redeem`. */
export const sessionRedemption = z.object({
  code: z
    .string()
    .max(100)
    .meta({
      description: 'The code from the page’s address.',
      examples: ['fscode_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
})

/** The body of `POST /api/session/v1/session/order/confirm`. */
export const orderConfirmation = broughtAlong.pick({ confirmation: true })
