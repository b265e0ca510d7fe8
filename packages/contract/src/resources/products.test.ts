import { expect, test } from 'vitest'
import { newProduct } from './products.ts'

const price = { currencyOptions: { USD: { amount: 1_999 } } }
const variant = { name: 'Plain', prices: [price] }
const product = { storeId: 'store_1', name: 'Tote', variants: [variant] }

test('a product needs a name, a store and one variant with one price in one currency; the rest has defaults', () => {
  const plainPrice = {
    ...price,
    recurring: false,
    trialDays: 0,
    offeredToPages: false,
    billingTiming: 'in_advance',
    interval: null,
    intervalCount: 1,
  }
  expect(newProduct.parse(product)).toEqual({
    ...product,
    active: true,
    isShippable: false,
    isTaxable: false,
    autoSync: false,
    variants: [
      { name: 'Plain', description: '', sku: null, grams: 0, active: true, imageUrl: null, prices: [plainPrice] },
    ],
  })
})

test('unknown fields are dropped', () => {
  expect(newProduct.parse({ ...product, colour: 'red' })).not.toHaveProperty('colour')
})

test.for([
  ['no name', { name: undefined }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
  ['no store', { storeId: undefined }, 'storeId'],
  ['no variants', { variants: [] }, 'variants'],
  ['an id with a slash', { id: 'a/b' }, 'id'],
  ['a description of 5,001 characters', { description: 'x'.repeat(5_001) }, 'description'],
  ['variants that are not a list', { variants: {} }, 'variants'],
  ['a variant without a name', { variants: [{ prices: [price] }] }, 'variants.0.name'],
  ['a variant without prices', { variants: [{ name: 'Plain', prices: [] }] }, 'variants.0.prices'],
  [
    'two default variants',
    {
      variants: [
        { ...variant, default: true },
        { ...variant, default: true },
      ],
    },
    'variants.1.default',
  ],
  [
    'a duplicate sku',
    {
      variants: [
        { ...variant, sku: 'A' },
        { ...variant, sku: 'A' },
      ],
    },
    'variants.1.sku',
  ],
  [
    'an image that is not a web address',
    { variants: [{ ...variant, imageUrl: 'javascript:x' }] },
    'variants.0.imageUrl',
  ],
] as const)('a product with %s is refused', ([, change, path]) => {
  const issues = newProduct.safeParse({ ...product, ...change }).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toContain(path)
})

const refusedPrices: readonly [what: string, change: object, path: string][] = [
  ['no currency', { currencyOptions: {} }, 'currencyOptions'],
  ['an unknown currency', { currencyOptions: { ABC: { amount: 1 } } }, 'currencyOptions.ABC'],
  ['half a cent', { currencyOptions: { USD: { amount: 0.5 } } }, 'currencyOptions.USD.amount'],
  ['a negative amount', { currencyOptions: { USD: { amount: -1 } } }, 'currencyOptions.USD.amount'],
  ['an amount over 2^53 - 1', { currencyOptions: { USD: { amount: 2 ** 53 } } }, 'currencyOptions.USD.amount'],
  [
    'a currency other than its key',
    { currencyOptions: { USD: { amount: 1, currency: 'EUR' } } },
    'currencyOptions.USD.currency',
  ],
  ['an interval for a one-time price', { interval: 'month' }, 'interval'],
  ['no interval for a recurring price', { recurring: true }, 'interval'],
  ['a null interval for a recurring price', { recurring: true, interval: null }, 'interval'],
  ['an unknown interval', { recurring: true, interval: 'fortnight' }, 'interval'],
  ['an interval count of zero', { recurring: true, interval: 'day', intervalCount: 0 }, 'intervalCount'],
  ['an unknown billing timing', { billingTiming: 'later' }, 'billingTiming'],
]

test.for(refusedPrices)('a price with %s is refused', ([, change, path]) => {
  const variants = [{ ...variant, prices: [{ ...price, ...change }] }]
  const issues = newProduct.safeParse({ ...product, variants }).error?.issues ?? []
  expect(issues.map((issue) => issue.path.join('.'))).toContain(`variants.0.prices.0.${path}`)
})

test.for(['day', 'week', 'month', 'year'])('a price may recur every %s', (interval) => {
  const variants = [{ ...variant, prices: [{ ...price, recurring: true, interval }] }]
  expect(newProduct.safeParse({ ...product, variants }).success).toBe(true)
})

test('two default prices of one variant are refused, but two variants may have one each', () => {
  const marked = { ...price, default: true }
  const twice = newProduct.safeParse({ ...product, variants: [{ ...variant, prices: [marked, marked] }] })
  expect(twice.error?.issues.map((issue) => issue.path)).toEqual([['variants', 0, 'prices', 1, 'default']])
  const each = { ...variant, prices: [marked] }
  expect(newProduct.safeParse({ ...product, variants: [each, each] }).success).toBe(true)
})

test('variants without a sku are not duplicates', () => {
  expect(newProduct.safeParse({ ...product, variants: [variant, variant] }).success).toBe(true)
})
