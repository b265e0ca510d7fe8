import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '@tillwright/plugin-sdk'
import { secondOffer } from './second-offer.ts'

const bought = { stepId: null, order: { lines: [{ variantId: 'tote', priceId: 'price' }] } } as unknown as Receipt

test('one more of what was bought is offered, unless the merchant names something', () => {
  assert.deepEqual(secondOffer([bought], ''), { variantId: 'tote', priceId: 'price' })
  assert.deepEqual(secondOffer([bought], 'mug'), { variantId: 'mug' })
})

test('nothing is offered before the first order, nor after the second', () => {
  assert.equal(secondOffer([], 'mug'), null)
  assert.equal(secondOffer([bought, bought], 'mug'), null)
})
