import { expect } from 'vitest'
import { createClient } from '../../packages/client/src/index.ts'
import { contract } from '../../packages/contract/src/index.ts'
import { authenticationBody } from '../../packages/platform/test/authenticate-card.ts'
import { newInstrument, pay } from '../../packages/platform/test/pay-with-card.ts'
import { deployPlugin } from '../../packages/platform/test/plugins/deploy-plugin.ts'
import { pastDue, recurringVariant, subscribe } from '../../packages/platform/test/subscribe.ts'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'
import { authenticateWaiting } from '../../packages/platform/test/threeds-payment.ts'
import { firstVariant } from '../../packages/plugin-sdk/test/local-page.ts'
import { deliveredWebhook, type Handler, startHookServer } from './deliveries.ts'
import { payInPage, pluginPage } from './plugin-page.ts'
import type { ProgramReader } from './run-pages.ts'
import type { Names } from './run-snippet.ts'

/** A card that requires 3-D Secure, which its bank grants without asking. */
const FRICTIONLESS_CARD = '4000002500003155'

/** The pages whose snippets a shop's server runs, and what they take for granted. */
export const serverPages: Readonly<Record<string, ProgramReader>> = {
  '3-d-secure/index': {
    having: (platform) => instrumentOf(platform, FRICTIONLESS_CARD),
    meanwhile: { 'const done': authenticate },
    after: (_, { done }) => expect(done).toMatchObject({ status: 'succeeded' }),
  },
  '3-d-secure/production': {
    having: async (platform) => ({ ...authenticationBody(''), ...(await instrumentOf(platform)) }),
    after: (_, { answer }) => expect(answer).toMatchObject({ transStatus: 'Y', liabilityShifted: true }),
  },
  'payments/capture-and-refund': {},
  'payments/cards-on-file': {},
  'payments/catalogue': {
    having: async ({ call }) => ({ storeId: (await call(contract.stores.create, { body: { name: 'Bags' } })).id }),
    after: (_, { repriced }) =>
      expect(repriced).toMatchObject({
        name: 'Large tote bag',
        variants: [
          {
            prices: [
              { id: 'tote-2026', archived: true },
              { archived: false, default: true },
            ],
          },
          {},
        ],
      }),
  },
  'payments/disputes': {
    having: async (platform) => ({ paymentId: (await pay(platform, (await newInstrument(platform)).id)).id }),
    after: (_, { decided }) =>
      expect(decided).toMatchObject({ status: 'won', evidenceSubmittedAt: expect.any(String) }),
  },
  'payments/hooks': hooks(),
  'payments/index': {},
  'payments/methods': {},
  'payments/routing': {},
  'payments/webhooks': { after: takeWebhook },
  'plugins/funnels': {
    having: async (platform) => {
      await deployPlugin(platform, { manifest: { pluginId: 'my-funnel' } })
      return {}
    },
    after: (_, { currentStepId }) => expect(currentStepId).toBe('summer-offer'),
  },
  'plugins/sdk': pluginPage(),
  'promotions/index': {},
  'reference/changing': {
    having: ({ local }) => ({ process: { env: { API_KEY: local.apiKey } } }),
    after: readTwice,
  },
  'reference/lists': {},
  'reference/live': live(),
  'start/from-medusa': {},
  'start/from-shopify-functions': {},
  'start/from-stripe-checkout': {
    having: async (platform) => {
      const { body, headers, secret } = await deliveredWebhook(platform)
      return { body, headers, webhookSecret: secret }
    },
    after: (_, { shipped }) => expect(shipped).toHaveLength(1),
  },
  'subscriptions/index': {
    having: sells,
    meanwhile: {
      'await tillwright.subscriptions.createUsageRecord': usage,
      'const subscription = await': changes,
      'const { url, expiresAt }': async (platform) => ({ subscriptionId: (await pastDue(platform)).id }),
    },
    after: (_, { payment, url, subscription }) => {
      expect(payment).toMatchObject({ status: 'succeeded', subscriptions: [{ status: 'active', requested: true }] })
      expect(url).toMatch(/^http/)
      expect(subscription).toMatchObject({ nextPaymentAmount: 10_000, pendingChange: { quantity: 5 } })
    },
  },
}

