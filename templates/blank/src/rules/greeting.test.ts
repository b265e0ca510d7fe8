import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPage } from '@tillwright/plugin-sdk/testing'
import { greeting } from './greeting.ts'

test('the greeting counts the pieces of all lines', () => {
  assert.equal(greeting([]).en, 'Your order is empty.')
  assert.equal(greeting([{ quantity: 1 }]).en, 'One item is in your order.')
  assert.equal(greeting([{ quantity: 1 }, { quantity: 2 }]).en, '3 items are in your order.')
})

test('a buyer reads it in their language', () => {
  const page = openTestPage({ locales: ['en', 'de'], languages: ['de-AT'], fetch: async () => new Response('{}') })
  assert.equal(page.t(greeting([])), 'Deine Bestellung ist leer.')
})
