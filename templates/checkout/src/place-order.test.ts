import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestPage } from '@tillwright/plugin-sdk/testing'
import { placeOrder } from './place-order.ts'

test('where the shop cannot be reached, nothing is paid and the buyer hears of it', async () => {
  const asked: string[] = []
  const page = openTestPage({
    fetch: async (url) => {
      asked.push(new URL(url).pathname)
      throw new TypeError('offline')
    },
  })
  const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const { outcome } = await placeOrder(page, ada, { type: 'ideal' })
  assert.equal(outcome, 'failed')
  assert.ok(asked.every((path) => !path.endsWith('/pay')))
})
