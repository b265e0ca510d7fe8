import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantedProduct } from './wanted-product.ts'

test('a link names a product, and the step of a funnel comes before the settings', () => {
  assert.deepEqual(wantedProduct('', undefined, 'tote'), { linked: '', own: 'tote' })
  assert.deepEqual(wantedProduct('?variant=mug', {}, 'tote'), { linked: 'mug', own: 'tote' })
  assert.deepEqual(wantedProduct('', { variantId: 'cap' }, 'tote'), { linked: '', own: 'cap' })
  assert.deepEqual(wantedProduct('', { variantId: 7 }, ''), { linked: '', own: '' })
})
