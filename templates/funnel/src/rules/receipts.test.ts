import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Receipt } from '@tillwright/plugin-sdk'
import { texts } from '../texts.ts'
import { statusText, totalOf } from './receipts.ts'

function receipt(amount: number, currency: string, status: 'paid' | 'pending' | 'refunded'): Receipt {
  return { stepId: null, order: { amount, currency, status } } as Receipt // no rule looks at more of it
}

test('what was paid in all is one sum, where the currency is one', () => {
  assert.deepEqual(totalOf([receipt(2_400, 'EUR', 'paid'), receipt(900, 'EUR', 'paid')]), {
    amount: 3_300,
    currency: 'EUR',
  })
  assert.equal(totalOf([receipt(2_400, 'EUR', 'paid'), receipt(900, 'USD', 'paid')]), null)
})

test('orders are paid when all of them are', () => {
  const paid = receipt(1, 'EUR', 'paid')
  assert.equal(statusText([paid, paid]), texts.isPaid)
  assert.equal(statusText([paid, receipt(1, 'EUR', 'pending')]), texts.isPending)
  assert.equal(statusText([receipt(1, 'EUR', 'refunded')]), texts.refunded)
})
