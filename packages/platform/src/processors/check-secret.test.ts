import { contract } from '@tillwright/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { ADYEN_KEY, MERCHANT_ACCOUNT, startAdyenDouble } from '../../test/processors/adyen/adyen-double.ts'
import { CHANNEL, CHECKOUT_KEY, startCheckoutDouble } from '../../test/processors/checkout-com/checkout-double.ts'
import { CLIENT_ID, CLIENT_SECRET, startPayPalDouble } from '../../test/processors/paypal/paypal-double.ts'
import type { StandIn } from '../../test/processors/stand-in.ts'
import { DOUBLE_KEY, startStripeDouble } from '../../test/processors/stripe/stripe-double.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform } from '../../test/test-platform.ts'

const { check, create } = contract.processors
const platform = sharedPlatform({})

const doubles: StandIn[] = []
afterAll(() => doubles.forEach((double) => double.stop()))
async function begun<Double extends StandIn>(double: Promise<Double>): Promise<Double> {
  doubles.push(await double)
  return double
}

interface Checked {
  driver: string
  start: () => Promise<StandIn>
  secret: string
  /** In the form of the driver's secrets, and nobody's. */
  other: string
  settings?: object
}

const kinds: Checked[] = [
  { driver: 'stripe', start: startStripeDouble, secret: DOUBLE_KEY, other: 'sk_test_another' },
  {
    driver: 'adyen',
    start: startAdyenDouble,
    secret: ADYEN_KEY,
    other: ADYEN_KEY.toLowerCase(),
    settings: { merchantAccount: MERCHANT_ACCOUNT },
  },
  {
    driver: 'checkout_com',
    start: startCheckoutDouble,
    secret: CHECKOUT_KEY,
    other: CHECKOUT_KEY.replace('o2', 'o3'),
    settings: { processingChannelId: CHANNEL },
  },
  {
    driver: 'paypal',
    start: startPayPalDouble,
    secret: CLIENT_SECRET,
    other: CLIENT_SECRET.toLowerCase(),
    settings: { clientId: CLIENT_ID },
  },
]

describe.each(kinds)('the secret of $driver', ({ driver, start, secret, other, settings }) => {
  async function checked(double: StandIn, given: { secret: string; settings?: object }) {
    const body = {
      name: driver,
      driver,
      secret: given.secret,
      settings: { ...settings, ...given.settings, apiUrl: double.url },
    }
    const { id: processorId } = await platform().call(create, { body })
    const { outcome, reason } = await platform().call(check, { params: { processorId } })
    return `${outcome}: ${reason}`
  }

  test('is accepted, by requests that leave nothing on its books', async () => {
    const double = await begun(start())
    expect(await checked(double, { secret })).toBe('accepted: null')
    expect(double.calls.length).toBeGreaterThan(0)
    for (const { method, path } of double.calls) {
      expect(method === 'GET' || /\/(paymentMethods|oauth2\/token)$/.test(path), `${method} ${path}`).toBe(true)
    }
  })

  test('is refused where it is another, and what is told of that does not have it', async () => {
    const refusal = await checked(await begun(start()), { secret: other })
    expect(refusal).toMatch(/^refused: .*401/)
    expect(refusal).not.toContain(other)
  })

  test.for(['server_error', 'too_many', 'reset_before', 'reset_after'] as const)(
    'is not judged by: %s',
    async (how) => {
      const double = await begun(start())
      double.disturb(/./, how)
      expect(await checked(double, { secret })).toMatch(/^no_answer: /)
    },
  )
})

test('while a secret is refused the log says why payments and refunds fail, and a new one mends that within a second', async () => {
  const double = await begun(startStripeDouble())
  const { call, request, clock, logged } = platform()
  const settings = { apiUrl: double.url }
  const body = { name: 'Stripe', driver: 'stripe', secret: DOUBLE_KEY, settings }
  const { id: processorId, revision } = await call(create, { body })
  const data = { name: 'Stripe', strategy: 'simple' as const, processorConfigs: [{ processorId }] }
  const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data } })
  const { id: paymentInstrumentId } = await newInstrument(platform())
  const paid = async () => requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
  const replaced = async (secret: string, before: number) => {
    const sent = { params: { processorId }, body: { secret, revision: before } }
    const changed = await call(contract.processors.update, sent)
    clock.advance(1_000)
    return changed.revision
  }
  const before = contract.payments.create.response.parse((await paid()).body)

  const spoilt = await replaced('sk_test_another', revision)
  const from = logged.length
  expect((await paid()).error.code).toBe('processing_error')
  const path = contract.payments.refund.path.replace('{paymentId}', before.id)
  expect((await request('POST', path, { body: { amount: 500 } })).error.code).toBe('upstream_failed')
  const said = logged
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 40)
  expect(said).toMatchObject([
    {
      msg: 'a processor did not begin an attempt',
      processorId,
      reason: expect.stringMatching(/AuthenticationError 401/),
    },
    {
      msg: expect.stringContaining('refused a refund'),
      processorId,
      paymentId: before.id,
      reason: expect.stringMatching(/AuthenticationError 401/),
    },
  ])
  expect(JSON.stringify(said)).not.toContain('sk_test')

  await replaced(DOUBLE_KEY, spoilt)
  expect(contract.payments.create.response.parse((await paid()).body).status).toBe('succeeded')
  expect((await request('POST', path, { body: { amount: 500 } })).status).toBe(200)
})

test('a merchant account that the key is not of is refused with it', async () => {
  const double = await begun(startAdyenDouble())
  const settings = { merchantAccount: 'AnotherShop', apiUrl: double.url }
  const { id: processorId } = await platform().call(create, {
    body: { name: 'Adyen', driver: 'adyen', secret: ADYEN_KEY, settings },
  })
  expect(await platform().call(check, { params: { processorId } })).toEqual({
    processorId,
    outcome: 'refused',
    reason: 'status 403, 901',
  })
})

test('a simulated processor has none, and one of another account is not found', async () => {
  const simulated = await platform().call(create, { body: { name: 'Simulated', driver: 'simulator' } })
  const at = (id: string) => check.path.replace('{processorId}', id)
  const key = platform().local.adminApiKey
  const none = await platform().request('POST', at(simulated.id), { key })
  expect([none.status, none.error.code]).toEqual([409, 'state_conflict'])
  expect(none.error.message).toContain('has no secret that could be checked')
  const missing = await platform().request('POST', at('processor_01hzzzzzzzzzzzzzzzzzzzzzzz'), { key })
  expect([missing.status, missing.error.param]).toEqual([404, 'processorId'])
})
