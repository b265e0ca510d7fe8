import { contract } from '../../packages/contract/src/index.ts'
import { newInstrument, pay } from '../../packages/platform/test/pay-with-card.ts'
import {
  ADYEN_KEY,
  MERCHANT_ACCOUNT,
  startAdyenDouble,
} from '../../packages/platform/test/processors/adyen/adyen-double.ts'
import { HMAC_KEY } from '../../packages/platform/test/processors/adyen/adyen-notifications.ts'
import {
  CHANNEL,
  CHECKOUT_KEY,
  startCheckoutDouble,
} from '../../packages/platform/test/processors/checkout-com/checkout-double.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startPayPalDouble,
} from '../../packages/platform/test/processors/paypal/paypal-double.ts'
import type { StandIn } from '../../packages/platform/test/processors/stand-in.ts'
import { DOUBLE_KEY, startStripeDouble } from '../../packages/platform/test/processors/stripe/stripe-double.ts'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'

/** Values that replace the placeholders in the snippets of a page. */
export interface Having {
  /** Ids by prefix: `pay_...` becomes the id under `pay_`. */
  leftOut: Readonly<Record<string, string>>
  /** Texts of files, by their names. */
  files?: Readonly<Record<string, string>>
}

/**
 * Prepares what every page assumes: an account with a customer, a payment, its event, an API key, a webhook endpoint
 * and a failed request.
 */
export async function whatReadersHave(platform: TestPlatform, customerId: string): Promise<Having> {
  const { accountId, storeId, paymentFlowId } = platform.local
  const payment = await pay(platform, (await newInstrument(platform)).id)
  const { endpoint } = await platform.call(contract.webhookEndpoints.create, { body: { url: 'http://127.0.0.1:9/' } })
  const { apiKey } = await platform.call(contract.apiKeys.create, { body: { kind: 'secret', name: 'Shop server' } })
  const { data } = await platform.call(contract.eventLog.list, { query: { limit: '1' } })
  await platform.request('GET', '/api/payments/v1/payments/pay_0VbVJmlc4sQm9ZtKcWfH2d')
  const failed = await platform.call(contract.requests.list, { query: { limit: '1' } })
  return {
    leftOut: {
      acc_: accountId,
      store_: storeId,
      flow_: paymentFlowId,
      cus_: customerId,
      pay_: payment.id,
      whe_: endpoint.id,
      key_: apiKey.id,
      evt_: data[0]?.id ?? '',
      req_: failed.data[0]?.id ?? '',
    },
  }
}

/** A processor that a merchant has connected, and who stands in for it. */
interface Connected {
  start: () => Promise<StandIn>
  settings: object
  secret: string
}

const stripe: Connected = { start: startStripeDouble, settings: {}, secret: DOUBLE_KEY }
const adyen: Connected = {
  start: startAdyenDouble,
  settings: { merchantAccount: MERCHANT_ACCOUNT },
  secret: ADYEN_KEY,
}
const checkoutCom: Connected = {
  start: startCheckoutDouble,
  settings: { processingChannelId: CHANNEL },
  secret: CHECKOUT_KEY,
}
const paypal: Connected = { start: startPayPalDouble, settings: { clientId: CLIENT_ID }, secret: CLIENT_SECRET }

/**
 * Prepares what the pages about processors assume: a processor, which accepts its key, and its keys.
 *
 * @param onStopped Takes what ends who stands in for a processor.
 */
export async function whatMerchantsHave(
  platform: TestPlatform,
  onStopped: (stop: () => void) => void,
): Promise<Readonly<Record<string, Having>>> {
  const add = async (driver: string, { start, settings, secret }: Connected) => {
    const { url, stop } = await start()
    onStopped(stop)
    const body = { name: driver, driver, settings: { ...settings, apiUrl: url }, secret }
    return { processor_: (await platform.call(contract.processors.create, { body })).id }
  }
  return {
    'payments/processors': { leftOut: await add('stripe', stripe), files: { 'key.txt': DOUBLE_KEY } },
    'payments/stripe': {
      leftOut: await add('stripe', stripe),
      files: { 'key.txt': DOUBLE_KEY, 'whsec.txt': 'whsec_of-the-merchants-endpoint' },
    },
    '3-d-secure/exemptions': { leftOut: await add('stripe', stripe) },
    'payments/adyen': { leftOut: await add('adyen', adyen), files: { 'key.txt': ADYEN_KEY, 'hmac.txt': HMAC_KEY } },
    'payments/checkout-com': {
      leftOut: { ...(await add('checkout_com', checkoutCom)), pc_: CHANNEL },
      files: { 'key.txt': CHECKOUT_KEY, 'signature-key.txt': 'a-key-of-the-merchants' },
    },
    'payments/paypal': {
      leftOut: { ...(await add('paypal', paypal)), A: CLIENT_ID },
      files: { 'secret.txt': CLIENT_SECRET, 'webhook-id.txt': '9FJ21347X0123456A' },
    },
  }
}
