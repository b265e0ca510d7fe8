import { insertAccount } from '../../src/accounts/accounts.ts'
import { newApiKey } from '../../src/accounts/api-keys.ts'
import { commit } from '../../src/http/operations/commit.ts'
import { insertProcessor } from '../../src/processors/processors.ts'
import { sealWebhookSecret } from '../../src/processors/webhook-secret.ts'
import type { Services } from '../../src/request-context.ts'
import { newId } from '../../src/runtime/randomness.ts'
import { newFrameSession } from '../../src/vault/frame-sessions.ts'
import { BANK_DRIVER, EVENT_SECRET } from './bank-events.ts'
import { SHOP_ORIGIN } from './card-form.ts'
import type { Call, Network } from './client.ts'
import { HOOK_URLS } from './merchant.ts'
import { type Bundle, bundleOf, DEPLOY_PATH, deploymentOf, PLUGIN_ID } from './plugin.ts'

/** The shop of every world: a merchant with everything needed to sell something. */
export interface Shop {
  accountId: string
  /** A secret key without roles, one of an administrator, and the publishable key of the page. */
  apiKey: string
  adminKey: string
  publishableKey: string
  storeId: string
  /** A payment flow that authenticates every buyer. */
  askingFlowId: string
  /** The sessions of card frames in the shop's page, one for each buyer. */
  frameSessions: readonly string[]
  /** Costs 20.00 USD. */
  variantId: string
  productId: string
  /** Costs 15.00 USD a month. */
  recurringVariantId: string
  promotionId: string
  webhookUrls: readonly string[]
  webhookSecrets: readonly string[]
  /** The last event from opening the shop, before its endpoints subscribed. */
  lastOwnEventId: string
  /** A second merchant, whose data no other may see, and who may send only a few requests a minute. */
  limited: { accountId: string; apiKey: string; perMinute: number; burst: number }
  /** An account unrelated to the shop. */
  neighbourKey: string
  /** The host of the plugin's active deployment, and the first deployment. */
  pluginHost: string
  firstDeployment: { id: string; bundle: Bundle }
}

/** The largest number of buyers in a world. */
const BUYERS_MAX = 12

/** The code of the promotion, and the limit on its uses. */
export const PROMOTION = { code: 'FIRST-TWO', usageLimit: 2 } as const

/** What the recurring variant costs a month, in cents. */
export const MONTHLY = 1_500

const LIMIT = { perMinute: 60, burst: 12 }
const WEBHOOK_URLS = ['https://hooks.shop.example/one', 'https://hooks.shop.example/two']

/** Writes the accounts with their keys, for which there is no request. Runs in the name of a process. */
export async function openAccounts(services: Services) {
  const nowMs = services.clock.now()
  const id = (prefix: 'acc' | 'processor') => newId(prefix, nowMs, services.randomness)
  const [accountId, limitedId, neighbourId] = [id('acc'), id('acc'), id('acc')]
  const processorIds = [id('processor'), id('processor')]
  const keys = {
    shop: newApiKey({ accountId, kind: 'secret', name: 'Shop server' }, services),
    admin: newApiKey({ accountId, kind: 'secret', name: 'Administration', roles: ['org:admin'] }, services),
    page: newApiKey({ accountId, kind: 'publishable', name: 'Shop page', allowedOrigins: [SHOP_ORIGIN] }, services),
    limited: newApiKey({ accountId: limitedId, kind: 'secret', name: 'Limited' }, services),
    neighbour: newApiKey({ accountId: neighbourId, kind: 'secret', name: 'Neighbour', roles: ['org:admin'] }, services),
  }
  const processors = processorIds.map((processorId, at) =>
    insertProcessor(
      {
        accountId,
        id: processorId,
        name: `Bank ${at + 1}`,
        driver: BANK_DRIVER,
        sealedWebhookSecret: sealWebhookSecret(EVENT_SECRET, { id: processorId }, services),
      },
      nowMs,
    ),
  )
  await commit(
    [
      insertAccount(
        { id: accountId, name: 'Shop', plan: 'standard', rateLimit: { perMinute: 6_000, burst: 2_000 } },
        nowMs,
      ),
      insertAccount({ id: neighbourId, name: 'Neighbour', plan: 'standard' }, nowMs),
      insertAccount({ id: limitedId, name: 'Limited', plan: 'standard', rateLimit: LIMIT }, nowMs),
      ...Object.values(keys).map(({ write }) => write),
      ...processors,
    ],
    services,
  )
  return {
    accountId,
    processorIds,
    apiKey: keys.shop.text,
    adminKey: keys.admin.text,
    publishableKey: keys.page.text,
    frameSessions: Array.from({ length: BUYERS_MAX }, () =>
      newFrameSession({ keyId: keys.page.id, origin: SHOP_ORIGIN }, services),
    ),
    limited: { accountId: limitedId, apiKey: keys.limited.text, ...LIMIT },
    neighbourKey: keys.neighbour.text,
  }
}

