import { expect, test } from 'vitest'
import { offerOf, type Product } from './offer.ts'

type Variant = Product['variants'][number]
type Price = Variant['prices'][number]

function price(amounts: Record<string, number>, change: Partial<Price> = {}): Price {
  const currencyOptions = Object.fromEntries(
    Object.entries(amounts).map(([currency, amount]) => [currency, { amount, currency }]),
  )
  return {
    id: 'price_1',
    currencyOptions,
    recurring: false,
    billingTiming: 'in_advance',
    interval: null,
    intervalCount: 1,
    trialDays: 0,
    offeredToPages: true,
    default: true,
    archived: false,
    ...change,
  }
}

function variant(id: string, prices: Price[], change: Partial<Variant> = {}): Variant {
  const plain = { name: id, description: '', grams: 0, active: true, default: false, archived: false }
  return { id, prices, ...plain, ...change }
}

function product(...variants: Variant[]): Product {
  const plain = { unitLabel: null, accountingCode: '4400', taxCategory: null, active: true }
  const flags = { isShippable: true, isTaxable: true, autoSync: false }
  const history = {
    archived: false,
    createdAt: '2026-11-20T09:30:00.000Z',
    revision: 1,
    updatedAt: '2026-11-20T09:30:00.000Z',
  }
  return {
    id: 'product_1',
    storeId: 'store_1',
    name: 'Tote',
    description: null,
    variants,
    ...plain,
    ...flags,
    ...history,
  }
}

test('a variant is offered at its default price, in every currency that all variants have', () => {
  const other = price({ USD: 1 }, { default: false })
  const offer = offerOf(
    product(
      variant('small', [other, price({ USD: 1_999, EUR: 1_899, JPY: 2_900 })], { default: true }),
      variant('large', [price({ EUR: 2_499, USD: 2_599 })]),
    ),
  )
  expect(offer).toEqual({
    name: 'Tote',
    description: '',
    currencies: ['USD', 'EUR'],
    variants: [
      { id: 'small', name: 'small', default: true, amounts: { USD: 1_999, EUR: 1_899, JPY: 2_900 } },
      { id: 'large', name: 'large', default: false, amounts: { EUR: 2_499, USD: 2_599 } },
    ],
  })
})

test('variants that are inactive or paid again and again are not offered', () => {
  const offer = offerOf(
    product(
      variant('once', [price({ USD: 100 })]),
      variant('monthly', [price({ USD: 100 }, { recurring: true, interval: 'month' })]),
      variant('gone', [price({ USD: 100 })], { active: false }),
    ),
  )
  expect(offer.variants.map(({ id }) => id)).toEqual(['once'])
})

test('a product of which nothing can be bought once is refused', () => {
  expect(() => offerOf(product(variant('gone', [price({ USD: 100 })], { active: false })))).toThrow('product_1')
})
