import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { balancesOf, eventsOf, shopsMoney } from '../../../test/payments/money-of.ts'
import { newInstrument } from '../../../test/pay-with-card.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

/** Test accounts of debits: paid, refused at once or later, and paid and sent back by the buyer's bank. */
const PAID = 'AT61 1904 3002 3457 3201'
const REFUSED = 'AT86 1904 3002 3547 3202'
const REFUSED_LATER = 'AT05 1904 3002 3547 3205'
const RETURNED = 'AT59 1904 3002 3547 3203'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const order = (orderId: string) => platform().call(contract.orders.get, { params: { orderId } })

  async function ask(paymentMethod: object, change: object = {}) {
    const { customerId } = await newInstrument(platform())
    const { storeId } = platform().local
    const body = { storeId, customerId, paymentMethod, currency: 'EUR', amount: 1_999, ...change }
    return platform().request('POST', contract.payments.create.path, { body })
  }

  async function begun(paymentMethod: object, change: object = {}): Promise<Payment> {
    const answer = await ask(paymentMethod, change)
    expect(answer.status, answer.text).toBe(201)
    return contract.payments.create.response.parse(answer.body)
  }

  const ideal = () => begun({ type: 'ideal' }, { returnUrl: 'https://shop.example/thanks?cart=1' })

  /** Makes the buyer's choice on the bank's page; returns the address that their browser is sent to. */
  async function choose({ nextAction, paymentMethod }: Payment, choice: string): Promise<string | null> {
    const url = nextAction?.type === 'redirect' ? nextAction.url : (paymentMethod.voucher?.url ?? '')
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })
    return answer.headers.get('location')
  }

  /** The buyer's browser follows, as far as the shop. */
  async function comeBack(to: string | null): Promise<string | null> {
    const answer = await fetch(to ?? '', { redirect: 'manual' })
    expect(answer.status).toBe(303)
    return answer.headers.get('location')
  }

  /** Time goes by until the payment stands there. */
  const becomes = (paymentId: string, status: Payment['status'], stepMs = 5_001) =>
    expect
      .poll(async () => (platform().clock.advance(stepMs), (await read(paymentId)).status), { timeout: 60_000 })
      .toBe(status)

  test('a buyer who pays at their bank comes back to a payment that has succeeded', async () => {
    const payment = await ideal()
    expect(payment).toMatchObject({
      status: 'requires_action',
      requireAction: 'redirect',
      nextAction: { type: 'redirect', url: expect.stringContaining('/acs/pay/') },
      paymentMethod: { type: 'ideal' },
      paymentInstrumentId: null,
      attempts: [{ status: 'processing', outcome: 'redirect' }],
    })
    expect(await read(payment.id)).toEqual(payment)
    const shop = await comeBack(await choose(payment, 'pay'))
    expect(shop).toBe(`https://shop.example/thanks?cart=1&paymentId=${payment.id}`)
    expect(await read(payment.id)).toMatchObject({
      status: 'succeeded',
      requireAction: 'none',
      nextAction: null,
      expiresAt: null,
      capturedAmount: 1_999,
      attempts: [{ status: 'succeeded', outcome: 'succeeded', fee: { currency: 'EUR' } }],
    })
    expect((await order(payment.orderId)).status).toBe('paid')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  test('a buyer who cancels there comes back to a payment that is declined', async () => {
    const payment = await ideal()
    await comeBack(await choose(payment, 'cancel'))
    expect(await read(payment.id)).toMatchObject({ status: 'declined', declineCode: 'buyer_canceled' })
    expect(await balancesOf(payment.id, platform())).toEqual({})
  })

  it('a buyer who pays and never comes back has paid all the same', async () => {
    const payment = await ideal()
    await choose(payment, 'pay')
    await becomes(payment.id, 'succeeded')
    expect(await balancesOf(payment.id, platform())).toEqual({ processor: 1_999, sales: -1_999 })
  })

  it('a buyer who does nothing has a payment that ends with its time', async () => {
    const payment = await ideal()
    await becomes(payment.id, 'declined', MINUTE_MS)
    expect(await read(payment.id)).toMatchObject({ declineCode: 'payment_expired' })
    expect(Date.parse(payment.expiresAt ?? '')).toBeLessThanOrEqual(platform().clock.now())
  })

  it('money that comes after the time is booked, and given back', async () => {
    const payment = await ideal()
    await comeBack(await choose(payment, 'late'))
    expect(await read(payment.id)).toMatchObject({ status: 'declined', declineCode: 'payment_expired' })
    await becomes(payment.id, 'refunded', 10_000)
    expect(await read(payment.id)).toMatchObject({
      routing: { paidLate: true },
      capturedAmount: 1_999,
      refundedAmount: 1_999,
      attempts: [{ status: 'succeeded' }],
    })
    expect((await order(payment.orderId)).status).toBe('pending')
    expect(await balancesOf(payment.id, platform())).toEqual({ sales: -1_999, refunds: 1_999 })
    const events = await eventsOf(payment, platform())
    expect(events).toContain('s_payment_paid_late')
    expect(events).not.toContain('s_payment_succeeded')
    const { ledger, statistics } = await shopsMoney('EUR', platform())
    expect(statistics).toEqual(ledger)
  })

  it('a debit is pending until its bank has paid', async () => {
    const payment = await begun({ type: 'sepa_debit', iban: PAID, holderName: 'Ada Byrne', mandateAccepted: true })
    expect(payment).toMatchObject({
      status: 'processing',
      paymentMethod: { type: 'sepa_debit', sepaDebit: { ibanLast4: '3201' } },
      attempts: [{ status: 'processing', outcome: 'pending' }],
    })
    expect(await eventsOf(payment, platform())).toContain('s_payment_pending')
    await becomes(payment.id, 'succeeded', 10_000)
    const rows = await platform().services.db.read('SELECT method FROM payments WHERE id = ?', [payment.id])
    expect(JSON.stringify(rows)).not.toContain('190430')
  })

  test('a debit that its bank refuses is declined', async () => {
    const answer = await ask({ type: 'sepa_debit', iban: REFUSED, holderName: 'Ada Byrne', mandateAccepted: true })
    expect([answer.status, answer.error.code]).toEqual([402, 'card_declined'])
  })

  it('a debit that its bank refuses later is declined then', async () => {
    const method = { type: 'sepa_debit', iban: REFUSED_LATER, holderName: 'Ada Byrne', mandateAccepted: true }
    const payment = await begun(method)
    await becomes(payment.id, 'declined', 10_000)
    expect(await read(payment.id)).toMatchObject({ declineCode: 'debit_refused' })
  })

  it('a debit that comes back is a chargeback that is lost', async () => {
    const payment = await begun({ type: 'sepa_debit', iban: RETURNED, holderName: 'Ada Byrne', mandateAccepted: true })
    await becomes(payment.id, 'succeeded', 10_000)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).disputes), { timeout: 60_000 })
      .toMatchObject([{ kind: 'chargeback', status: 'lost', reason: 'debit_returned', amount: 1_999 }])
    expect(await balancesOf(payment.id, platform())).toEqual({ losses: 1_999, sales: -1_999 })
  })

  it('a voucher shows its code, and is paid at a till or runs out', async () => {
    const paid = await begun({ type: 'voucher' })
    expect(paid).toMatchObject({ status: 'processing', paymentMethod: { voucher: { code: expect.any(String) } } })
    expect(await choose(paid, 'pay')).toBeNull()
    await becomes(paid.id, 'succeeded')
    const left = await begun({ type: 'voucher' })
    await becomes(left.id, 'declined', DAY_MS)
    expect(await read(left.id)).toMatchObject({ declineCode: 'payment_expired' })
  })

  test.for([
    [{ type: 'ideal' }, {}, 'returnUrl'],
    [{ type: 'voucher' }, { returnUrl: 'https://shop.example/' }, 'returnUrl'],
    [{ type: 'voucher' }, { customerId: undefined }, 'customerId'],
    [{ type: 'voucher' }, { captureMethod: 'manual' }, 'captureMethod'],
    [{ type: 'sepa_debit', iban: 'AT61', holderName: 'A', mandateAccepted: true }, {}, 'paymentMethod.iban'],
    [{ type: 'sepa_debit', iban: PAID, holderName: 'A', mandateAccepted: false }, {}, 'paymentMethod.mandateAccepted'],
  ] as const)('%j with %j is refused for %s', async ([method, change, param]) => {
    const answer = await ask(method, change)
    expect([answer.status, answer.error.param]).toEqual([400, param])
  })

  test('a payment is returned to only by its own URL', async () => {
    const { apiUrl } = platform()
    expect((await fetch(`${apiUrl}/v1/payments/return/AAAA.${'A'.repeat(43)}`)).status).toBe(404)
  })
})
