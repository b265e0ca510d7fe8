import type { OrderLine, SessionOrder } from '@tillwright/plugin-sdk'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOfProducts, linesWithWay, partLines } from './lines.ts'
import { readCart } from './read-cart.ts'
import { totalsOf } from './totals.ts'
import { waysTo } from './ways-to.ts'

const ways = [
  { id: 'standard', name: { en: 'Standard' }, variantId: 'v_standard' },
  { id: 'express', name: { en: 'Express' }, variantId: 'v_express', countries: ['IE'] },
  { id: 'pick-up', name: { en: 'Pick up' } },
]

function line(variantId: string, change: Partial<OrderLine> = {}): OrderLine {
  const one = { productId: 'p', priceId: `price_${variantId}`, name: variantId, quantity: 1, unitAmount: 100 }
  const priced = { discountAmount: 0, amount: 100, deferredAmount: 0, recurring: null, promotionId: null }
  return { ...one, ...priced, variantId, ...change }
}

test('a way of shipping takes the place of another one, and gifts are left to the promotion that gives them', () => {
  const lines = [line('v_bag', { quantity: 2 }), line('v_gift', { promotionId: 'promo' }), line('v_standard')]
  const parted = partLines({ lines }, ways)
  expect(parted.shipping?.variantId).toBe('v_standard')
  expect(linesWithWay(parted, ways[1] ?? null)).toEqual([
    { variantId: 'v_bag', priceId: 'price_v_bag', quantity: 2 },
    { variantId: 'v_express', quantity: 1 },
  ])
  expect(linesWithWay(parted, ways[2] ?? null)).toHaveLength(1)
})

test('totals add up: subtotal - discount + shipping = total', () => {
  const amounts = fc.tuple(fc.nat(1e6), fc.nat(1e6), fc.nat(1e3))
  fc.assert(
    fc.property(amounts, fc.boolean(), ([goods, postage, discount], isSent) => {
      const lines = [
        line('v_bag', { unitAmount: goods }),
        ...(isSent ? [line('v_express', { unitAmount: postage })] : []),
      ]
      const subtotal = goods + (isSent ? postage : 0)
      const taken = Math.min(discount, subtotal)
      const nothing = { id: null, status: 'open', currency: 'USD', promotionCodes: [], problem: null } as const
      const promotions = { applied: [], leftOut: [] }
      const sums = { subtotal, discountAmount: taken, amount: subtotal - taken, shippingAmount: 0, shippingDiscount: 0 }
      const order: SessionOrder = { ...nothing, ...sums, lines, promotions }
      const totals = totalsOf(order, ways)
      expect(totals.subtotal).toBe(goods)
      expect(totals.subtotal - totals.discount + totals.shipping).toBe(totals.total)
    }),
  )
})

test('an order begins with the products that have a quantity', () => {
  const products = [{ variantId: 'v_a' }, { variantId: 'v_b', quantity: 0 }, { variantId: 'v_c', quantity: 3 }]
  expect(linesOfProducts(products)).toEqual([
    { variantId: 'v_a', quantity: 1 },
    { variantId: 'v_c', quantity: 3 },
  ])
})

test('a way without countries leads everywhere', () => {
  expect(waysTo('IE', ways).map(({ id }) => id)).toEqual(['standard', 'express', 'pick-up'])
  expect(waysTo('DE', ways).map(({ id }) => id)).toEqual(['standard', 'pick-up'])
})

test.for([
  [
    '?cart=variant_a:2,variant_b',
    [
      ['variant_a', 2],
      ['variant_b', 1],
    ],
  ],
  ['?cart=variant_a:0,,b:x,%3Cscript%3E,c:100', []],
  ['?cart=', []],
] as const)('the cart of %s', ([search, expected]) => {
  expect(readCart(search)).toEqual(expected.map(([variantId, quantity]) => ({ variantId, quantity })))
})

test('an address without a cart has none', () => {
  expect(readCart('?template=digital')).toBeNull()
})
