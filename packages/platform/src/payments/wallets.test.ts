import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newFlow } from '../../test/payments/new-flow.ts'
import { requestPayment } from '../../test/pay-with-card.ts'
import { walletInstrument } from '../../test/pay-with-wallet.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const ask = (paymentInstrumentId: string, change = {}) =>
    requestPayment(platform(), { paymentInstrumentId, ...change })
  const pay = async (paymentInstrumentId: string, change = {}): Promise<Payment> =>
    contract.payments.create.response.parse((await ask(paymentInstrumentId, change)).body)
  /** A flow that has every buyer authenticated. */
  const challenging = async () => {
    const { flow } = await newFlow(platform(), 0, { threeDsEnabled: true })
    return { paymentFlowId: flow.id }
  }

  test.each(['apple_pay', 'google_pay'] as const)('who pays with %s is not asked again by the bank', async (wallet) => {
    const instrument = await walletInstrument(platform(), { wallet })
    expect(instrument).toMatchObject({ type: 'card', wallet, card: { brand: 'visa', last4: '4242' } })
    const payment = await pay(instrument.id, await challenging())
    expect(payment).toMatchObject({ status: 'succeeded', requireAction: 'none' })
    const waiting = await platform().services.db.read('SELECT id FROM security_codes WHERE account_id = ?', [
      platform().local.accountId,
    ])
    expect(waiting).toEqual([])
  })

  test('the network of a Mastercard tells no ECI, and its buyer is authenticated all the same', async () => {
    const { id } = await walletInstrument(platform(), { card: 'mastercard' })
    expect(await pay(id, await challenging())).toMatchObject({ status: 'succeeded' })
  })

  test('a plain number out of Google Pay follows the rules of a typed one', async () => {
    const { id } = await walletInstrument(platform(), { wallet: 'google_pay', card: 'number' })
    expect(await pay(id, await challenging())).toMatchObject({ status: 'requires_action' })
  })

  test('the approval is for one payment: the next one with the saved card asks its buyer', async () => {
    const { id } = await walletInstrument(platform())
    const flow = await challenging()
    expect(await pay(id, flow)).toMatchObject({ status: 'succeeded' })
    expect(await pay(id, flow)).toMatchObject({ status: 'requires_action' })
    expect(await pay(id)).toMatchObject({ status: 'succeeded' })
  })

  test.each([
    ['whose time is over', 'expires_at = 1'],
    ['that no living process can open', "key_id = 'gone'"],
  ])('a cryptogram %s is no proof: nobody is charged, and the next payment asks the buyer', async (_, change) => {
    const { id } = await walletInstrument(platform())
    const flow = await challenging()
    const { accountId } = platform().local
    const lose = { sql: `UPDATE security_codes SET ${change} WHERE account_id = ?`, params: [accountId] }
    await platform().services.db.write([lose])
    const { status, error } = await ask(id, flow)
    expect([status, error?.code]).toEqual([402, 'authentication_required'])
    expect(await pay(id, flow)).toMatchObject({ status: 'requires_action' })
  })

  test('no more is charged than the buyer has approved, and nothing is on record', async () => {
    const { id } = await walletInstrument(platform(), { decimal: '19.98' })
    const refused = await ask(id)
    expect(refused.error).toMatchObject({ code: 'state_conflict', param: 'paymentInstrumentId' })
    expect(refused.error?.message).toContain('approved 1998 USD')
    expect((await ask(id, { currency: 'EUR', amount: 100 })).error).toMatchObject({ code: 'state_conflict' })
    expect(await pay(id, { amount: 1_998 })).toMatchObject({ status: 'succeeded', amount: 1_998 })
    expect(await pay(id, { amount: 5_000 })).toMatchObject({ status: 'succeeded' })
  })

  test('a cryptogram that a bank has declined goes to no second processor', async () => {
    const { flow } = await newFlow(platform(), 1)
    const { id } = await walletInstrument(platform(), { card: 'declined' })
    const answer = await ask(id, { paymentFlowId: flow.id })
    const { paymentId = '' } = answer.error ?? {}
    const payment = await platform().call(contract.payments.get, { params: { paymentId } })
    expect(payment.routing.stopped).toBe('cryptogram_used')
    expect(payment.attempts).toHaveLength(1)
  })

  test('the money goes back to the wallet’s card', async () => {
    const { id } = await walletInstrument(platform())
    const { id: paymentId } = await pay(id)
    const refund = { params: { paymentId }, body: { amount: 500 } }
    expect(await platform().call(contract.payments.refund, refund)).toMatchObject({ refundedAmount: 500 })
  })
})
