import assert from 'node:assert/strict'
import { test } from 'node:test'
import { following, screenIds, screenOf } from './screens.ts'

test('an address leads to its screen, wherever the plugin stands', () => {
  assert.equal(screenOf('/', '/'), 'offer')
  assert.equal(screenOf('/upsell', '/'), 'upsell')
  assert.equal(screenOf('/shop', '/shop'), 'offer')
  assert.equal(screenOf('/shop/thank-you/', '/shop'), 'thank-you')
  assert.equal(screenOf('/elsewhere', '/'), 'offer')
})

test('the screens follow each other to the last, past the offer where there is no card for it', () => {
  const behind = screenIds.map((screen) => following(screen, true))
  assert.deepEqual(behind, ['checkout', 'upsell', 'thank-you', 'thank-you'])
  assert.equal(following('checkout', false), 'thank-you')
})
