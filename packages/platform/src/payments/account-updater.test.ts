import { contract } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { connectProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { CLOSED, RENEWED, REPLACED, replacedBy } from '../../test/processors/cards-on-file.ts'
import { type ProcessorDouble, processorDoubles } from '../../test/processors/processor-doubles.ts'
import { ruleEngines, ruleTest, sharedPlatform } from '../../test/test-platform.ts'

const updaters = ['adyen', 'checkout'] as const

describe.each(ruleEngines().flatMap((engine) => updaters.map((name) => [engine, name] as const)))(
  'on %s, at %s',
  (engine, name) => {
    const test = ruleTest(engine)
    const platform = sharedPlatform({ engine })
    let double: ProcessorDouble
    let paymentFlowId: string
    beforeAll(async () => {
      double = await processorDoubles[name]()
      paymentFlowId = await connectProcessor(platform(), { id: `processor_${name}`, ...double })
    })
    afterAll(() => double.stop())

    /** A payment that succeeds; a processor that was slow to answer is asked what became of it. */
    async function payWith(paymentInstrumentId: string, change: { setupFutureUsage?: 'on_session' } = {}) {
      const { status, body } = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, ...change })
      expect(status).toBe(201)
      const params = { paymentId: String(Object(body).id) }
      const read = () => platform().call(contract.payments.get, { params })
      await expect.poll(read, { timeout: 60_000 }).toMatchObject({ status: 'succeeded' })
    }

    /** Puts a card on file with a first payment. */
    async function putOnFile(number: string) {
      const instrument = await newInstrument(platform(), { number })
      await payWith(instrument.id, { setupFutureUsage: 'on_session' })
      return instrument
    }

    /** The expiry dates that the processor was sent with a card, in the order in which it first was. */
    const sentDates = (number: string) => [
      ...new Set(
        double.calls.flatMap(({ body }) => {
          const { paymentMethod, source } = Object(body)
          if (paymentMethod?.number === number)
            return [`${Number(paymentMethod.expiryMonth)}/${paymentMethod.expiryYear}`]
          return source?.number === number ? [`${source.expiry_month}/${source.expiry_year}`] : []
        }),
      ),
    ]

    /** The events about a renewed card, oldest first. */
    async function renewalsOf(paymentInstrumentId: string) {
      const rows = await platform().services.db.read(
        "SELECT properties FROM events WHERE event_type = 's_payment_instrument_renewed' ORDER BY id",
        [],
      )
      return rows
        .map(({ properties }) => JSON.parse(String(properties)))
        .filter((each) => each.paymentInstrumentId === paymentInstrumentId)
    }

    test('a card on file that its issuer has renewed has its new date as soon as a payment has brought it, and is charged with it', async () => {
      const { call } = platform()
      const before = await putOnFile(RENEWED)
      const { id: paymentInstrumentId } = before
      expect(before.card).toMatchObject({ expMonth: 12, expYear: 2040 })
      for (let time = 0; time < 2; time++) await payWith(paymentInstrumentId)
      const after = await call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })
      expect(after).toMatchObject({ card: { expMonth: 6, expYear: 2043 }, revision: before.revision + 1 })
      expect(sentDates(RENEWED)).toEqual(['12/2040', '6/2043'])
      expect(await renewalsOf(paymentInstrumentId)).toEqual([
        { paymentInstrumentId, expMonth: 6, expYear: 2043, newLast4: null },
      ])
    })

    test('a card on file that its issuer has replaced says by which, which is told once, and goes on to be charged', async () => {
      const { call } = platform()
      const { id: paymentInstrumentId, card } = await putOnFile(REPLACED)
      const { newLast4: last4, ...expiry } = replacedBy
      for (let time = 0; time < 2; time++) {
        await payWith(paymentInstrumentId)
        const after = await call(contract.paymentInstruments.get, { params: { paymentInstrumentId } })
        expect(after).toMatchObject({ card, replacement: { last4, ...expiry } })
      }
      expect(sentDates(REPLACED)).toEqual(['12/2040'])
      expect(await renewalsOf(paymentInstrumentId)).toEqual([{ paymentInstrumentId, ...replacedBy }])
    })

    test('a card on file whose account was closed is declined for good, whatever else its issuer says', async () => {
      const { id: paymentInstrumentId } = await putOnFile(CLOSED)
      const { status, error } = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
      expect([status, error.declineCode]).toEqual([402, 'closed_account'])
      const payment = await platform().call(contract.payments.get, { params: { paymentId: error.paymentId ?? '' } })
      expect(payment.attempts).toMatchObject([{ outcome: 'hard_decline' }])
    })
  },
)
