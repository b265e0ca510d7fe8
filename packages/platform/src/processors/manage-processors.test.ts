import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import { wantedProcessor } from '../../test/new-processor.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { DOUBLE_KEY, startStripeDouble } from '../../test/processors/stripe/stripe-double.ts'
import { ruleTest, sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { openProcessorSecret } from './settings.ts'
import { keptWebhookSecrets, openWebhookSecrets } from './webhook-secret.ts'

const { create, update, get, list, listDrivers } = contract.processors
const other = 'sk_test_anotherKeyOfTheSameAccount'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const made = () => platform().call(create, { body: wantedProcessor })
  const patch = (processorId: string, body: object) =>
    platform().request('PATCH', update.path.replace('{processorId}', processorId), {
      key: platform().local.adminApiKey,
      body,
    })

  async function secretsOf(id: string) {
    const { services, local } = platform()
    const [row] = await services.db.read('SELECT sealed_secret FROM processors WHERE id = ?', [id])
    const kept = await keptWebhookSecrets({ id, accountId: local.accountId }, services.db)
    return [
      openProcessorSecret(String(row?.['sealed_secret']), id, services),
      ...openWebhookSecrets(kept, id, services),
    ]
  }

  it('a new processor is read and listed as it was answered', async () => {
    const processor = await made()
    const { name, driver, settings } = wantedProcessor
    expect(processor).toMatchObject({ name, driver, settings, hasSecret: true, hasWebhookSecret: true, revision: 1 })
    expect(await platform().call(get, { params: { processorId: processor.id } })).toEqual(processor)
    const { data } = await platform().call(list, { query: { driver: 'stripe', limit: 100 } })
    expect(data).toContainEqual(processor)
    expect(data.map((each) => each.driver)).not.toContain('simulator')
    expect(await secretsOf(processor.id)).toEqual([wantedProcessor.secret, wantedProcessor.webhookSecret])
  })

  it('an archived one is in the list of archived ones alone, and its secret can still be replaced', async () => {
    const { id } = await made()
    await platform().call(contract.processors.delete, { body: { processorIds: [id] } })
    const idsOf = async (archived: boolean) =>
      (await platform().call(list, { query: { archived, limit: 100 } })).data.map((each) => each.id)
    expect([(await idsOf(false)).includes(id), (await idsOf(true)).includes(id)]).toEqual([false, true])
    const answer = await patch(id, { secret: other, revision: 2 })
    expect(answer.body, answer.text).toMatchObject({ archived: true, revision: 3 })
    expect((await secretsOf(id))[0]).toBe(other)
  })

  it('settings are merged, null clears one, and what stays the same changes nothing', async () => {
    const { id } = await made()
    const brands = ['visa']
    const added = await patch(id, { settings: { brands }, revision: 1 })
    expect(added.body).toMatchObject({ settings: { ...wantedProcessor.settings, brands }, revision: 2 })
    const cleared = await patch(id, { settings: { currencies: null, brands }, revision: 2 })
    expect(update.response.parse(cleared.body).settings).toEqual({ brands, apiUrl: 'http://localhost:9/' })
    const same = await patch(id, { settings: { brands }, name: 'Stripe', revision: 3 })
    expect(same.body).toEqual(cleared.body)
  })

  test('an old revision is refused with the processor as it is', async () => {
    const { id } = await made()
    const renamed = await patch(id, { name: 'Other', revision: 1 })
    const stale = await patch(id, { secret: other, revision: 1 })
    expect([stale.status, stale.error.code]).toEqual([409, 'revision_conflict'])
    expect(stale.body).toMatchObject({ error: { currentRevision: 2, current: renamed.body } })
    expect((await secretsOf(id))[0]).toBe(wantedProcessor.secret)
  })

  test.for<[change: object, param: string, message: string]>([
    [
      { driver: 'strype' },
      'driver',
      "there is no 'strype'; name one of: stripe, adyen, checkout_com, paypal, simulator",
    ],
    [{ secret: undefined }, 'secret', "Stripe's secret key is missing; send it"],
    [{ secret: 'pk_test_abcdef' }, 'secret', 'not a secret key of Stripe'],
    [{ secret: 'sk_live_abcdef' }, 'secret', 'local takes test keys'],
    [{ webhookSecret: 'whsec_short' }, 'webhookSecret', 'begins with whsec_'],
    [{ settings: { currencies: ['USD', 'usd'] } }, 'settings.currencies[1]', 'ISO 4217'],
    [{ settings: { colour: 'red' } }, 'settings.colour', 'no such setting'],
    [{ settings: { merchant: { mcc: '54' } } }, 'settings.merchant.merchantId', 'must be'],
    [{ settings: { apiUrl: '' } }, 'settings.apiUrl', 'http: or https:'],
    [{ settings: { apiUrl: 'ftp://x' } }, 'settings.apiUrl', 'http: or https:'],
    [{ settings: { apiUrl: 'https://u:p@shop.example/' } }, 'settings.apiUrl', 'password'],
    [{ driver: 'simulator', settings: {} }, 'secret', 'the simulator has no secret'],
  ])('%j is refused for %s', async ([change, param, message]) => {
    const body = { ...wantedProcessor, ...change }
    const answer = await platform().request('POST', create.path, { key: platform().local.adminApiKey, body })
    expect([answer.status, answer.error.param], answer.text).toEqual([400, param])
    expect(answer.error.message).toContain(message)
  })

  test('each driver says which settings and secrets its processors have', async () => {
    const { data } = await platform().call(listDrivers, {})
    const stripe = data.find(({ driver }) => driver === 'stripe')
    expect(stripe).toMatchObject({ title: 'Stripe', secret: "Stripe's secret key", movesMoney: true })
    expect(Object.keys(Object(stripe?.settings['properties']))).toEqual([
      'currencies',
      'brands',
      'merchant',
      'acquirer',
      'apiUrl',
    ])
    expect(data.find(({ driver }) => driver === 'simulator')).toMatchObject({ secret: null, movesMoney: false })
  })

  test('the next payment goes out with the new secret, and to the new place, within a second', async () => {
    const double = await startStripeDouble()
    try {
      const { id } = await made()
      const data = { name: 'F', strategy: 'simple' as const, processorConfigs: [{ processorId: id }] }
      const { id: paymentFlowId } = await platform().call(contract.paymentFlows.create, { body: { data } })
      const pay = async () => {
        const { id: paymentInstrumentId } = await newInstrument(platform(), { number: '4242424242424242' })
        return requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
      }
      expect((await pay()).status).not.toBe(201)
      const answer = await patch(id, { settings: { apiUrl: double.url }, secret: DOUBLE_KEY, revision: 1 })
      expect(answer.status, answer.text).toBe(200)
      platform().clock.advance(1_000)
      const paid = await pay()
      expect(paid.status, paid.text).toBe(201)
    } finally {
      double.stop()
    }
  })
})
