import { z } from 'zod'
import { exampleId } from '../ids.ts'
import { ORDER_LINES_MAX } from '../limits.ts'
import { currency } from '../money.ts'
import { newPayment } from './payments.ts'

const { variantId, priceId, quantity } = newPayment.shape.lines.unwrap().element.shape

/**
 * A line as a page may send it. Anything else in it is refused and not ignored, so that no page believes that it has
 * decided a price, a discount or a free trial.
 */
const sessionLine = z.strictObject(
  {
    variantId,
    priceId: priceId.unwrap().optional().meta({
      description:
        'A price of the variant with `offeredToPages`, if not its default. A recurring one begins a subscription.',
    }),
    quantity,
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? 'is not for a page to decide: a line has variantId, quantity and priceId. Prices and free trials come from the catalogue and promotions; leave it out'
        : undefined,
  },
)

/** The body of `PUT /api/session/v1/session/order/lines`. */
export const sessionLines = z.object({
  currency: currency.optional().meta({
    description: 'The currency of the order, upper-case ISO 4217; as before if left out, at first that of the store.',
    examples: ['USD'],
  }),
  lines: z
    .array(sessionLine)
    .max(ORDER_LINES_MAX)
    .meta({
      description: 'All that is to be bought, priced from the catalogue; an empty list empties the order.',
      examples: [[{ variantId: exampleId('variant'), quantity: 2 }]],
    }),
})
