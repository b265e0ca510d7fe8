import { expect, test } from 'vitest'
import { balancesOf } from '../../test/payments/money-of.ts'
import { disputedPayment } from '../../test/processors/disputed-payment.ts'
import type { ReportedDispute } from '../processors/processor-driver.ts'

async function disputable() {
  const { platform, payment, hear } = await disputedPayment()
  return {
    async hear(told: Partial<ReportedDispute>) {
      return (await hear(told)).map(({ status, amount, currency }) => ({ status, amount, currency }))
    },
    books: () => balancesOf(payment.id, platform),
    refund: (amount: number) =>
      platform.request('POST', `/api/payments/v1/payments/${payment.id}/refund`, { body: { amount } }),
  }
}

test('of a chargeback that is lost in part the rest is the shop’s again', async () => {
  const { hear, books, refund } = await disputable()
  expect(await hear({})).toEqual([{ status: 'open', amount: 1_999, currency: 'USD' }])
  expect(await books()).toEqual({ disputes: 1_999, sales: -1_999 })
  expect(await hear({ status: 'lost', taken: 500 })).toEqual([{ status: 'lost', amount: 500, currency: 'USD' }])
  expect(await books()).toEqual({ losses: 500, processor: 1_499, sales: -1_999 })
  expect((await refund(1_500)).error.code).toBe('amount_invalid')
  expect((await refund(1_499)).status).toBe(200)
  expect(await hear({ status: 'won' })).toEqual([{ status: 'won', amount: 500, currency: 'USD' }])
  expect(await books()).toEqual({ processor: 500, refunds: 1_499, sales: -1_999 })
})

test('one that is lost in part before it was heard of, or was an inquiry, takes as much', async () => {
  const first = await disputable()
  await first.hear({ status: 'lost', taken: 500 })
  expect(await first.books()).toEqual({ losses: 500, processor: 1_499, sales: -1_999 })
  const second = await disputable()
  await second.hear({ kind: 'inquiry' })
  await second.hear({ kind: 'inquiry', status: 'lost', taken: 700 })
  expect(await second.books()).toEqual({ losses: 700, processor: 1_299, sales: -1_999 })
  expect((await second.refund(1_299)).status).toBe(200)
})

test('an inquiry that becomes a chargeback over less, or more, withholds that', async () => {
  const less = await disputable()
  await less.hear({ kind: 'inquiry' })
  expect(await less.hear({ amount: 1_200 })).toEqual([{ status: 'open', amount: 1_200, currency: 'USD' }])
  expect(await less.books()).toEqual({ disputes: 1_200, processor: 799, sales: -1_999 })
  expect((await less.refund(800)).error.code).toBe('amount_invalid')
  expect((await less.refund(799)).status).toBe(200)
  await less.hear({ amount: 1_200, status: 'won' })
  expect((await less.refund(1_200)).status).toBe(200)
  const more = await disputable()
  await more.hear({ kind: 'inquiry', amount: 500 })
  await more.hear({ amount: 1_999 })
  expect(await more.books()).toEqual({ disputes: 1_999, sales: -1_999 })
  expect((await more.refund(1)).error.code).toBe('state_conflict')
})

test('one in another currency, at a rate of the bank’s, is of all that was captured', async () => {
  const { hear, books } = await disputable()
  const inYen = { amount: 31_200, currency: 'JPY' }
  expect(await hear(inYen)).toEqual([{ status: 'open', amount: 1_999, currency: 'USD' }])
  await hear({ ...inYen, status: 'lost' })
  expect(await books()).toEqual({ losses: 1_999, sales: -1_999 })
})
