import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authorise } from '../../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { managePayments } from './payments.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('the ledger of a payment has both sides of each change, in their order', async () => {
    const { call, clock, parts } = platform()
    const payments = managePayments(parts)
    const { id } = await authorise(platform())
    expect((await payments.ledger({ payment: id })).lines).toEqual([])
    const params = { paymentId: id }
    clock.advance(1)
    await call(contract.payments.capture, { params, body: { amount: 1_500 } })
    clock.advance(1)
    const refunded = await call(contract.payments.refund, { params, body: { amount: 500 } })

    const { payment, lines } = await payments.ledger({ payment: id })
    expect(payment).toEqual(refunded)
    expect(lines.map(({ booking, ledgerAccount, amount }) => [booking, ledgerAccount, amount])).toEqual([
      ['captured', 'processor', 1_500],
      ['captured', 'sales', -1_500],
      ['refunded', 'refunds', 500],
      ['refunded', 'processor', -500],
    ])
    expect(lines.map(({ entry }) => entry)).toEqual(
      [payment.captures[0], payment.captures[0], payment.refunds[0], payment.refunds[0]].map((each) => each?.id),
    )
  })

  test('a payment of another account is not found', async () => {
    const { parts } = platform()
    const { id } = await authorise(platform())
    const { accountId } = await platform().addAccount()
    await expect(managePayments(parts).get({ payment: id, account: accountId })).rejects.toThrow(
      `has no payment '${id}'`,
    )
  })
})
