import { bankSimulator } from '@tillwright/bank-simulator'
import { contract, LIVE_PROCESSORS_MAX } from '@tillwright/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { DOUBLE_KEY, startStripeDouble, type StripeDouble } from '../../test/processors/stripe/stripe-double.ts'
import { sharedPlatform } from '../../test/test-platform.ts'
import { readConfig } from '../config.ts'
import { commit } from '../http/index.ts'
import { openDrivers } from '../processors/open-drivers.ts'
import { insertProcessor } from '../processors/processors.ts'
import { processorRegistry } from '../processors/registry.ts'
import { simulatorOf } from '../processors/simulator.ts'
import { stripe } from '../processors/stripe/stripe.ts'
import { keptWebhookSecrets, openWebhookSecrets } from '../processors/webhook-secret.ts'
import { systemClock } from '../runtime/index.ts'
import { checkProcessorSecret } from './check-processor.ts'
import { openOperator, type Operator } from './operator.ts'
import type { WantedProcessor } from './processors.ts'

const settings = { currencies: null, brands: null, merchant: null, acquirer: null, apiUrl: null }
const merchant = {
  merchantId: 'M1',
  mcc: '5411',
  merchantName: 'Canvas & Co',
  merchantCountryCode: 'US',
  acquirerBinNetwork1: '400000',
}

const channel = { processingChannelId: 'pc_ovo75iz4hdyudnx6tu74mum3fq' }
/** Neither Adyen's nor PayPal's secrets say more than that they are long. */
const longSecret = 'EstandInForBoth_0123456789-abcdefghijklmnopq'
const checkoutKey = 'sk_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaa*'
const clientId = 'AstandInForPayPal_0123456789-abcdefghijklmnop'

