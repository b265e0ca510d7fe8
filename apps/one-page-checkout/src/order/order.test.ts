import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOfProducts } from './lines.ts'
import { readCart } from './read-cart.ts'
import { totalsOf } from './totals.ts'

test('totals add up: subtotal - discount + shipping + tax = total', () => {
  const amounts = fc.tuple(fc.nat(1e6), fc.nat(1e4), fc.nat(1e3), fc.nat(1e2), fc.nat(1e4))
  fc.assert(
    fc.property(amounts, fc.boolean(), ([subtotal, postage, wanted, offPostage, taxAmount], isSent) => {
      const nothing = { id: null, status: 'open', currency: 'USD', promotionCodes: [], problem: null } as const
      const [shippingAmount, discountAmount] = [isSent ? postage : 0, Math.min(wanted, subtotal)]
      const shippingDiscount = Math.min(offPostage, shippingAmount)
      const amount = subtotal - discountAmount + shippingAmount - shippingDiscount + taxAmount
      const sums = { subtotal, discountAmount, amount, shippingAmount, shippingDiscount, taxAmount }
      const shipping = isSent ? { optionId: 'standard', options: [] } : null
      const promotions = { applied: [], leftOut: [] }
      const totals = totalsOf({ ...nothing, ...sums, shipping, lines: [], promotions })
      expect(totals.shipping).toBe(isSent ? postage : null)
      expect(totals.subtotal - totals.discount + (totals.shipping ?? 0) + totals.tax).toBe(totals.total)
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
