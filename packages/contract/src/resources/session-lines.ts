import { z } from 'zod'
import { exampleId } from '../ids.ts'
import { ORDER_LINES_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { newPayment } from './payments.ts'

const { variantId, priceId, quantity } = newPayment.shape.lines.unwrap().element.shape

/**
 * A line as a page may send it. Unknown fields are refused rather than ignored, so that a page cannot appear to set a
 * price, a discount or a free trial.
 */
const sessionLine = z.strictObject(
  {
    variantId,
    priceId: priceId.unwrap().optional().meta({
      description:
        'A price of the variant with `offeredToPages`; its default if left out. A recurring price starts a subscription.',
    }),
    quantity,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? 'cannot be set by a page: a line has variantId, quantity and priceId. Prices and free trials come from the catalogue and promotions; leave it out'
        : undefined,
  },
)

/** The body of `PUT /api/session/v1/session/order/lines`. */
export const sessionLines = z.object({
  currency: currency.optional().meta({
    description:
      'The currency of the order, as an upper-case ISO 4217 code; unchanged if left out, and initially the store’s.',
    examples: ['USD'],
  }),
  lines: z
    .array(sessionLine)
    .max(ORDER_LINES_MAX)
    .meta({
      description: 'All lines to buy, priced from the catalogue; an empty list empties the order.',
      examples: [[{ variantId: exampleId('variant'), quantity: 2 }]],
    }),
})