async function instrumentOf(platform: TestPlatform, number?: string): Promise<Names> {
  const { id } = await newInstrument(platform, number === undefined ? {} : { number })
  return { paymentInstrumentId: id }
}

/** The buyer's page, between the two requests of the server. */
async function authenticate(platform: TestPlatform, { actionToken }: Names): Promise<Names> {
  await authenticateWaiting(platform, { actionToken: String(actionToken) })
  return {}
}

/** The snippet reads the secrets when it is loaded, and is asked afterwards. */
function hooks(): ProgramReader {
  let server: Awaited<ReturnType<typeof startHookServer>> | undefined
  return {
    having: async (platform) => {
      server = await startHookServer(platform)
      return { process: { env: { HOOK_SECRETS: server.secrets } } }
    },
    after: async (platform, { answerHook }) => {
      server?.answerWith(answerHook as Handler) // the snippet declares it, and its types are checked
      expect(await payInPage(platform)).toMatchObject({ outcome: 'paid' })
      expect([...(server?.asked ?? [])].toSorted()).toEqual(['risk', 'shipping_rates', 'stock', 'tax'])
    },
  }
}

/** The platform's webhook is taken, and one that was changed is not. */
async function takeWebhook(platform: TestPlatform, { receive, process, shipped }: Names): Promise<void> {
  const { body, headers, secret } = await deliveredWebhook(platform)
  Object.assign(Object(process).env, { TILLWRIGHT_WEBHOOK_SECRET: secret })
  const take = receive as Handler // the snippet declares it, and its types are checked
  const request = () => new Request('http://shop.example/webhooks', { method: 'POST', body, headers })
  expect((await take(request())).status).toBe(204)
  expect(shipped).toHaveLength(1)
  headers.set('webhook-id', 'evt_other')
  await expect(take(request())).rejects.toMatchObject({ code: 'webhook_invalid' })
}

/** What is read again is the object that is there already. */
async function readTwice({ apiUrl, local }: TestPlatform, { read, paymentId }: Names): Promise<void> {
  const ask = read as (address: string) => Promise<unknown> // the snippet declares it, and its types are checked
  const address = `${apiUrl}/api/payments/v1/payments/${String(paymentId)}`
  const first = await ask(address)
  expect(first).toMatchObject({ id: paymentId, storeId: local.storeId })
  expect(await ask(address)).toBe(first)
}

/** A dispute is opened as soon as the stream is. It goes on until the page has been read. */
function live(): ProgramReader {
  const reading = new AbortController()
  return {
    having: (platform) => {
      const { apiUrl: baseUrl, local } = platform
      const client = createClient({ apiKey: local.adminApiKey, baseUrl, fetch: openThenDispute })
      async function openThenDispute(address: string, init: RequestInit): Promise<Response> {
        const answer = await fetch(address, init)
        const { id: paymentId } = await pay(platform, (await newInstrument(platform)).id)
        await platform.call(contract.disputes.simulate, { params: { paymentId }, body: {} })
        return answer
      }
      const stream = (query: object) => client.eventLog.stream(query, { signal: reading.signal })
      return { tillwright: { eventLog: { stream } } }
    },
    after: () => reading.abort(),
  }
}

async function sells(platform: TestPlatform): Promise<Names> {
  const coffeeClub = await recurringVariant(platform)
  return { ...(await instrumentOf(platform)), coffeeClub, mug: await firstVariant(platform) }
}

async function changes(platform: TestPlatform): Promise<Names> {
  const large = await subscribe(platform, { price: { currencyOptions: { USD: { amount: 2_000 } } } })
  return { subscriptionId: (await subscribe(platform)).id, largePlan: large.priceId }
}

async function usage(platform: TestPlatform): Promise<Names> {
  const { id } = await subscribe(platform, { price: { billingTiming: 'usage' } })
  return { subscriptionId: id }
}
