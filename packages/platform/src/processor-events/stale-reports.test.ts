import type { Dispute } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { balancesOf } from '../../test/payments/money-of.ts'
import { disputedPayment } from '../../test/processors/disputed-payment.ts'

test('a decision is not undone by an answer of the processor that is older, and is by one that is newer', async () => {
  const { platform, payment, hear: hearOf } = await disputedPayment()
  const hear = async (...told: Dispute['status'][]) => {
    const disputes = await hearOf(...told.map((status) => ({ status })))
    return disputes.map(({ status }) => status)
  }
  expect(await hear('open')).toEqual(['open'])
  expect(await hear('won')).toEqual(['won'])
  // Asked before it was won, and answered after.
  expect(await hear('lost', 'won')).toEqual(['won'])
  expect(await balancesOf(payment.id, platform)).toEqual({ processor: 1_999, sales: -1_999 })
  expect(await hear('lost', 'lost')).toEqual(['lost'])
  expect(await hear('open', 'lost')).toEqual(['lost'])
  expect(await balancesOf(payment.id, platform)).toEqual({ losses: 1_999, sales: -1_999 })
})
