import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { beginSession, filledPage, payPage } from '../test/buyer-session.ts'
import { newInstrument, requestPayment } from '../test/pay-with-card.ts'
import { newFlow } from '../test/payments/new-flow.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

// The attacker knows the e-mail address of a customer, and nothing else of theirs. They want to keep that customer from
// paying, or to learn or change something about them.

const cards = ['4000000000000002', '4000000000009995', '4000000000000069', '4012888888881881'] as const
const MASTERCARD = '5555555555554444'
/** Of strangers; a flow blocks after three cards. */
const SESSIONS = soaks ? 40 : 6

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  let victims = 0

  /** A customer whom the merchant's server knows, with a card, in a store whose flow blocks after three cards. */
  async function shopWithCustomer() {
    const { local, call } = platform()
    const abuseDetectionConfig = {
      enabled: true,
      windowSeconds: 600,
      maxAttemptsPerIp: 1_000,
      maxAttemptsPerCard: 1_000,
      maxDistinctCardsPerCustomer: 3,
      action: 'block' as const,
      blockSeconds: 3_600,
    }
    const { flow, processorIds } = await newFlow(platform(), 1, { abuseDetectionConfig, stickyProcessorEnabled: true })
    await platform().services.db.write([
      {
        sql: 'UPDATE stores SET selected_payment_flow_id = ? WHERE account_id = ? AND id = ?',
        params: [flow.id, local.accountId, local.storeId],
      },
    ])
    victims += 1
    const email = `victim-${victims}-${engine}@example.com`
    const made = await newInstrument(platform(), { customerData: { email } })
    const saved = await newInstrument(platform(), { customerId: made.customerId, number: MASTERCARD })
    const payAs = (paymentInstrumentId: string) =>
      requestPayment(platform(), { paymentInstrumentId, paymentFlowId: flow.id })
    return { email, customerId: made.customerId, saved, payAs, flow, processorIds, call }
  }

  /** A session of a stranger who says that they are the customer. */
  async function strangerAs(email: string) {
    const { token } = await beginSession(platform())
    const page = await filledPage(platform(), { token })
    await page.call(contract.session.setContact, { body: { email } })
    return page
  }

  test('four test cards under a customer’s e-mail address block the session that tried them, and not the customer', async () => {
    const { email, saved, payAs } = await shopWithCustomer()
    const page = await strangerAs(email)
    const codes: unknown[] = []
    for (const card of cards) codes.push((await payPage(platform(), page, card)).error.code)
    expect(codes.slice(0, 3)).not.toContain('abuse_blocked')
    expect(codes[3]).toBe('abuse_blocked')
    expect((await payAs(saved.id)).status).toBe(201)
  })

  test(`so do ${SESSIONS} sessions of one card each`, async () => {
    const { email, saved, payAs } = await shopWithCustomer()
    for (let i = 0; i < SESSIONS; i++) await payPage(platform(), await strangerAs(email), cards[i % 3])
    expect((await payAs(saved.id)).status).toBe(201)
  })

  test('an address that was said before its owner is known locks its owner out neither', async () => {
    const { payAs, flow } = await shopWithCustomer()
    const email = `unknown-${engine}@example.com`
    const page = await strangerAs(email)
    for (const card of cards) await payPage(platform(), page, card)
    const owner = await newInstrument(platform(), { customerData: { email }, number: MASTERCARD })
    expect(owner.customerId).not.toBe(page.session.customer.id)
    const saved = await newInstrument(platform(), { customerId: owner.customerId, number: MASTERCARD })
    expect([(await payAs(owner.id)).status, (await payAs(saved.id)).status]).toEqual([201, 201])
    expect(flow.abuseDetectionConfig?.maxDistinctCardsPerCustomer).toBe(3)
  })

  test('the address that a shop’s server passes on from its guests counts against the card form only', async () => {
    const { email, saved, payAs } = await shopWithCustomer()
    for (const number of cards) {
      const { id, customerId } = await newInstrument(platform(), { customerData: { email }, number })
      expect(customerId).toBe(saved.customerId)
      await payAs(id)
    }
    expect((await payAs(saved.id)).status).toBe(201)
  })

  test('nothing of the customer is read, used or changed', async () => {
    const { email, customerId, saved, payAs, call } = await shopWithCustomer()
    await payAs(saved.id)
    const rowsOf = async () => [
      await platform().services.db.read('SELECT * FROM customers WHERE id = ?', [customerId]),
      await platform().services.db.read('SELECT * FROM payment_instruments WHERE customer_id = ? ORDER BY id', [
        customerId,
      ]),
      await platform().services.db.read('SELECT count(*) AS n FROM events WHERE customer_id = ?', [customerId]),
    ]
    const before = await rowsOf()
    const page = await strangerAs(email)
    const paid = await payPage(platform(), page)
    expect(paid.status).toBe(201)
    const { orderId, id } = contract.session.pay.response.parse(paid.body)
    const order = await call(contract.orders.get, { params: { orderId } })
    const payment = await call(contract.payments.get, { params: { paymentId: id } })
    expect([order.customerId, payment.customerId]).toEqual([page.session.customer.id, page.session.customer.id])
    expect(payment.attempts[0]?.decision.sticky).toBe('none')
    const theirs = await page.send('POST', '/pay', { body: { paymentInstrumentId: saved.id, expectedAmount: 4_800 } })
    expect(theirs.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(await page.call(contract.session.get, {}))).not.toContain(customerId)
    expect(await rowsOf()).toEqual(before)
  })
})
