import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { cascadeStopReason, type RetryRules } from './next-attempt.ts'

const asNetworksDo = { headers: { 'Tillwright-Fault': 'network=retry_limit' } }

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('a card that was declined as often as its network allows is not tried until that time is over', async () => {
    const { flow } = await newFlow(platform(), 0)
    const { id } = await newInstrument(platform(), { number: '4000000000009995' })
    const request = { paymentInstrumentId: id, paymentFlowId: flow.id }
    for (let i = 0; i < 20; i++) {
      expect((await requestPayment(platform(), request, asNetworksDo)).error.code).toBe('insufficient_funds')
    }
    const { error } = await requestPayment(platform(), request, asNetworksDo)
    expect(error.message).toMatch(/not tried: it has been declined as often as its network allows .*Visa 20 times/)
    expect(error).toMatchObject({ code: 'card_declined', declineCode: 'retry_limit_reached' })
    const params = { paymentId: error.paymentId ?? '' }
    expect(await platform().call(contract.payments.get, { params })).toMatchObject({
      status: 'declined',
      attempts: [],
      routing: { stopped: 'scheme_limit' },
    })
    platform().clock.advance(30 * 86_400_000)
    expect((await requestPayment(platform(), request, asNetworksDo)).error.code).toBe('insufficient_funds')
  })

  test('a card whose issuer will never approve it is not tried again, in another payment either', async () => {
    const { flow } = await newFlow(platform(), 0)
    const { id } = await newInstrument(platform(), { number: '4000000000009979' })
    const request = { paymentInstrumentId: id, paymentFlowId: flow.id }
    expect((await requestPayment(platform(), request, asNetworksDo)).error.declineCode).toBe('stolen_card')
    const { error } = await requestPayment(platform(), { ...request, amount: 100 }, asNetworksDo)
    expect(error).toMatchObject({ code: 'card_declined', declineCode: 'retry_forbidden' })
    const params = { paymentId: error.paymentId ?? '' }
    expect(await platform().call(contract.payments.get, { params })).toMatchObject({
      attempts: [],
      routing: { stopped: 'retry_forbidden' },
    })
  })

  test('outside production a test card may be declined any number of times, and then pay', async () => {
    const { flow } = await newFlow(platform(), 0)
    const { id } = await newInstrument(platform())
    const request = { paymentInstrumentId: id, paymentFlowId: flow.id }
    for (let i = 0; i < 21; i++) {
      expect((await requestPayment(platform(), { ...request, amount: 200_051 })).error.code).toBe('insufficient_funds')
    }
    expect((await requestPayment(platform(), request)).body).toMatchObject({ status: 'succeeded' })
  })

  test('payments that wait for the buyer’s authentication do not use a card up', async () => {
    const { flow } = await newFlow(platform(), 1)
    const { id } = await newInstrument(platform(), { number: '4000002760003184' })
    for (let i = 0; i < 21; i++) {
      const request = { paymentInstrumentId: id, paymentFlowId: flow.id }
      const { body } = await requestPayment(platform(), request, asNetworksDo)
      expect(body).toMatchObject({ status: 'requires_action', attempts: [{ status: 'declined' }] })
    }
  })

  test.for([
    ['currencies', { currencies: ['EUR'] }, 'currency_unsupported'],
    ['networks', { brands: ['amex'] }, 'brand_unsupported'],
  ] as const)('a processor is asked for its own %s alone', async ([, config, reason]) => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    await platform().services.db.write([
      { sql: 'UPDATE processors SET config = ? WHERE id = ?', params: [JSON.stringify(config), processorIds[0] ?? ''] },
    ])
    const { id } = await newInstrument(platform())
    const answer = await requestPayment(platform(), { paymentInstrumentId: id, paymentFlowId: flow.id })
    expect(answer.body).toMatchObject({
      status: 'succeeded',
      attempts: [{ processorId: processorIds[1], decision: { dropped: [{ processorId: processorIds[0], reason }] } }],
    })
  })
})

const advice = null
const flow: RetryRules = { strategy: 'cascade', fallbackMode: true, maxFallbackRetries: 2 }

test.for(['soft_decline', 'technical_failure'] as const)(
  'after a %s there are as many retries as allowed',
  (outcome) => {
    expect([1, 2, 3].map((attempts) => cascadeStopReason({ outcome, advice }, attempts, flow))).toEqual([
      null,
      null,
      'retries_used_up',
    ])
    expect(cascadeStopReason({ outcome, advice }, 1, { ...flow, fallbackMode: false })).toBe('fallback_off')
    expect(cascadeStopReason({ outcome, advice }, 1, { ...flow, strategy: 'simple' })).toBe('single_processor')
  },
)

test.for(['hard_decline', 'authentication_required'] as const)('after a %s there are none', (outcome) => {
  expect(cascadeStopReason({ outcome, advice }, 1, flow)).toBe(outcome)
})

test('where the network asks to wait, no other processor is tried', () => {
  const waits = ['24', '25', '26', '27', '28', '29', '30']
  const stops = waits.map((each) => cascadeStopReason({ outcome: 'soft_decline', advice: each }, 1, flow))
  expect(new Set(stops)).toEqual(new Set(['retry_too_early']))
  expect(cascadeStopReason({ outcome: 'soft_decline', advice: '02' }, 1, flow)).toBeNull()
})
