import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('a card that was declined as often as its network allows is not tried until that time is over', async () => {
    const { flow } = await newFlow(platform(), 0)
    const { id } = await newInstrument(platform(), { number: '4000000000009995' })
    const request = { paymentInstrumentId: id, paymentFlowId: flow.id }
    for (let i = 0; i < 20; i++) {
      expect((await requestPayment(platform(), request)).error.code).toBe('insufficient_funds')
    }
    const { error } = await requestPayment(platform(), request)
    expect(error).toMatchObject({ code: 'card_declined', declineCode: 'retry_limit_reached' })
    const params = { paymentId: error.paymentId ?? '' }
    expect(await platform().call(contract.payments.get, { params })).toMatchObject({
      status: 'declined',
      attempts: [],
      routing: { stopped: 'scheme_limit' },
    })
    platform().clock.advance(30 * 86_400_000)
    expect((await requestPayment(platform(), request)).error.code).toBe('insufficient_funds')
  })

  test.for([
    ['currencies', { currencies: ['EUR'] }, 'currency_unsupported'],
    ['networks', { brands: ['amex'] }, 'brand_unsupported'],
  ] as const)('a processor is asked for its own %s alone', async ([, config, reason]) => {
    const { flow, processorIds } = await newFlow(platform(), 1)
    await platform().parts.db.write([
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
