import { contract } from '@tillwright/contract'
import { describe, expect } from 'vitest'
import { requestPayment } from '../../../platform/test/pay-with-card.ts'
import { ruleEngines, ruleTest, sharedPlatform } from '../../../platform/test/test-platform.ts'

describe.each(ruleEngines())('on %s, a card on file', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })

  /** A card on file, and payments with it in the buyer's absence. */
  async function putOnFile(serviceToken: string) {
    const { call, local } = platform()
    const body = { serviceToken, storeId: local.storeId }
    const { paymentInstrument } = await call(contract.paymentInstruments.createFromToken, { body })
    const paymentInstrumentId = paymentInstrument.id
    const first = await requestPayment(platform(), { paymentInstrumentId, setupFutureUsage: 'off_session' })
    expect(first.body).toMatchObject({ status: 'succeeded' })
    const again = (change = {}) =>
      requestPayment(platform(), { paymentInstrumentId, initiatedBy: 'merchant', ...change })
    const read = () => call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })
    return { again, read, before: await read() }
  }

  /** What is told of an instrument's news. */
  async function eventsOf({ id }: { id: string }) {
    const { data } = await platform().call(contract.eventLog.list, { query: { types: 's_payment_instrument_renewed' } })
    return data.map(({ properties }) => properties).filter((each) => each['paymentInstrumentId'] === id)
  }

  test('that the simulated issuer has renewed has its new date with the next payment, even with one that is declined', async () => {
    const { before, again, read } = await putOnFile('tok_renewed')
    expect((await again({ amount: 200_051 })).error.declineCode).toBe('insufficient_funds')
    const renewed = { expMonth: 6, expYear: 2043 }
    expect((await read()).card).toEqual({ ...before.card, ...renewed })
    expect((await again()).body).toMatchObject({ status: 'succeeded' })
    expect(await eventsOf(before)).toEqual([{ paymentInstrumentId: before.id, ...renewed, newLast4: null }])
  })

  test('that the simulated issuer has replaced says by which, once, and goes on to be charged', async () => {
    const { before, again, read } = await putOnFile('tok_replaced')
    for (let time = 0; time < 2; time++) expect((await again()).body).toMatchObject({ status: 'succeeded' })
    const replacement = { last4: '1111', expMonth: 3, expYear: 2044 }
    expect(await read()).toMatchObject({ card: before.card, replacement })
    const { last4: newLast4, ...expiry } = replacement
    expect(await eventsOf(before)).toEqual([{ paymentInstrumentId: before.id, ...expiry, newLast4 }])
  })

  test('whose simulated account is closed is declined for good', async () => {
    const { before, again } = await putOnFile('tok_closed')
    const { status, error } = await again()
    expect([status, error.declineCode]).toEqual([402, 'closed_account'])
    const payment = await platform().call(contract.payments.get, { params: { paymentId: error.paymentId ?? '' } })
    expect(payment.attempts).toMatchObject([{ outcome: 'hard_decline' }])
    expect(await eventsOf(before)).toEqual([])
  })
})
