import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authorise, newDispute, newRefund } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const ledgerOf = (paymentId: string) => platform().call(contract.payments.getLedger, { params: { paymentId } })

  test('the ledger of a payment has two lines for each movement of its money, which sum to zero', async () => {
    const { id: refundId, paymentId } = await newRefund(platform())
    const { currency, sum, lines } = await ledgerOf(paymentId)
    const { captures } = await platform().call(contract.payments.get, { params: { paymentId } })
    const entryId = captures[0]?.id
    const sides = lines.map(({ createdAt: _, ...line }) => line)
    expect([currency, sum]).toEqual(['USD', 0])
    expect(sides).toHaveLength(4)
    expect(sides).toEqual(
      expect.arrayContaining([
        { entryId, booking: 'captured', account: 'processor', amount: 1_999 },
        { entryId, booking: 'captured', account: 'sales', amount: -1_999 },
        { entryId: refundId, booking: 'refunded', account: 'refunds', amount: 500 },
        { entryId: refundId, booking: 'refunded', account: 'processor', amount: -500 },
      ]),
    )
    const dispute = await newDispute(platform())
    const disputed = await ledgerOf(dispute.paymentId)
    expect(disputed.sum).toBe(0)
    expect(disputed.lines.filter(({ entryId: of }) => of === dispute.id)).toMatchObject([
      { booking: 'withheld', amount: dispute.amount },
      { booking: 'withheld', amount: -dispute.amount },
    ])
  })

  test('a payment that was not captured has no lines, and an unknown one no ledger', async () => {
    const { id: paymentId } = await authorise(platform())
    expect(await ledgerOf(paymentId)).toEqual({ paymentId, currency: 'USD', sum: 0, lines: [] })
    const { status, error } = await platform().request('GET', '/api/payments/v1/payments/pay_none/ledger')
    expect([status, error.code]).toEqual([404, 'resource_missing'])
  })
})