/** Opens the shop through the API, as its administrator. */
export async function openShop(
  { processorIds, ...accounts }: Awaited<ReturnType<typeof openAccounts>>,
  network: Network,
): Promise<Omit<Shop, 'lastOwnEventId'>> {
  const created = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const call: Call = { who: 'administrator', method: 'POST', path, apiKey: accounts.adminKey, body }
    const answer = await network.send(call)
    if (answer?.status !== 201 && answer?.status !== 200)
      throw new Error(`${path} answered ${answer?.status} ${answer?.text}`)
    return JSON.parse(answer.text)
  }
  const flowOf = (name: string, threeDsEnabled: boolean) =>
    created('/api/public/v1/payment-flows/create', { data: { name, threeDsEnabled, ...inTurn(processorIds) } })
  const flow = await flowOf('Two banks', false)
  const asking = await flowOf('Every buyer is asked', true)
  const store = await created('/api/public/v1/stores/create', {
    name: 'Shop',
    baseCurrency: 'USD',
    selectedPaymentFlowId: flow['id'],
  })
  const storeId = String(store['id'])
  const priced = (id: string, amount: number, more: object = {}) => ({
    id,
    name: id,
    prices: [{ currencyOptions: { USD: { amount } }, ...more }],
  })
  const recurring = { recurring: true, interval: 'month' }
  const product = await created('/api/public/v1/products/create', {
    storeId,
    name: 'Lamp and coffee',
    variants: [priced('variant_lamp', 2_000), priced('variant_club', MONTHLY, recurring)],
  })
  const promotion = await created('/api/public/v1/promotions/create', {
    storeId,
    name: 'Ten per cent',
    ...PROMOTION,
    actions: [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 10 }],
  })
  await created(`/api/payments/v1/stores/${storeId}/hooks/risk`, { url: HOOK_URLS.risk, onFailure: 'refuse' })
  await created(`/api/payments/v1/stores/${storeId}/hooks/stock`, { url: HOOK_URLS.stock, onFailure: 'continue' })
  const bundle = bundleOf('1.0.0', 'the shop')
  const deployed = await created(DEPLOY_PATH, deploymentOf(bundle, { storeId }))
  const live = await created('/api/plugins/v1/aliases/set', { storeId, name: 'live', pluginId: PLUGIN_ID })
  const endpoints: Record<string, unknown>[] = []
  for (const url of WEBHOOK_URLS)
    endpoints.push(await created('/api/events/v1/endpoints/create', { url, eventTypes: '*' }))
  return {
    ...accounts,
    storeId,
    askingFlowId: String(asking['id']),
    productId: String(product['productId']),
    promotionId: String(promotion['id']),
    variantId: 'variant_lamp',
    recurringVariantId: 'variant_club',
    pluginHost: new URL(Object(live['alias']).url).host,
    firstDeployment: { id: String(deployed['deploymentId']), bundle },
    webhookUrls: WEBHOOK_URLS,
    webhookSecrets: endpoints.map(({ secret }) => String(secret)),
  }
}

/** A flow that asks one processor after the other: the second if the first fails or declines softly. */
function inTurn(processorIds: readonly string[]) {
  const [first, ...others] = processorIds.map((processorId) => ({ processorId }))
  return {
    strategy: 'cascade',
    pickProcessorStrategy: 'ordered',
    fallbackMode: true,
    maxFallbackRetries: 1,
    processorConfigs: [first],
    fallbackProcessorConfigs: others,
  }
}
