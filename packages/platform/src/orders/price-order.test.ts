import type { Price, Product, Variant } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SoldVariant } from '../catalog/product-records.ts'
import { ApiError } from '../runtime/errors.ts'
import { priceLines } from './price-order.ts'

function price(id: string, change: Partial<Price> = {}): Price {
  const currencyOptions = { USD: { amount: 1_000, currency: 'USD' }, EUR: { amount: 900, currency: 'EUR' } }
  return {
    id,
    currencyOptions,
    recurring: false,
    billingTiming: 'in_advance',
    interval: null,
    intervalCount: 1,
    trialDays: 0,
    offeredToPages: false,
    default: false,
    archived: false,
    ...change,
  }
}

function sold(variantChange: Partial<Variant> = {}, productChange: Partial<Product> = {}): SoldVariant {
  const variant: Variant = {
    id: 'v1',
    name: 'Blue',
    description: '',
    grams: 0,
    active: true,
    default: true,
    archived: false,
    prices: [
      price('dear', { currencyOptions: { USD: { amount: 5_000, currency: 'USD' } } }),
      price('usual', { default: true }),
    ],
    ...variantChange,
  }
  const product: Product = {
    id: 'p1',
    storeId: 's1',
    name: 'Tote',
    description: null,
    unitLabel: null,
    accountingCode: null,
    taxCategory: null,
    active: true,
    isShippable: true,
    isTaxable: true,
    autoSync: false,
    variants: [variant],
    archived: false,
    createdAt: '2026-11-20T09:30:00.000Z',
    revision: 1,
    updatedAt: '2026-11-20T09:30:00.000Z',
    ...productChange,
  }
  return { product, variant }
}

const price1 = (
  found: SoldVariant,
  line: { priceId?: string; quantity?: number; trialDays?: number } = {},
  currency = 'USD',
) => priceLines([{ variantId: 'v1', quantity: 1, ...line }], new Map([['v1', found]]), { currency, prices: 'server' })

/** The same for a buyer's page. */
const priceForPage = (found: SoldVariant, line: { priceId?: string; trialDays?: number }) =>
  priceLines([{ variantId: 'v1', quantity: 1, ...line }], new Map([['v1', found]]), { currency: 'USD', prices: 'page' })

test('a line costs the default price of its variant in the currency of the order, times its quantity', () => {
  expect(price1(sold(), { quantity: 3 }, 'EUR')).toEqual({
    amount: 2_700,
    lines: [
      {
        productId: 'p1',
        variantId: 'v1',
        priceId: 'usual',
        name: 'Tote',
        quantity: 3,
        unitAmount: 900,
        discountAmount: 0,
        amount: 2_700,
        deferredAmount: 0,
        recurring: null,
        promotionId: null,
      },
    ],
  })
})

test('a line may name another price', () => {
  expect(price1(sold(), { priceId: 'dear' }).amount).toBe(5_000)
})

test('a line of a recurring price says how often it is paid', () => {
  const monthly = sold({ prices: [price('monthly', { default: true, recurring: true, interval: 'month' })] })
  const recurring = { interval: 'month', intervalCount: 1, billingTiming: 'in_advance', trialDays: 14 }
  expect(price1(monthly, { trialDays: 14 }).lines[0]).toMatchObject({ amount: 1_000, recurring })
})

test('a line names the variant where the product has several', () => {
  const { variant } = sold()
  expect(price1(sold({}, { variants: [variant, variant] })).lines[0]?.name).toBe('Tote, Blue')
})

const refusals: readonly [
  what: string,
  found: SoldVariant,
  line: object,
  currency: string,
  code: string,
  param: string,
][] = [
  ['an unknown price', sold(), { priceId: 'none' }, 'USD', 'resource_missing', 'lines[0].priceId'],
  ['a variant that is not on sale', sold({ active: false }), {}, 'USD', 'parameter_invalid', 'lines[0].variantId'],
  ['a product that is not on sale', sold({}, { active: false }), {}, 'USD', 'parameter_invalid', 'lines[0].variantId'],
  ['a trial of what is bought once', sold(), { trialDays: 7 }, 'USD', 'parameter_invalid', 'lines[0].trialDays'],
  ['a currency without an amount', sold(), {}, 'JPY', 'currency_unsupported', 'currency'],
  [
    'a quantity of what is paid by usage',
    sold({ prices: [price('used', { default: true, recurring: true, interval: 'month', billingTiming: 'usage' })] }),
    { quantity: 2 },
    'USD',
    'parameter_invalid',
    'lines[0].quantity',
  ],
  [
    'more than a number can say',
    sold({
      prices: [price('dear', { default: true, currencyOptions: { USD: { amount: 2 ** 53 - 1, currency: 'USD' } } })],
    }),
    { quantity: 2 },
    'USD',
    'amount_invalid',
    'lines',
  ],
]

test.for(refusals)('%s is refused', ([, found, line, currency, code, param]) => {
  expect(refusal(() => price1(found, line, currency))).toMatchObject({ code, details: { param } })
})

test('a page has the default price and those that are offered to pages, a server any', () => {
  const offered = price('monthly', { recurring: true, interval: 'month', trialDays: 7, offeredToPages: true })
  const found = sold({ prices: [price('usual', { default: true }), price('wholesale'), offered] })
  expect(priceForPage(found, { priceId: 'usual' }).lines[0]).toMatchObject({ priceId: 'usual' })
  expect(priceForPage(found, { priceId: 'monthly' }).lines[0]).toMatchObject({ priceId: 'monthly' })
  expect(price1(found, { priceId: 'wholesale' }).lines[0]).toMatchObject({ priceId: 'wholesale' })
  expect(refusal(() => priceForPage(found, { priceId: 'wholesale' }))).toMatchObject({
    code: 'parameter_invalid',
    details: { param: 'lines[0].priceId' },
  })
})

test('a free trial is the price’s own, unless a server says another length', () => {
  const found = sold({
    prices: [
      price('monthly', { recurring: true, interval: 'month', trialDays: 7, default: true, offeredToPages: true }),
    ],
  })
  const trialOf = (trialDays: number | undefined, reckon: typeof priceForPage) =>
    reckon(found, trialDays === undefined ? {} : { trialDays }).lines[0]?.recurring?.trialDays
  expect([trialOf(undefined, price1), trialOf(0, price1), trialOf(30, price1)]).toEqual([7, 0, 30])
  expect([trialOf(undefined, priceForPage), trialOf(0, priceForPage), trialOf(730, priceForPage)]).toEqual([7, 7, 7])
})

test('an unknown variant is named by its place', () => {
  expect(
    refusal(() => priceLines([{ variantId: 'v9', quantity: 1 }], new Map(), { currency: 'USD', prices: 'server' })),
  ).toMatchObject({
    code: 'resource_missing',
    details: { param: 'lines[0].variantId' },
  })
})

test('the amounts of the lines sum to the amount of the order, to the cent', () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(quantities, (list) => {
      const order = priceLines(
        list.map((quantity) => ({ variantId: 'v1', quantity })),
        new Map([['v1', sold()]]),
        { currency: 'USD', prices: 'server' },
      )
      expect(order.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(order.amount)
      expect(order.amount).toBe(1_000 * list.reduce((sum, quantity) => sum + quantity, 0))
    }),
  )
})

function refusal(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
  }
  throw new Error('It was not refused.')
}
