import { contract, type Payment } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { balancesOf, eventsOf } from '../../test/payments/money-of.ts'
import {
  ADYEN_KEY,
  type AdyenDouble,
  MERCHANT_ACCOUNT,
  startAdyenDouble,
} from '../../test/processors/adyen/adyen-double.ts'
import { HMAC_KEY, signed } from '../../test/processors/adyen/adyen-notifications.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { adyen as driver } from '../processors/adyen/adyen.ts'

const ADYEN = 'processor_adyen'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  let double: AdyenDouble
  let paymentFlowId: string

  beforeAll(async () => {
    // Loaded by the first payment, which has to answer in half a minute wherever this runs.
    await Promise.all([import('../processors/adyen/adyen-driver.ts'), import('../processors/adyen/client.ts')])
    double = await startAdyenDouble()
    double.onNotification(tell)
    const settings = { merchantAccount: MERCHANT_ACCOUNT, apiUrl: double.url }
    const processor = { id: ADYEN, driver, settings, secret: ADYEN_KEY, eventSecret: HMAC_KEY }
    paymentFlowId = await connectProcessor(platform(), processor)
  })
  afterAll(() => double.stop())

  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

  async function pay(wanted: { captureMethod?: 'manual' } = {}): Promise<Payment> {
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '4242424242424242' })
    const answer = await requestPayment(platform(), { paymentInstrumentId, paymentFlowId, ...wanted })
    return contract.payments.create.response.parse(answer.body)
  }

  /** A notification as Adyen sends it. */
  function tell(body: string) {
    const path = `/api/processors/v1/${platform().local.accountId}/${ADYEN}/adyen-events`
    return platform().request('POST', path, { key: '', body })
  }

  function bookedOf({ attempts }: Payment) {
    const booked = double.payments.find(({ reference }) => reference === attempts[0]?.id)
    if (booked === undefined) throw new Error('Adyen knows the attempt of every payment here.')
    return booked
  }

  it('a refund is pending until Adyen has told of it, and is made once however often it does', async () => {
    const payment = await pay()
    const release = double.hold()
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    const asked = await platform().request('POST', path, { body: { amount: 500 } })
    expect((await read(payment.id)).refunds, asked.text).toMatchObject([{ amount: 500, status: 'pending' }])
    const [body = ''] = await release()
    for (let time = 0; time < 3; time++) expect((await tell(body)).status).toBe(200)
    expect(await read(payment.id)).toMatchObject({ refundedAmount: 500, refunds: [{ status: 'succeeded' }] })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_499, refunds: 500, sales: -1_999 })
    expect(bookedOf(payment).refunded).toBe(500)
  })

  test('a payment whose answer was lost has succeeded as soon as Adyen has told of it', async () => {
    const end = double.disturb(/\/payments$/, 'reset_after')
    const release = double.hold()
    const payment = await pay().finally(end)
    expect(payment.status).toBe('processing')
    await release()
    platform().clock.advance(5_001)
    await expect.poll(async () => (await read(payment.id)).status, { timeout: 60_000 }).toBe('succeeded')
    expect(double.payments.filter(({ reference }) => reference === payment.attempts[0]?.id)).toHaveLength(1)
  })

  it('an event that comes before the answer to the payment that it is about is refused for now, and heeded behind it', async () => {
    const { customerId } = await newInstrument(platform())
    const paymentMethod = {
      type: 'sepa_debit',
      iban: 'AT611904300234573201',
      holderName: 'Ada Byrne',
      mandateAccepted: true,
    }
    const answer = double.disturb(/\/payments$/, 'hold_after', 1)
    const known = double.payments.length
    const asked = requestPayment(platform(), { customerId, paymentMethod, currency: 'EUR', paymentFlowId })
    await expect.poll(() => double.payments[known]?.state).toBe('waiting')
    const release = double.hold()
    await double.finish(double.payments[known]?.reference ?? '', true)
    const [body = ''] = await release()
    expect((await tell(body)).status).toBe(503)
    answer()
    const { id } = contract.payments.create.response.parse((await asked).body)
    expect(await read(id)).toMatchObject({ status: 'processing', capturedAmount: 0 })
    expect((await tell(body)).status).toBe(200)
    platform().clock.advance(5_001)
    await expect.poll(async () => (await read(id)).status, { timeout: 60_000 }).toBe('succeeded')
  })

  it('an HMAC key that was replaced is taken for a day more, and no longer once the new one is set again', async () => {
    const { call, clock, logged, local } = platform()
    const key = 'AB'.repeat(32)
    const release = double.hold()
    await pay()
    const [body = ''] = await release()
    const item = JSON.parse(body).notificationItems[0].NotificationRequestItem
    const told = async (by: string) => (await tell(signed(item, by))).status
    const set = async (webhookSecret: string) => {
      const { revision } = await call(contract.processors.get, { params: { processorId: ADYEN } })
      await call(contract.processors.update, { params: { processorId: ADYEN }, body: { webhookSecret, revision } })
    }
    clock.advance(60_000)
    const saidBefore = logged.length
    expect([await told(HMAC_KEY), await told(key), await told(key)]).toEqual([200, 400, 400])
    const said = logged.slice(saidBefore).map((line) => JSON.parse(line))
    expect(said.filter(({ msg }) => msg.includes('it is not signed with the secret that was set here'))).toEqual([
      expect.objectContaining({ level: 40, accountId: local.accountId, processorId: ADYEN }),
    ])
    await set(key)
    expect([await told(HMAC_KEY), await told(key)]).toEqual([200, 200])
    clock.advance(24 * 3_600_000)
    expect([await told(HMAC_KEY), await told(key)]).toEqual([400, 200])
    await set(HMAC_KEY)
    await set(HMAC_KEY)
    expect([await told(HMAC_KEY), await told(key)]).toEqual([200, 400])
  })

  test('a refund that was made in the Customer Area is put on record, and one of ours is not counted twice', async () => {
    const payment = await pay()
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', path, { body: { amount: 500 } })).status).toBe(200)
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const made = { originalReference, merchantReference, eventCode: 'REFUND', amount: { value: 300, currency: 'USD' } }
    await double.tell({ ...made, pspReference: `REF${payment.id.slice(-13)}` })
    await double.tell({ ...made, pspReference: `REF${payment.id.slice(-13)}` })
    await double.tell({ ...made, pspReference: `BAD${payment.id.slice(-13)}`, success: 'false' })
    const { refundedAmount, refunds } = await read(payment.id)
    expect([refundedAmount, ...refunds.map(({ amount }) => amount).toSorted((a, b) => a - b)]).toEqual([800, 300, 500])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_199, refunds: 800, sales: -1_999 })
    await double.tell({ ...made, pspReference: `REF${payment.id.slice(-13)}`, eventCode: 'REFUND_FAILED' })
    expect(await read(payment.id)).toMatchObject({ refundedAmount: 500 })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_499, refunds: 500, sales: -1_999 })
  })

  test.for([
    ['EXPIRE', 'canceled', 0],
    ['CANCELLATION', 'canceled', 0],
    ['CAPTURE', 'succeeded', 1_500],
  ] as const)(
    'an authorization that is closed at Adyen by %s ends its payment',
    async ([eventCode, status, captured]) => {
      const payment = await pay({ captureMethod: 'manual' })
      const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
      const told = { originalReference, merchantReference, eventCode, amount: { value: captured, currency: 'USD' } }
      await double.tell({ ...told, pspReference: `BAD${payment.id.slice(-13)}`, success: 'false' })
      expect((await read(payment.id)).status).toBe('authorized')
      await double.tell({ ...told, pspReference: `END${payment.id.slice(-13)}` })
      expect(await read(payment.id)).toMatchObject({ status, capturedAmount: captured })
    },
  )

  it.for([
    ['after', ['REFUND', 'REFUND_FAILED', 'REFUND_FAILED', 'REFUND']],
    ['before', ['REFUNDED_REVERSED', 'REFUND', 'REFUNDED_REVERSED']],
  ] as const)('a refund whose failure is told %s its success has failed', async ([, eventCodes]) => {
    const payment = await pay()
    const release = double.hold()
    const path = `/api/payments/v1/payments/${payment.id}/refund`
    expect((await platform().request('POST', path, { body: { amount: 500 } })).status).toBe(200)
    const [body = ''] = await release()
    const { NotificationRequestItem: item } = JSON.parse(body).notificationItems[0]
    for (const eventCode of eventCodes) expect((await tell(signed({ ...item, eventCode }))).status).toBe(200)
    expect(await read(payment.id)).toMatchObject({
      status: 'succeeded',
      refundedAmount: 0,
      refunds: [{ status: 'failed' }],
    })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
    const told = (await eventsOf(payment, platform())).filter((type) => type === 's_payment_refund_failed')
    expect(told).toHaveLength(1)
  })

  it('a payment whose capture has failed at Adyen has failed, however often its authorization is told', async () => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const about = { merchantReference, amount: { value: 1_999, currency: 'USD' } }
    const failed = { ...about, originalReference, pspReference: `CAP${payment.id.slice(-13)}` }
    for (let time = 0; time < 2; time++) await double.tell({ ...failed, eventCode: 'CAPTURE_FAILED' })
    await double.tell({ ...about, pspReference: originalReference, eventCode: 'AUTHORISATION' })
    expect(await read(payment.id)).toMatchObject({
      status: 'failed',
      capturedAmount: 0,
      attempts: [{ status: 'succeeded' }],
    })
    expect(await balancesOf(payment.id, platform())).toEqual({})
  })

  test('a capture that Adyen tries again by itself is undone when it gives up', async () => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const about = { merchantReference, originalReference, pspReference: `CAP${payment.id.slice(-13)}` }
    const failed = { ...about, amount: { value: 1_999, currency: 'USD' }, eventCode: 'CAPTURE_FAILED' }
    await double.tell({ ...failed, reason: 'Capture rejected by card scheme because of a technical issue.' })
    await double.tell({ ...failed, eventCode: 'CAPTURE', reason: 'Transaction Recaptured' })
    expect(await read(payment.id)).toMatchObject({ status: 'succeeded', capturedAmount: 1_999 })
    await double.tell({ ...failed, reason: 'Capture expired' })
    expect(await read(payment.id)).toMatchObject({ status: 'failed', capturedAmount: 0 })
  })

  it('a debit that is told to have failed before it is told to be paid has failed in the end', async () => {
    const { customerId } = await newInstrument(platform())
    const account = { iban: 'AT611904300234573201', holderName: 'Ada Byrne', mandateAccepted: true }
    const paymentMethod = { type: 'sepa_debit', ...account }
    const asked = await requestPayment(platform(), { customerId, paymentMethod, currency: 'EUR', paymentFlowId })
    const payment = contract.payments.create.response.parse(asked.body)
    expect(payment.status).toBe('processing')
    const { pspReference: originalReference, reference } = bookedOf(payment)
    const about = { merchantReference: reference, originalReference, amount: { value: 1_999, currency: 'EUR' } }
    const item = { ...about, pspReference: `CAP${payment.id.slice(-13)}`, eventCode: 'CAPTURE_FAILED' }
    const body = await double.tell(item)
    expect((await tell(body)).status).toBe(503)
    await double.finish(reference, true)
    platform().clock.advance(5_001)
    await expect.poll(async () => (await read(payment.id)).status, { timeout: 60_000 }).toBe('succeeded')
    expect((await tell(body)).status).toBe(200)
    expect(await read(payment.id)).toMatchObject({ status: 'failed', capturedAmount: 0 })
  })

  test('a dispute is opened once and decided, in whatever order its events come', async () => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const dispute = { originalReference, merchantReference, pspReference: `DSP${payment.id.slice(-13)}` }
    const about = { ...dispute, amount: { value: 1_999, currency: 'USD' }, reason: 'Fraud' }
    await double.tell({ ...about, eventCode: 'CHARGEBACK_REVERSED' })
    await double.tell({ ...about, eventCode: 'NOTIFICATION_OF_CHARGEBACK' })
    await double.tell({ ...about, eventCode: 'CHARGEBACK' })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: 'won', reason: 'Fraud' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  it.for([
    ['with the payment that it is about', true],
    ['without, where the merchant account is not set to name it', false],
  ] as const)('a chargeback that was won is lost with a second one, told %s', async ([, isNamed]) => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const pspReference = `DSP${payment.id.slice(-13)}`
    const about = { merchantReference, amount: { value: 1_999, currency: 'USD' }, reason: 'Fraud' }
    const named = { ...about, originalReference, pspReference }
    const decided = isNamed ? named : { ...about, originalReference: '', pspReference: originalReference }
    await double.tell({ ...named, eventCode: 'NOTIFICATION_OF_CHARGEBACK' })
    await double.tell({ ...named, eventCode: 'CHARGEBACK' })
    await double.tell({ ...decided, eventCode: 'CHARGEBACK_REVERSED' })
    const [dispute] = (await read(payment.id)).disputes
    expect(dispute).toMatchObject({ kind: 'chargeback', status: 'won' })
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
    await double.tell({ ...decided, eventCode: 'SECOND_CHARGEBACK' })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: 'lost' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ losses: 1_999, sales: -1_999 })
    await double.tell({ ...decided, eventCode: 'PREARBITRATION_WON' })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: 'won' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
    await double.tell({ ...decided, eventCode: 'SCHEME_ARBITRATION_LOST' })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status: 'lost' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ losses: 1_999, sales: -1_999 })
    const { lines } = await platform().call(contract.payments.getLedger, { params: { paymentId: payment.id } })
    expect(lines.filter(({ booking }) => booking === 'taken_back').map(({ entryId }) => entryId)).toEqual(
      Array.from({ length: 4 }, () => dispute?.id),
    )
    const events = (await eventsOf(payment, platform())).filter((type) => /dispute/.test(type))
    expect(events.map((type) => type.slice('s_dispute_'.length))).toEqual(['lost', 'lost', 'opened', 'won', 'won'])
  })

  it.for([
    ['nobody has defended is lost', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost', 'lost', { losses: 1_999, sales: -1_999 }],
    [
      'its bank lets rest is won',
      'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
      'Won',
      'won',
      { processor: 1_999, sales: -1_999 },
    ],
  ] as const)('a chargeback that %s', async ([, eventCode, disputeStatus, status, balances]) => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const dispute = { originalReference, merchantReference, pspReference: `DSP${payment.id.slice(-13)}` }
    const about = { ...dispute, amount: { value: 1_999, currency: 'USD' }, reason: 'Fraud' }
    await double.tell({ ...about, eventCode: 'CHARGEBACK', additionalData: { disputeStatus: 'Undefended' } })
    await double.tell({ ...about, eventCode, additionalData: { disputeStatus } })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'chargeback', status }])
    expect(await balancesOf(payment.id, platform())).toEqual(balances)
  })

  test('a question of a bank that is not answered in time has taken no money', async () => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const dispute = { originalReference, merchantReference, pspReference: `RFI${payment.id.slice(-13)}` }
    const about = { ...dispute, amount: { value: 1_999, currency: 'USD' } }
    await double.tell({
      ...about,
      eventCode: 'REQUEST_FOR_INFORMATION',
      additionalData: { disputeStatus: 'Unresponded' },
    })
    await double.tell({
      ...about,
      eventCode: 'DISPUTE_DEFENSE_PERIOD_ENDED',
      additionalData: { disputeStatus: 'Expired' },
    })
    expect((await read(payment.id)).disputes).toMatchObject([{ kind: 'inquiry', status: 'open' }])
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  test('a notification that is not signed, or of another merchant account, changes nothing', async () => {
    const payment = await pay()
    const { pspReference: originalReference, reference: merchantReference } = bookedOf(payment)
    const body = await double.tell({
      eventCode: 'CHARGEBACK',
      merchantAccountCode: 'AnotherCOM',
      merchantReference,
      originalReference,
      amount: { value: 1_999, currency: 'USD' },
    })
    const item = JSON.parse(body).notificationItems[0].NotificationRequestItem
    expect((await tell(signed({ ...item, merchantAccountCode: MERCHANT_ACCOUNT }, 'ff'.repeat(32)))).status).toBe(400)
    expect((await tell(body.replace('AnotherCOM', MERCHANT_ACCOUNT))).status).toBe(400)
    expect((await tell('{}')).status).toBe(400)
    expect((await read(payment.id)).disputes).toEqual([])
    expect(double.problems).toEqual([])
  })
})
