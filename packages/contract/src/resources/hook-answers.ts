import { z } from 'zod'
import { ORDER_LINES_MAX, SHIPPING_OPTIONS_MAX } from '../limits.ts'
import { amount } from '../money.ts'
import { label, name, text, timestamp } from '../text.ts'
import { environment } from './accounts.ts'
import { address } from './customers.ts'

/** The questions that a store may have answered by the merchant's own server. */
export const hookKind = z.enum(['tax', 'shipping_rates', 'stock', 'risk'])
export type HookKind = z.infer<typeof hookKind>

/** A line as a hook is asked about it. Amounts are in the minor unit of the question's currency. */
const hookLine = z.object({
  productId: z.string(),
  variantId: z.string(),
  priceId: z.string(),
  sku: z.string().nullable(),
  name: z.string(),
  quantity: z.int(),
  unitAmount: z.int(),
  discountAmount: z.int(),
  /** Paid now, after discounts. */
  amount: z.int(),
  isTaxable: z.boolean(),
  taxCategory: z.string().nullable(),
  isShippable: z.boolean(),
  /** Of one unit. */
  grams: z.number().nullable(),
})
export type HookLine = z.infer<typeof hookLine>

/**
 * Body of the signed request to a hook. `id` is the same whenever the same question is asked. It never has a card's
 * number; `card`, `buyerIp` and `email` are there for `risk` alone.
 */
export const hookQuestion = z.object({
  id: z.string(),
  kind: hookKind,
  timestamp,
  environment,
  accountId: z.string(),
  storeId: z.string(),
  /** Whether the order belongs to a preview, which sells nothing. */
  isPreview: z.boolean(),
  sessionId: z.string().nullable(),
  /** For `stock` and `risk`: the ids that order and payment get if the payment begins. */
  orderId: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** For the renewal of a subscription. */
  subscriptionId: z.string().nullable(),
  customerId: z.string().nullable(),
  currency: z.string(),
  /** For `stock` and `risk` the total with tax; before that, the total without it. */
  amount: z.int(),
  /** After discounts. */
  shippingAmount: z.int(),
  lines: z.array(hookLine),
  destination: address.nullable(),
  email: z.string().nullable(),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  buyerIp: z.string().nullable(),
})
export type HookQuestion = z.infer<typeof hookQuestion>

const lineIndex = z
  .int()
  .min(0)
  .max(ORDER_LINES_MAX * 2)
  .meta({ description: 'The index of the line in `lines`.', examples: [0] })

/** An answer to `tax`. */
export const taxAnswer = z
  .object({
    taxes: z
      .array(
        z.object({
          line: lineIndex.nullable().meta({
            description: 'The index of the taxed line in `lines`; null for the tax on the shipping.',
            examples: [0],
          }),
          name: name.meta({ description: 'The name of the tax.', examples: ['VAT'] }),
          rate: label.optional().meta({ description: 'The rate, for people.', examples: ['8 %'] }),
          amount: amount.meta({ description: 'The tax, in minor units of the order’s currency.', examples: [320] }),
        }),
      )
      .max(ORDER_LINES_MAX * 5)
      .meta({ description: 'The taxes; empty for none.' }),
    included: z
      .boolean()
      .default(false)
      .meta({
        description: 'Whether the prices contain the taxes, so that nothing is added to them.',
        examples: [false],
      }),
  })
  .meta({ id: 'TaxAnswer', description: 'The taxes on an order.' })
export type TaxAnswer = z.output<typeof taxAnswer>

/** An answer to `shipping_rates`. */
export const shippingRatesAnswer = z
  .object({
    rates: z
      .array(
        z.object({
          id: z
            .string()
            .regex(/^[A-Za-z0-9_-]{1,64}$/)
            .meta({ description: 'Your id of the rate.', examples: ['express'] }),
          name: name.meta({ description: 'The name shown to the buyer.', examples: ['Express'] }),
          description: text.default('').meta({ description: 'Further details for the buyer.', examples: ['Tomorrow'] }),
          amount: amount.meta({
            description: 'The price before promotions, in minor units of the order’s currency.',
            examples: [1_200],
          }),
        }),
      )
      .max(SHIPPING_OPTIONS_MAX)
      .refine((rates) => new Set(rates.map(({ id }) => id)).size === rates.length, 'must have each id once')
      .meta({
        description: 'The rates, the first of which applies until the buyer chooses; empty if you do not ship there.',
      }),
  })
  .meta({ id: 'ShippingRatesAnswer', description: 'The shipping rates of an order.' })

/** An answer to `stock`. */
export const stockAnswer = z
  .object({
    lines: z
      .array(
        z.object({
          line: lineIndex,
          available: z
            .boolean()
            .meta({ description: 'Whether the whole quantity of the line can be sold.', examples: [true] }),
          quantity: z
            .int()
            .min(0)
            .optional()
            .meta({ description: 'How many can be sold.', examples: [3] }),
        }),
      )
      .max(ORDER_LINES_MAX * 2)
      .meta({ description: 'One entry for each line.' }),
  })
  .meta({ id: 'StockAnswer', description: 'Whether the lines of an order can be sold.' })
export type StockAnswer = z.output<typeof stockAnswer>

/** An answer to `risk`. */
export const riskAnswer = z
  .object({
    decision: z.enum(['allow', 'review', 'refuse', 'challenge']).meta({
      description:
        '`allow` and `review` let the payment begin, `refuse` does not, and `challenge` has the buyer of a card authenticated with 3-D Secure first, and refuses a SEPA debit.',
      examples: ['allow'],
    }),
    reason: label.optional().meta({ description: 'Why, for your own people.', examples: ['velocity'] }),
  })
  .meta({ id: 'RiskAnswer', description: 'The risk of a payment.' })

/** The schema of each kind's answer. */
export const hookAnswers = {
  tax: taxAnswer,
  shipping_rates: shippingRatesAnswer,
  stock: stockAnswer,
  risk: riskAnswer,
} as const
export type HookAnswerOf<Kind extends HookKind> = z.output<(typeof hookAnswers)[Kind]>

/** Errors of whatever is priced, and of payments, where a store has hooks. */
export const pricingHookErrors = ['tax_unanswered', 'shipping_rates_unanswered'] as const
export const hookErrors = [
  ...pricingHookErrors,
  'stock_unanswered',
  'out_of_stock',
  'risk_unanswered',
  'risk_refused',
] as const
