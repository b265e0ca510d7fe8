import { contract, type Dispute, type Payment } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { newDispute, newInstrument, pay } from '../../test/pay-with-card.ts'
import { balancesOf, eventsOf } from '../../test/payments/money-of.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { disputes } from './disputes.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })
  const paid = async (number?: string) =>
    pay(platform(), (await newInstrument(platform(), number === undefined ? {} : { number })).id)
  const dispute = ({ id: paymentId }: Payment, body = {}) =>
    platform().request('POST', `/api/payments/v1/payments/${paymentId}/simulate-dispute`, { body })
  const decide = ({ id }: Dispute, outcome: string) =>
    platform().request('POST', `/api/payments/v1/disputes/${id}/simulate-outcome`, { body: { outcome } })
  const refund = ({ id }: Payment, body = {}) =>
    platform().request('POST', `/api/payments/v1/payments/${id}/refund`, { body })

  test.for([
    ['4000000000000259', 'chargeback', { disputes: 1_999, sales: -1_999 }],
    ['4000000000001976', 'inquiry', { processor: 1_999, sales: -1_999 }],
  ] as const)('a payment with %s is disputed by itself, as a %s, once', async ([number, kind, balances]) => {
    const payment = await paid(number)
    expect(payment).toMatchObject({ status: 'succeeded', disputes: [] })
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).disputes), { timeout: 60_000 })
      .toMatchObject([{ kind, status: 'open', reason: 'fraudulent', amount: 1_999, currency: 'USD', closedAt: null }])
    expect(await balancesOf(payment.id, platform())).toEqual(balances)
    const [opened] = (await read(payment.id)).disputes
    const body = await platform().call(contract.disputes.get, { params: { disputeId: opened?.id ?? '' } })
    expect(body).toEqual(opened)
    const left = await platform().services.db.read(
      'SELECT attempt_id FROM simulator_charges WHERE dispute IS NOT NULL',
      [],
    )
    expect(left).toEqual([])
    expect((await eventsOf(payment, platform())).filter((type) => type === 's_dispute_opened')).toHaveLength(1)
  })

  test.for([
    ['chargeback', 'won', { processor: 1_999, sales: -1_999 }],
    ['chargeback', 'lost', { losses: 1_999, sales: -1_999 }],
    ['inquiry', 'won', { processor: 1_999, sales: -1_999 }],
    ['inquiry', 'lost', { losses: 1_999, sales: -1_999 }],
  ] as const)('after a %s that is %s the ledger tells whose the money is', async ([kind, outcome, balances]) => {
    const payment = await paid()
    const opened = contract.disputes.simulate.response.parse((await dispute(payment, { kind })).body)
    const closed = await decide(opened, outcome)
    expect(closed).toMatchObject({ status: 200, body: { ...opened, status: outcome, closedAt: expect.any(String) } })
    expect((await read(payment.id)).disputes).toEqual([closed.body])
    expect(await balancesOf(payment.id, platform())).toEqual(balances)
    expect(await eventsOf(payment, platform())).toContain(`s_dispute_${outcome}`)
    expect((await decide(opened, 'won')).error.code).toBe('state_conflict')
  })

  test('evidence goes to the processor of an open dispute, whose time is not over', async () => {
    const payment = await paid('4000000000000259')
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(payment.id)).disputes), { timeout: 60_000 })
      .toMatchObject([{ status: 'open', evidenceSubmittedAt: null }])
    const [opened] = (await read(payment.id)).disputes
    const path = `/api/payments/v1/disputes/${opened?.id}/evidence`
    const body = { productDescription: 'A pair of wool socks', shippingTrackingNumber: 'JJD000390007' }
    expect((await platform().request('POST', path, { body: {} })).status).toBe(400)
    const sent = await platform().request('POST', path, { body })
    expect(sent, sent.text).toMatchObject({ status: 200, body: { ...opened, evidenceSubmittedAt: expect.any(String) } })
    expect((await read(payment.id)).disputes).toEqual([sent.body])
    expect(await eventsOf(payment, platform())).toContain('s_dispute_evidence_submitted')
    platform().clock.advance(11 * 24 * 3_600_000)
    expect((await platform().request('POST', path, { body })).error.code).toBe('state_conflict')
  })

  test('what is disputed cannot be refunded, unless the dispute is won, and what is refunded cannot be disputed', async () => {
    const payment = await paid()
    const opened = contract.disputes.simulate.response.parse((await dispute(payment, { amount: 1_500 })).body)
    expect((await refund(payment, { amount: 500 })).error).toMatchObject({ code: 'amount_invalid', param: 'amount' })
    expect((await refund(payment)).body).toMatchObject({ status: 'partially_refunded', refundedAmount: 499 })
    expect((await dispute(payment)).error.code).toBe('state_conflict')
    await decide(opened, 'won')
    expect((await dispute(payment, { amount: 1_501 })).error).toMatchObject({ code: 'amount_invalid', param: 'amount' })
    expect((await refund(payment)).body).toMatchObject({ status: 'refunded', refundedAmount: 1_999 })
  })

  it('of two outcomes at once one is recorded', async () => {
    const opened = await newDispute(platform())
    const answers = await Promise.all([decide(opened, 'won'), decide(opened, 'lost')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { status } = await platform().call(contract.disputes.get, { params: { disputeId: opened.id } })
    const balances = await balancesOf(opened.paymentId, platform())
    expect(balances).toEqual(status === 'won' ? { processor: 1_999, sales: -1_999 } : { losses: 1_999, sales: -1_999 })
  })

  test('in production disputes cannot be simulated', async () => {
    const payment = await paid()
    const { services, local } = platform()
    const production = { services: { ...services, environment: 'production' }, caller: { accountId: local.accountId } }
    const request = { params: { paymentId: payment.id }, query: undefined, body: { kind: 'inquiry', reason: 'x' } }
    type Sent = Parameters<typeof disputes.simulate>
    const refused = disputes.simulate(request as Sent[0], production as Sent[1]) // as far as it looks at them
    await expect(refused).rejects.toMatchObject({ code: 'route_not_found' })
  })
})
