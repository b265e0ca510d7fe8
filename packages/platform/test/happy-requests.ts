import { contract, timeOfId } from '@tillwright/contract'
import { newId, systemRandomness } from '../src/runtime/randomness.ts'
import { authenticationBody, newSessionBody, newThreedsSession } from './authenticate-card.ts'
import { browserData } from './browser-data.ts'
import { endpointRequests } from './endpoint-requests.ts'
import { customerRequests } from './customer-requests.ts'
import { keyRequests } from './key-requests.ts'
import { changeRequests } from './change-requests.ts'
import { memberRequests } from './member-requests.ts'
import { newFunnel, newPreviewSession } from './new-funnel.ts'
import { processorRequests } from './new-processor.ts'
import { newCode, newPromotion } from './new-promotion.ts'
import { encryptedCard, encryptedCode, newInstrument, pay } from './pay-with-card.ts'
import { paymentRequests } from './payment-requests.ts'
import { walletTokenBody } from './pay-with-wallet.ts'
import { newPlugin, pluginRequests } from './plugin-requests.ts'
import { firstVariant, sessionRequests } from './session-requests.ts'
import { type HappyRequests, subscriptionRequests } from './subscription-requests.ts'
import { SHOP_URL, type TestPlatform } from './test-platform.ts'
import { newAuthenticatedPayment, newWaitingPayment } from './threeds-payment.ts'

