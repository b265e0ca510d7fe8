import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { connectProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { CLOSED, RENEWED } from '../../test/processors/adyen/adyen-cards.ts'
import { type ProcessorDouble, processorDoubles } from '../../test/processors/processor-doubles.ts'
import { ruleEngines, ruleTest, sharedPlatform } from '../../test/test-platform.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  let double: ProcessorDouble
  let paymentFlowId: string
  beforeAll(async () => {
    double = await processorDoubles.adyen()
    paymentFlowId = await connectProcessor(platform(), { id: 'processor_adyen', ...double })
  })
  afterAll(() => double.stop())

  /** Puts a card on file with a first payment. */
  async function putOnFile(number: string) {
    const instrument = await newInstrument(platform(), { number })
    const first = { paymentInstrumentId: instrument.id, paymentFlowId, setupFutureUsage: 'on_session' }
    expect((await requestPayment(platform(), first)).status).toBe(201)
    return instrument
  }

  /** The expiry dates that Adyen was sent, oldest first. */
  const sentDates = (number: string) =>
    double.calls
      .map(({ body }) => body as { paymentMethod?: { number?: string; expiryMonth: string; expiryYear: string } })
      .flatMap(({ paymentMethod: card }) => (card?.number === number ? [`${card.expiryMonth}/${card.expiryYear}`] : []))

  test('a card on file that its issuer has renewed has its new date as soon as a payment has brought it, and is charged with it', async () => {
    const { call, services } = platform()
    const before = await putOnFile(RENEWED)
    const { id: paymentInstrumentId } = before
    expect(before.card).toMatchObject({ expMonth: 12, expYear: 2040 })
    for (let time = 0; time < 2; time++) {
      expect((await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })).status).toBe(201)
    }
    const after = await call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })
    expect(after).toMatchObject({ card: { expMonth: 6, expYear: 2043 }, revision: before.revision + 1 })
    expect(sentDates(RENEWED)).toEqual(['12/2040', '12/2040', '06/2043'])
    const told = await services.db.read(
      "SELECT properties FROM events WHERE event_type = 's_payment_instrument_renewed'",
      [],
    )
    expect(told.map(({ properties }) => JSON.parse(String(properties)))).toEqual([
      { paymentInstrumentId, expMonth: 6, expYear: 2043 },
    ])
  })

  test('a card on file whose account was closed is declined for good, whatever else its issuer says', async () => {
    const { id: paymentInstrumentId } = await putOnFile(CLOSED)
    const { status, error } = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
    expect([status, error.declineCode]).toEqual([402, 'closed_account'])
    const payment = await platform().call(contract.payments.get, { params: { paymentId: error.paymentId ?? '' } })
    expect(payment.attempts).toMatchObject([{ outcome: 'hard_decline' }])
  })
})
