import { contract, type PaymentFlow } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatforms } from '../../test/shared-platforms.ts'
import { testableEngines } from '../../test/test-platform.ts'

type Limits = NonNullable<PaymentFlow['abuseDetectionConfig']>

const lenient: Limits = {
  enabled: true,
  windowSeconds: 600,
  maxAttemptsPerIp: 1_000,
  maxAttemptsPerCard: 1_000,
  maxDistinctCardsPerCustomer: 1_000,
  action: 'block',
  blockSeconds: 3_600,
}

describe.each(testableEngines())('on %s', (engine) => {
  const platforms = sharedPlatforms(engine)
  const platform = () => platforms()[0]

  /** Pays through a flow with limits, on each platform in turn. */
  async function shopWith(limits: Partial<Limits>) {
    const { flow } = await newFlow(platform(), 0, { abuseDetectionConfig: { ...lenient, ...limits } })
    let turns = 0
    return async (paymentInstrumentId: string, buyerIp?: string) => {
      const serverContext = platforms()[turns++ % platforms().length] ?? platform()
      const order = { paymentInstrumentId, paymentFlowId: flow.id, storeId: platform().local.storeId, buyerIp }
      const answer = await requestPayment(serverContext, order, { key: platform().local.apiKey })
      return answer.status === 201 ? contract.payments.create.response.parse(answer.body) : answer.error.code
    }
  }

  const paid = expect.objectContaining({ status: 'succeeded' })

  test('one card may be tried as often as the flow says, and then the block lasts as long as it says', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 2 })
    const { id } = await newInstrument(platform())
    const again = await newInstrument(platform()) // the same number of another customer
    expect([await pay(id), await pay(again.id), await pay(id), await pay(again.id)]).toEqual([
      paid,
      paid,
      'abuse_blocked',
      'abuse_blocked',
    ])
    const payments = await platform().services.db.read(
      'SELECT status FROM payments WHERE payment_instrument_id IN (?, ?)',
      [id, again.id],
    )
    expect(payments).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }])
    const other = await newInstrument(platform(), { number: '5555555555554444' })
    expect(await pay(other.id)).toEqual(paid)
    platform().clock.advance(3_599_999)
    expect(await pay(id)).toBe('abuse_blocked')
    platform().clock.advance(1)
    expect(await pay(id)).toEqual(paid)
  })

  test('attempts are counted within the window alone, and declined ones count as well', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 1, windowSeconds: 60, blockSeconds: 1 })
    const { id } = await newInstrument(platform(), { number: '4000000000000002' })
    expect([await pay(id), await pay(id)]).toEqual(['card_declined', 'abuse_blocked'])
    platform().clock.advance(59_999)
    expect(await pay(id)).toBe('abuse_blocked')
    platform().clock.advance(1_000)
    expect(await pay(id)).toBe('card_declined')
  })

  test('attempts from one address are counted, those of IPv6 by the block that a buyer has', async () => {
    const pay = await shopWith({ maxAttemptsPerIp: 1 })
    const { id } = await newInstrument(platform())
    expect([await pay(id, '203.0.113.7'), await pay(id, '203.0.113.7')]).toEqual([paid, 'abuse_blocked'])
    expect([await pay(id, '203.0.113.8'), await pay(id), await pay(id)]).toEqual([paid, paid, paid])
    expect([await pay(id, '2001:db8::1'), await pay(id, '2001:db8::2')]).toEqual([paid, 'abuse_blocked'])
  })

  test('different cards of one customer are counted, each once', async () => {
    const pay = await shopWith({ maxDistinctCardsPerCustomer: 2 })
    const first = await newInstrument(platform())
    const of = { customerId: first.customerId }
    const second = await newInstrument(platform(), { ...of, number: '5555555555554444' })
    const third = await newInstrument(platform(), { ...of, number: '4012888888881881' })
    const answers = [await pay(first.id), await pay(second.id), await pay(first.id), await pay(third.id)]
    expect(answers).toEqual([paid, paid, paid, 'abuse_blocked'])
  })

  test('of many attempts at once no more pass than the limit says', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 3 })
    const { id } = await newInstrument(platform())
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(id)))
    expect(answers.filter((answer) => answer !== 'abuse_blocked')).toEqual([paid, paid, paid])
  })

  test('a flow that flags lets the payment pass, and its record says which limits it went over', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 1, maxAttemptsPerIp: 1, action: 'flag' })
    const { id } = await newInstrument(platform())
    expect(await pay(id, '203.0.113.7')).toMatchObject({ routing: { overLimits: [], abuseAction: 'none' } })
    expect(await pay(id, '203.0.113.7')).toMatchObject({
      status: 'succeeded',
      routing: { overLimits: ['maxAttemptsPerCard', 'maxAttemptsPerIp'], abuseAction: 'flag' },
    })
  })

  test('a flow that challenges charges no buyer who has not authenticated', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 1, action: 'challenge_3ds' })
    const { id } = await newInstrument(platform())
    expect(await pay(id)).toEqual(paid)
    expect(await pay(id)).toMatchObject({
      status: 'requires_action',
      requireAction: 'threeds_auth',
      nextAction: { type: 'threeds_auth' },
      attempts: [],
      routing: { overLimits: ['maxAttemptsPerCard'], abuseAction: 'challenge_3ds', stopped: null },
    })
  })

  test('payments without a card are counted by their address alone', async () => {
    const { flow } = await newFlow(platform(), 0, {
      abuseDetectionConfig: { ...lenient, maxAttemptsPerCard: 1, maxDistinctCardsPerCustomer: 1, maxAttemptsPerIp: 2 },
    })
    const voucher = async (buyerIp?: string) => {
      const { customerId } = await newInstrument(platform())
      const method = { paymentMethod: { type: 'voucher' }, currency: 'EUR', customerId }
      const answer = await requestPayment(platform(), { ...method, paymentFlowId: flow.id, buyerIp })
      return answer.status === 201 ? answer.status : answer.error.code
    }
    expect([await voucher('203.0.113.7'), await voucher('203.0.113.8'), await voucher()]).toEqual([201, 201, 201])
    expect([await voucher('203.0.113.7'), await voucher('203.0.113.7')]).toEqual([201, 'abuse_blocked'])
  })

  test('a flow whose abuse detection is off counts nothing', async () => {
    const pay = await shopWith({ maxAttemptsPerCard: 1, enabled: false })
    const { id } = await newInstrument(platform())
    expect([await pay(id), await pay(id)]).toEqual([paid, paid])
  })
})
