import { z } from 'zod'
import { idOf, ownId, referenceTo } from '../ids.ts'
import { SHIPPING_COUNTRIES_MAX, SHIPPING_OPTIONS_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'
import { country, name, text } from '../text.ts'

/** What each field of a shipping option means, whether it is sent or read. */
const meaning = {
  name: { description: 'What the buyer reads.', examples: ['Standard'] },
  description: { description: 'What else the buyer should know, such as when it arrives.', examples: ['3 to 5 days'] },
  currencyOptions: {
    description:
      'What it costs in each currency, by ISO 4217 code; an order in any other currency cannot be shipped this way.',
    examples: [{ USD: { amount: 490, freeFrom: 10_000 } }],
  },
  amount: {
    description: 'What shipping an order costs, in minor units of the currency it stands under.',
    examples: [490],
  },
  freeFrom: {
    description:
      'From which amount of goods on it costs nothing: the lines that are paid now, before discounts, in minor units; null for never.',
    examples: [10_000],
  },
  countries: {
    description: 'The countries that it leads to, as ISO 3166-1 alpha-2 codes; everywhere if empty.',
    examples: [['IE', 'GB']],
  },
  isFreeForNextOrders: {
    description:
      'Whether it costs nothing for further orders of the same session that go to the same address, such as an upsell.',
    examples: [true],
  },
}

/** A way in which a store ships, as it is set. */
export const newShippingOption = z.object({
  id: ownId.optional().meta({
    description: 'An id of your own, or the one it has already; made for you if left out.',
    examples: ['standard'],
  }),
  name: name.meta(meaning.name),
  description: text.default('').meta(meaning.description),
  currencyOptions: z
    .record(
      currency,
      z.object({
        amount: amount.meta(meaning.amount),
        freeFrom: amount.nullable().default(null).meta(meaning.freeFrom),
      }),
    )
    .refine(
      (options) => Object.keys(options).length > 0,
      'must have at least one currency, such as {"USD":{"amount":490}}',
    )
    .meta({ minProperties: 1, ...meaning.currencyOptions }),
  countries: z.array(country).max(SHIPPING_COUNTRIES_MAX).default([]).meta(meaning.countries),
  isFreeForNextOrders: z.boolean().default(false).meta(meaning.isFreeForNextOrders),
})
export type NewShippingOption = z.output<typeof newShippingOption>

/** The body of `POST /api/payments/v1/stores/{storeId}/shipping-options`. */
export const newShippingOptions = z.object({
  shippingOptions: z.array(newShippingOption).max(SHIPPING_OPTIONS_MAX).superRefine(distinctIds).meta({
    description:
      'All shipping options of the store, in the order in which buyers are shown them: the first one that fits is chosen until the buyer chooses another. An empty list takes all away.',
  }),
})
export type NewShippingOptions = z.output<typeof newShippingOptions>
/** The same as a caller may send it, before defaults are filled in. */
export type NewShippingOptionsInput = z.input<typeof newShippingOptions>

/** A way in which a store ships. */
export const shippingOption = z
  .object({
    id: idOf('shippingOption', 'The id of the shipping option.'),
    name: z.string().meta(meaning.name),
    description: z.string().meta(meaning.description),
    currencyOptions: z
      .record(
        z.string(),
        z.object({ amount: amount.meta(meaning.amount), freeFrom: amount.nullable().meta(meaning.freeFrom) }),
      )
      .meta(meaning.currencyOptions),
    countries: z.array(z.string()).meta(meaning.countries),
    isFreeForNextOrders: z.boolean().meta(meaning.isFreeForNextOrders),
  })
  .meta({ id: 'ShippingOption', description: 'A way in which a store ships, and what it costs.' })
export type ShippingOption = z.infer<typeof shippingOption>

/** All shipping options of a store. */
export const shippingOptions = z
  .object({
    storeId: idOf('store', 'The store.'),
    shippingOptions: z
      .array(shippingOption)
      .meta({ description: 'All shipping options of the store, in the order in which buyers are shown them.' }),
  })
  .meta({ id: 'ShippingOptions' })

/** The shipping that an order was placed with. */
export const chosenShipping = z
  .object({
    id: idOf('shippingOption', 'The shipping option.'),
    name: z.string().meta({ description: 'What it was called then.', examples: ['Standard'] }),
  })
  .meta({ id: 'ChosenShipping' })

/** How an order that a page shows is shipped. */
export const sessionShipping = z
  .object({
    optionId: idOf(
      'shippingOption',
      'The shipping option that the order is priced with: the buyer’s choice, else the first one that fits; null where none does.',
    ).nullable(),
    options: z
      .array(
        z.object({
          id: idOf('shippingOption', 'The shipping option.'),
          name: z.string().meta(meaning.name),
          description: z.string().meta(meaning.description),
          amount: amount.meta({
            description: 'What it would cost for this order before promotions, in minor units of its currency.',
            examples: [490],
          }),
        }),
      )
      .meta({
        description: 'The options that fit the order’s currency and destination; the chosen one once it is placed.',
      }),
  })
  .meta({ id: 'SessionShipping', description: 'How the goods of an order get to the buyer.' })
export type SessionShipping = z.infer<typeof sessionShipping>

/** The body of `PUT /api/session/v1/session/order/shipping`. */
export const sessionShippingChoice = z.object({
  shippingOptionId: referenceTo('shippingOption', 'One of `order.shipping.options`.'),
})

function distinctIds(options: readonly { id?: string | undefined }[], context: z.RefinementCtx) {
  const seen = new Set<string>()
  for (const [index, { id }] of options.entries()) {
    if (id === undefined) continue
    if (seen.has(id)) context.addIssue({ code: 'custom', path: [index, 'id'], message: 'must be unique in the store' })
    seen.add(id)
  }
}
