import { z } from 'zod'
import { timestamp } from '../text.ts'
import { orderLine } from './orders.ts'

/** Lines that were in the order before the session was handed over to the page. */
export const broughtAlong = z
  .object({
    lines: z.array(orderLine).meta({ description: 'The lines that came along, as they are priced now.' }),
    confirmation: z.string().meta({
      description: 'Stands for the whole order as it is shown here. Send it once the buyer has seen the lines.',
      examples: ['7Tq2mZcR4vYx0LhN9sKpWb'],
    }),
  })
  .meta({
    id: 'BroughtAlong',
    description: 'Lines that were in the order before the session was handed over to the page.',
  })

/** A code that opens a session once. It is shown this once. */
export const sessionHandOver = z
  .object({
    code: z.string().meta({
      description: 'Goes into the fragment of the next page’s address. One page redeems it, once.',
      examples: ['fscode_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
    expiresAt: timestamp.meta({ description: 'When the code is dead: a minute after it was made.' }),
  })
  .meta({ id: 'SessionHandOver' })

/** The body of `POST /api/session/v1/sessions/redeem`. */
export const sessionRedemption = z.object({
  code: z
    .string()
    .max(100)
    .meta({
      description: 'The code that the page’s address has brought.',
      examples: ['fscode_4kVb0ZpL9sQ1xYt7mWc3RfHnJ8uD2aGe6TiKoXq5BvN'],
    }),
})

/** The body of `POST /api/session/v1/session/order/confirm`. */
export const orderConfirmation = broughtAlong.pick({ confirmation: true })
