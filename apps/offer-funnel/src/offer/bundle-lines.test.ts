import { expect, test } from 'vitest'
import { addOnLine, bundleLine, isFor, knownVariant } from './bundle-lines.ts'

const nothing = { variantId: '', priceId: '' }
const bottle = { variantId: 'bottle', priceId: 'once' }

test('a bundle is a variant of its own, else so many pieces of the product', () => {
  const set = { variantId: 'set-of-two', priceId: '', pieces: 2 }
  expect(bundleLine(set, bottle, null)).toEqual({ variantId: 'set-of-two', quantity: 1 })
  expect(bundleLine({ ...nothing, pieces: 2 }, bottle, null)).toEqual({
    variantId: 'bottle',
    priceId: 'once',
    quantity: 2,
  })
})

test('without a product in the settings it is what the order has, and nothing without that', () => {
  const known = knownVariant([null, { lines: [line({ promotionId: 'gift' }), line({ variantId: 'tote' })] }])
  expect(bundleLine({ ...nothing, pieces: 3 }, nothing, known)).toEqual({ variantId: 'tote', quantity: 3 })
  expect(bundleLine({ ...nothing, pieces: 3 }, nothing, knownVariant([]))).toBe(null)
})

test('what one click adds is a variant of its own, which only a preview does without', () => {
  expect(addOnLine({ variantId: 'cup', priceId: '', quantity: 2 }, 'tote')).toEqual({ variantId: 'cup', quantity: 2 })
  expect(addOnLine({ ...nothing, quantity: 1 }, 'tote')).toEqual({ variantId: 'tote', quantity: 1 })
  expect(addOnLine({ ...nothing, quantity: 1 }, null)).toBe(null)
})

test('an order is for a line if it has that and nothing else, gifts aside', () => {
  const order = { lines: [line({}), line({ promotionId: 'gift' })] }
  expect(isFor(order, { variantId: 'bottle', quantity: 2 })).toBe(true)
  expect(isFor(order, { variantId: 'bottle', quantity: 1 })).toBe(false)
  expect(isFor(order, { variantId: 'bottle', quantity: 2, priceId: 'other' })).toBe(false)
  expect(isFor({ lines: [line({}), line({})] }, { variantId: 'bottle', quantity: 2 })).toBe(false)
  expect(isFor(order, null)).toBe(false)
})

function line(change: { variantId?: string; promotionId?: string }) {
  return {
    productId: 'product',
    variantId: 'bottle',
    priceId: 'once',
    name: 'Bottle',
    quantity: 2,
    unitAmount: 2_900,
    discountAmount: 0,
    amount: 5_800,
    deferredAmount: 0,
    recurring: null,
    promotionId: null,
    ...change,
  }
}
