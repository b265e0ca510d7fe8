import { z } from 'zod'
import { idOf, ownId, referenceTo } from '../ids.ts'
import { SHIPPING_COUNTRIES_MAX, SHIPPING_OPTIONS_MAX } from '../limits.ts'
import { amount, currency } from '../money.ts'
import { country, name, text } from '../text.ts'

/** Descriptions of the fields of a shipping option in requests and responses. */
const meaning = {
  name: { description: 'The name shown to the buyer.', examples: ['Standard'] },
  description: { description: 'Further details for the buyer, such as the delivery time.', examples: ['3 to 5 days'] },
  currencyOptions: {
    description: 'The price in each currency, by ISO 4217 code. Orders in other currencies cannot use this option.',
    examples: [{ USD: { amount: 500, freeFrom: 10_000 } }],
  },
  amount: {
    description: 'The price per order, in minor units of the currency that is its key.',
    examples: [500],
  },
  freeFrom: {
    description:
      'The goods total above which shipping is free: lines paid now, before discounts, in minor units; null for never.',
    examples: [10_000],
  },
  countries: {
    description: 'The countries it ships to, as ISO 3166-1 alpha-2 codes; everywhere if empty.',
    examples: [['IE', 'GB']],
  },
  isFreeForNextOrders: {
    description: 'Whether it is free for further orders of the same session to the same address, such as an upsell.',
    examples: [true],
  },
}

/** A shipping option to create or update. */
export const newShippingOption = z.object({
  id: ownId.optional().meta({
    description: 'Your own id, or that of an existing option; generated if left out.',
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
      'must have at least one currency, such as {"USD":{"amount":500}}',
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
      'All shipping options of the store, in the order in which buyers see them. The first one that fits applies until the buyer chooses another. An empty list removes all options.',
  }),
})
export type NewShippingOptions = z.output<typeof newShippingOptions>
/** Shipping options as callers send them, before defaults are filled in. */
export type NewShippingOptionsInput = z.input<typeof newShippingOptions>

/** A shipping option of a store. */
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
  .meta({ id: 'ShippingOption', description: 'A shipping option with its prices.' })
export type ShippingOption = z.infer<typeof shippingOption>

/** All shipping options of a store. */
export const shippingOptions = z
  .object({
    storeId: idOf('store', 'The store.'),
    shippingOptions: z
      .array(shippingOption)
      .meta({ description: 'All shipping options of the store, in the order in which buyers see them.' }),
  })
  .meta({ id: 'ShippingOptions' })

/** The shipping option that an order was placed with. */
export const chosenShipping = z
  .object({
    id: idOf('shippingOption', 'The shipping option.'),
    name: z.string().meta({ description: 'The name of the option when the order was placed.', examples: ['Standard'] }),
  })
  .meta({ id: 'ChosenShipping' })

/** The shipping of an order in a page. */
export const sessionShipping = z
  .object({
    optionId: idOf(
      'shippingOption',
      'The shipping option used to price the order: the buyer’s choice, otherwise the first one that fits; null if none does.',
    ).nullable(),
    options: z
      .array(
        z.object({
          id: idOf('shippingOption', 'The shipping option.'),
          name: z.string().meta(meaning.name),
          description: z.string().meta(meaning.description),
          amount: amount.meta({
            description: 'The price for this order before promotions, in minor units of its currency.',
            examples: [500],
          }),
        }),
      )
      .meta({
        description:
          'The options that fit the order’s currency and destination; after the order is placed, the chosen one.',
      }),
  })
  .meta({ id: 'SessionShipping', description: 'The shipping of an order.' })
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