describe('an operator', () => {
  const platform = sharedPlatform()
  let operator: Operator
  let double: StripeDouble
  beforeAll(async () => {
    operator = await openOperator(readConfig({ TILLWRIGHT_HOME: platform().folder }))
    double = await startStripeDouble()
  })
  afterAll(async () => {
    double.stop()
    await operator.close()
  })

  const wanted = (change: Partial<WantedProcessor> = {}): WantedProcessor => ({
    name: 'Stripe',
    driver: 'stripe',
    secret: `${DOUBLE_KEY}\n`,
    settings: { ...settings, apiUrl: double.url },
    ...change,
  })

  /** A payment by a flow of this processor alone. */
  async function payThrough(processorId: string, number: string) {
    const data = { name: 'F', strategy: 'simple' as const, processorConfigs: [{ processorId }] }
    const { id: paymentFlowId } = await platform().call(contract.paymentFlows.create, { body: { data } })
    const { id: paymentInstrumentId } = await newInstrument(platform(), { number })
    return requestPayment(platform(), { paymentInstrumentId, paymentFlowId })
  }

  test('adds Stripe while a platform runs, and the next payment goes there', async () => {
    const { id } = await operator.processors.add(wanted())
    const payment = contract.payments.create.response.parse((await payThrough(id, '4242424242424242')).body)
    const [attempt] = payment.attempts
    expect([payment.status, attempt?.processorId]).toEqual(['succeeded', id])
    const intents = [...double.books.intents.values()]
    expect(intents).toMatchObject([{ metadata: { attempt: attempt?.id }, amount_received: payment.amount }])
    const { db } = platform().services
    const [row] = await db.read('SELECT reference FROM payment_attempts WHERE id = ?', [attempt?.id ?? ''])
    expect(row?.['reference']).toBe(intents[0]?.id)
    const declined = await payThrough(id, '4000000000009995')
    expect([declined.status, declined.error.code]).toEqual([402, 'insufficient_funds'])
  })

  test('sees processors without their secret, which no row holds in the clear', async () => {
    const added = await operator.processors.add(
      wanted({ settings: { ...settings, currencies: ['USD'], brands: ['visa'], merchant } }),
    )
    expect(added).toMatchObject({ driver: 'stripe', currencies: ['USD'], brands: ['visa'], merchant, archivedAt: null })
    expect(await operator.processors.list(undefined)).toContainEqual(added)
    const rows = await platform().services.db.read('SELECT * FROM processors', [])
    expect(JSON.stringify([added, rows])).not.toContain(DOUBLE_KEY)
  })

  test('archives a processor once, with an event', async () => {
    const { id } = await operator.processors.add(wanted())
    const archived = await operator.processors.archive(id)
    expect(archived.archivedAt).not.toBeNull()
    expect(await operator.processors.archive(id)).toEqual(archived)
    const { db } = platform().services
    const events = await db.read("SELECT properties FROM events WHERE event_type = 's_processor_archived'", [])
    expect(events.filter((row) => String(row['properties']).includes(id))).toHaveLength(1)
    const answer = await platform().request('POST', contract.paymentFlows.create.path, {
      body: { data: { name: 'F', strategy: 'simple', processorConfigs: [{ processorId: id }] } },
    })
    expect(answer.status).toBe(404)
  })

  test.for([
    [{ driver: 'simulator', settings }, '--secret-from-stdin: the simulator has no secret'],
    [{ driver: 'simulator', secret: null }, '--api-url: the simulator has no such setting'],
    [
      { driver: 'strype' },
      "--driver: there is no 'strype'; name one of: stripe, adyen, checkout_com, paypal, simulator",
    ],
    [
      { driver: 'adyen', secret: longSecret, settings },
      '--merchant-account: is missing; name the merchant account at Adyen',
    ],
    [
      {
        driver: 'adyen',
        secret: longSecret,
        settings: { ...settings, merchantAccount: 'ShopCOM', liveUrlPrefix: '1797a841fbb37ca7-Shop' },
      },
      '--live-url-prefix: is for production alone; local takes test accounts',
    ],
    [{ driver: 'adyen', settings: { ...settings, merchantAccount: 'ShopCOM' } }, 'not an API key of Adyen'],
    [{ driver: 'checkout_com', secret: checkoutKey, settings }, '--processing-channel-id: is missing'],
    [
      { driver: 'checkout_com', secret: 'sk_aaaaaaaaaaaaaaaaaaaaaaaaaa*', settings: { ...settings, ...channel } },
      "local takes keys of Checkout.com's sandbox alone",
    ],
    [{ driver: 'paypal', secret: longSecret, settings }, '--client-id: is missing'],
    [
      { driver: 'paypal', secret: longSecret, settings: { ...settings, clientId, mode: 'live' } },
      '--mode: must be sandbox in local',
    ],
    [
      { driver: 'paypal', secret: longSecret, settings: { ...settings, clientId, mode: 'Live' } },
      '--mode: must be live or sandbox',
    ],
    [{ secret: null }, "Stripe's secret key is missing"],
    [{ secret: ' ' }, "Stripe's secret key is missing"],
    [{ secret: 'pk_test_abcdef' }, "not a secret key of Stripe's"],
    [{ secret: 'sk_live_abcdef' }, 'local takes test keys'],
    [{ name: ' ' }, '--name: must have'],
    [{ account: 'acc_none' }, "--account: there is no account 'acc_none'"],
    [{ settings: { ...settings, currencies: ['usd'] } }, '--currency: must be an ISO 4217 code'],
    [{ settings: { ...settings, apiUrl: 'ftp://x' } }, '--api-url: must be an http: or https: address'],
    [{ settings: { ...settings, merchant: { ...merchant, mcc: '54' } } }, '--mcc: must be a merchant category code'],
    [
      { settings: { ...settings, merchant: { ...merchant, acquirerBinNetwork1: 'x' } } },
      '--acquirer-bin: must be 1 to 11 digits',
    ],
    [
      { settings: { ...settings, merchant: { ...merchant, acquirerBinNetwork1: undefined } } },
      '--acquirer-bin: must be given',
    ],
  ] as const)('is told what is wrong with %o: %s', async ([change, message]) => {
    const before = await operator.processors.list(undefined)
    await expect(operator.processors.add(wanted(change as Partial<WantedProcessor>))).rejects.toThrow(message)
    expect(await operator.processors.list(undefined)).toEqual(before)
  })

  test('lets a processor of Stripe sign its events, with a secret that no row holds in the clear', async () => {
    const { id, accountId } = await operator.processors.add(wanted())
    const secret = 'whsec_0123456789abcdef0123'
    for (const text of [`${secret}0\n`, ` ${secret}\n`]) await operator.processors.setWebhookSecret(id, text)
    const { services } = platform()
    const [row] = await services.db.read('SELECT * FROM processors WHERE id = ?', [id])
    expect(JSON.stringify(row)).not.toContain(secret)
    const kept = await keptWebhookSecrets({ id, accountId }, services.db)
    const { secrets } = services
    expect([...openWebhookSecrets(kept, id, { secrets, clock: systemClock })]).toEqual([secret, `${secret}0`])
    for (const wrong of ['sk_test_abcdef', 'whsec_short']) {
      const refused = operator.processors.setWebhookSecret(id, wrong)
      await expect(refused).rejects.toThrow("Stripe's signing secret begins with whsec_")
    }
    for (const none of [null, '']) {
      await expect(operator.processors.setWebhookSecret(id, none)).rejects.toThrow("Stripe's signing secret is missing")
    }
    const [simulated] = (await operator.processors.list(undefined)).filter(({ driver }) => driver === 'simulator')
    const refused = operator.processors.setWebhookSecret(simulated?.id ?? '', secret)
    await expect(refused).rejects.toThrow('The simulator sends no events')
  })

  test('learns that there is no such processor', async () => {
    await expect(operator.processors.archive('processor_none')).rejects.toThrow('"tillwright processors list" shows')
  })

  test('cannot move a secret to another processor', async () => {
    const { db } = platform().services
    const [one, other] = [await operator.processors.add(wanted()), await operator.processors.add(wanted())]
    const [row] = await db.read('SELECT sealed_secret FROM processors WHERE id = ?', [one.id])
    await db.write([
      {
        sql: 'UPDATE processors SET sealed_secret = ? WHERE id = ?',
        params: [row?.['sealed_secret'] ?? null, other.id],
      },
    ])
    const driverOf = openDrivers(platform().services, processorRegistry('local', [simulatorOf(bankSimulator)]))
    await expect(driverOf({ ...other, isPreview: false })).rejects.toThrow()
    await expect(driverOf({ ...one, isPreview: false })).resolves.toBeDefined()
    // Another account's is not to be had, opened or not.
    await expect(driverOf({ ...one, accountId: 'acc_none', isPreview: false })).rejects.toThrow('has no processor')
  })

  test('adds no more processors than an account may have, as over HTTP', async () => {
    const { accountId } = await platform().addAccount()
    const add = (id: number) => insertProcessor({ id: `processor_${id}`, accountId, name: 'P', driver: 'stripe' }, 0)
    await commit(
      Array.from({ length: LIVE_PROCESSORS_MAX }, (_, id) => add(id)),
      platform().services,
    )
    const refusal = 'The account has 100 processors, the most that are possible; archive one first.'
    await expect(operator.processors.add(wanted({ account: accountId }))).rejects.toThrow(refusal)
    const key = await platform().addKey({ accountId, roles: ['org:admin'] })
    const body = { name: 'P', driver: 'stripe', secret: DOUBLE_KEY }
    const sent = await platform().request('POST', contract.processors.create.path, { key, body })
    expect([sent.status, sent.error.code, sent.error.message]).toEqual([409, 'state_conflict', refusal])
  })
})

describe('in production', () => {
  test('a live key is taken and a test key is not, and neither is named in an error', () => {
    expect(checkProcessorSecret('rk_live_abcdef', stripe, 'production')).toBe('rk_live_abcdef')
    const refused = () => checkProcessorSecret('sk_test_abcdef', stripe, 'production')
    expect(refused).toThrow('production takes live keys')
    expect(refused).not.toThrow('abcdef')
  })
})