/** A request that each operation answers with success, made of what is there by then. */
export const happyRequests: HappyRequests = {
  ...memberRequests,
  ...keyRequests,
  ...endpointRequests,
  ...changeRequests,
  ...processorRequests,
  'accounts.testKey': async () => ({}),
  'accounts.testKeyByPost': async () => ({}),
  'accounts.get': async () => ({}),
  'accounts.update': async ({ call }) => {
    const { name, revision } = await call(contract.accounts.get, {})
    return { body: { name: `${name.slice(0, 40)}!`, threedsProvider: 'vendor_a', revision } }
  },
  'stores.create': async ({ local }) => ({
    body: {
      name: 'Second shop',
      baseCurrency: 'EUR',
      presentmentCurrencies: 'EUR, USD',
      credentials: 'secret',
      selectedPaymentFlowId: local.paymentFlowId,
      createDemoProducts: true,
      customThankYouUrl: 'https://shop.example/thanks',
      flaggedForDeletionAt: '2030-01-01T00:00:00+01:00',
    },
  }),
  'stores.get': async ({ local }) => ({ params: { storeId: local.storeId } }),
  'stores.list': async () => ({ query: { limit: '1' } }),
  'products.create': async ({ local }) => ({
    body: {
      storeId: local.storeId,
      name: 'Mug',
      variants: [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 900 } } }] }],
    },
  }),
  'products.get': async ({ local }) => ({ params: { productId: local.productId } }),
  'products.list': async ({ local }) => ({ query: { limit: '1', storeId: local.storeId } }),
  'shippingOptions.list': async ({ local }) => ({ params: { storeId: local.storeId } }),
  'shippingOptions.set': async (platform) => {
    const { id } = await platform.call(contract.stores.create, { body: { name: 'Store that ships' } })
    const option = {
      id: 'express',
      name: 'Express',
      description: 'Tomorrow',
      currencyOptions: { EUR: { amount: 1_200, freeFrom: 10_000 } },
      countries: ['IE'],
      isFreeForNextOrders: true,
    }
    return { params: { storeId: id }, body: { shippingOptions: [option] } }
  },
  'hooks.list': async (platform) => ({ params: { storeId: (await newHook(platform)).storeId } }),
  'hooks.get': async (platform) => ({ params: await newHook(platform) }),
  'hooks.set': async ({ local }) => ({
    params: { storeId: local.storeId, kind: 'risk' },
    body: { url: 'http://127.0.0.1:9/hooks/risk', timeoutMs: 500, onFailure: 'continue', active: false },
  }),
  'hooks.rotateSecret': async (platform) => ({ params: await newHook(platform) }),
  'hooks.remove': async (platform) => ({ params: await newHook(platform) }),
  'hooks.answers': async (platform) => ({ params: await newHook(platform) }),
  'promotions.create': async ({ local }) => ({
    body: {
      storeId: local.storeId,
      name: 'Summer sale',
      code: newCode(),
      usageLimit: 100,
      startDate: '2029-06-01T00:00:00+02:00',
      ruleOperator: 'AND',
      rules: [{ type: 'ContainsProduct', productIds: [local.productId] }],
      actions: [
        { type: 'LineItemPercentageAdjustment', adjustmentPercentage: 12.5, targetProductId: local.productId },
        { type: 'OrderAmountAdjustment', adjustmentAmount: { USD: { amount: 100 } } },
        { type: 'ShippingAdjustment', free: true },
      ],
    },
  }),
  'promotions.update': async (platform) => ({
    body: { id: await newPromotion(platform), data: { name: 'Autumn sale', code: null, usageLimit: 5 }, revision: 1 },
  }),
  'promotions.getById': async (platform) => ({
    body: { id: await newPromotion(platform), storeId: platform.local.storeId },
  }),
  'promotions.list': async (platform) => {
    await newPromotion(platform)
    return { query: { limit: '1', storeId: platform.local.storeId } }
  },
  ...customerRequests,
  'paymentFlows.list': async () => ({ query: { limit: '1' } }),
  'paymentFlows.create': async ({ services, local }) => {
    const [row] = await services.db.read('SELECT id FROM processors WHERE account_id = ? AND archived_at IS NULL', [
      local.accountId,
    ])
    const data = {
      name: 'Flow',
      strategy: 'simple',
      processorConfigs: [{ processorId: row?.['id'] }],
      abuseDetectionConfig: { enabled: true },
    }
    return { body: { data } }
  },
  'paymentFlows.get': async ({ local }) => ({ params: { paymentFlowId: local.paymentFlowId } }),
  'paymentFlows.replay': async ({ local }) => ({
    body: {
      paymentFlowId: local.paymentFlowId,
      flow: { pickProcessorStrategy: 'ordered' },
      payments: 10,
      storeId: local.storeId,
      createdFrom: '2029-01-01T00:00:00Z',
    },
  }),
  'paymentFlows.search': async () => ({ query: { limit: '1' } }),
  ...paymentRequests,
  'orders.get': async (platform) => ({
    params: { orderId: (await pay(platform, (await newInstrument(platform)).id)).orderId },
  }),
  'testClock.get': async () => ({}),
  'testClock.advance': async ({ clock }) => ({ body: { to: new Date(clock.now() + 1).toISOString() } }),
  'requests.list': async (platform) => {
    const { requestId } = await failedRequest(platform)
    return { query: { limit: '1', createdFrom: new Date(timeOfId(requestId) ?? 0).toISOString() } }
  },
  'requests.get': async (platform) => ({
    params: { failedRequestId: (await failedRequest(platform)).requestId },
  }),
  'audit.list': async ({ local }) => ({ query: { limit: '1', resourceId: local.productId } }),
  'orders.update': async (platform) => ({
    params: { orderId: (await pay(platform, (await newInstrument(platform)).id)).orderId },
    body: { revision: 1, metadata: { cart: 'c-2048' } },
  }),
  'orders.list': async (platform) => ({
    query: { customerId: (await pay(platform, (await newInstrument(platform)).id)).customerId },
  }),
  ...subscriptionRequests,
  'funnels.create': async (platform) => ({
    body: {
      storeId: platform.local.storeId,
      name: 'Funnel',
      steps: [
        { type: 'landing', name: 'Landing', path: '/', isEntry: true, settings: { title: 'Hello' } },
        { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId: await newPlugin(platform) },
      ],
      variants: [{ name: 'Short', weight: 2 }, { name: 'Long' }],
    },
  }),
  'funnels.get': async ({ local }) => ({ params: { funnelId: local.funnelId } }),
  'funnels.list': async ({ local }) => ({ query: { limit: '1', storeId: local.storeId } }),
  'funnels.update': async (platform) => ({
    params: { funnelId: (await newFunnel(platform)).id },
    body: {
      name: 'Renamed',
      active: false,
      steps: [{ type: 'checkout', name: 'Checkout', path: '/checkout' }],
      variants: [{ name: 'Only' }],
      revision: 1,
    },
  }),
  'funnels.previewSession': async (platform) => ({
    params: { funnelId: platform.local.funnelId },
    body: {
      storeId: platform.local.storeId,
      stepId: platform.local.stepId,
      customerId: (await newInstrument(platform)).customerId,
      environment: 'production',
      enableSticky: true,
      currency: 'EUR',
      locale: 'de-DE',
      testCardPreset: 'visa_success',
      previewShippingCountry: 'DE',
      builderOptions: { viewport: 'phone' },
      contextData: { source: 'builder' },
    },
  }),
  'funnels.updatePreview': async (platform) => ({
    params: { sessionId: (await newPreviewSession(platform)).sessionId },
    body: { threeds: 'challenge' },
  }),
  'funnelSessions.get': async (platform) => ({
    params: { sessionId: (await newPreviewSession(platform)).sessionId },
  }),
  'threedsProviders.list': async () => ({}),
  'threedsProviders.get': async () => ({ params: { provider: 'vendor_b' } }),
  'threeds.createSession': async (platform) => ({ body: await newSessionBody(platform) }),
  'threeds.authenticate': async (platform) => ({
    body: authenticationBody((await newThreedsSession(platform)).id),
  }),
  'threeds.get': async (platform) => ({
    params: { sessionId: (await newAuthenticatedPayment(platform)).sessionId },
  }),
  'threedsFrame.start': async (platform) => ({
    body: { actionToken: (await newWaitingPayment(platform)).actionToken },
  }),
  'threedsFrame.authenticate': async (platform) => ({
    body: { actionToken: (await newWaitingPayment(platform)).actionToken, browser: browserData, methodCompletion: 'U' },
  }),
  'threedsFrame.result': async (platform) => ({
    body: { actionToken: (await newAuthenticatedPayment(platform)).actionToken },
  }),
  'threedsFrame.cancel': async (platform) => ({
    body: { actionToken: (await newWaitingPayment(platform)).actionToken },
  }),
  'orders.quote': async (platform) => {
    const code = newCode()
    await newPromotion(platform, { code })
    const lines = [{ variantId: await firstVariant(platform), quantity: 2 }]
    const body = {
      storeId: platform.local.storeId,
      currency: 'USD',
      lines,
      promotionCodes: [code],
      shippingAmount: 500,
    }
    return { body }
  },
  'events.get': async ({ services, local }) => {
    const [row] = await services.db.read('SELECT id FROM events WHERE account_id = ? AND customer_id IS NOT NULL', [
      local.accountId,
    ])
    return { params: { eventId: String(row?.['id']) } }
  },
  'events.statistics': async () => ({ body: {} }),
  'platform.get': async () => ({}),
  'statistics.get': async () => ({ query: { interval: 'day' } }),
  'eventLog.list': async () => ({}),
  'eventLog.stream': async ({ call }) => {
    await call(contract.eventLog.trigger, { body: { eventType: 's_store_created' } })
    return { query: { after: 'evt_', drafts: 'true' } }
  },
  'eventLog.trigger': async ({ local: { storeId } }) => ({
    body: { eventType: 's_store_created', properties: { storeId } },
  }),
  'eventLog.replay': async (platform) => {
    const { id } = await platform.call(contract.eventLog.trigger, { body: { eventType: 's_store_created' } })
    return { params: { eventId: id } }
  },
  ...pluginRequests,
  ...sessionRequests,
  'vault.createToken': async (platform) => ({ body: { jwe: await encryptedCard(platform) } }),
  'vault.readWallets': async () => ({ query: { origin: SHOP_URL } }),
  'vault.createAppleSession': async (platform) => {
    const { session, origin } = await walletTokenBody(platform)
    return {
      body: { session, origin, validationUrl: 'https://apple-pay-gateway.apple.com/paymentservices/startSession' },
    }
  },
  'vault.createWalletToken': async (platform) => ({ body: await walletTokenBody(platform) }),
  'vault.createSecurityCode': async (platform) => ({
    body: { jwe: await encryptedCode(platform, (await newInstrument(platform)).id) },
  }),
}

/** A request that failed, put into the database: of many in a minute not each is kept. */
async function failedRequest({ services, local }: TestPlatform): Promise<{ requestId: string }> {
  const nowMs = services.clock.now()
  const requestId = newId('req', nowMs, systemRandomness())
  const sql = `INSERT INTO failed_requests (account_id, id, operation, method, path, path_params, status, code, message,
    actor_kind, actor_id, duration_ms, left_out, created_at)
    VALUES (?, ?, 'payments.get', 'GET', '/api/payments/v1/payments/{paymentId}', '{}', 404, 'resource_missing', '', 'key',
      'key_1', 1, 0, ?)`
  await services.db.write([{ sql, params: [local.accountId, requestId, nowMs] }])
  return { requestId }
}

/** A hook of a store of its own. */
async function newHook({ call, local }: TestPlatform): Promise<{ storeId: string; kind: 'tax' }> {
  const { id: storeId } = await call(contract.stores.create, { body: { name: 'Store that asks' } })
  const place = { storeId, kind: 'tax' } as const
  const body = { url: 'http://127.0.0.1:9/hooks/tax', onFailure: 'refuse' } as const
  await call(contract.hooks.set, { params: place, body }, local.adminApiKey)
  return place
}
