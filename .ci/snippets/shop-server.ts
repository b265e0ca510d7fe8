import * as client from '../../packages/client/src/index.ts'
import type { TestPlatform } from '../../packages/platform/test/test-platform.ts'
import type { Names } from './run-snippet.ts'

/** What a shop's server has on every page of the documentation. `shipped` are the orders that it was told to `ship`. */
export async function shopServer({ apiUrl, local }: TestPlatform): Promise<Names> {
  const { adminApiKey: apiKey, storeId } = local
  const tillwright = client.createClient({ apiKey, baseUrl: apiUrl })
  const serviceToken = 'tok_visa'
  const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken({ serviceToken, storeId })
  const paymentInstrumentId = paymentInstrument.id
  const authorized = { storeId, paymentInstrumentId, currency: 'USD', amount: 2_000, captureMethod: 'manual' } as const
  const shipped: string[] = []
  return {
    ...client,
    tillwright,
    client: tillwright,
    storeId,
    serviceToken,
    paymentInstrumentId,
    customerId: (await tillwright.customers.create({ storeId })).id,
    paymentId: (await tillwright.payments.create(authorized)).id,
    otherPaymentId: (await tillwright.payments.create(authorized)).id,
    variantId: await newVariant(tillwright, storeId),
    first: await newProcessor(tillwright, 'One'),
    second: await newProcessor(tillwright, 'Two'),
    third: await newProcessor(tillwright, 'Three'),
    cart: { id: 'cart-7', total: 4_098 },
    process: { env: {} },
    shipped,
    ship: async (orderId: string) => void shipped.push(orderId),
    redirect: (url: string) => void new URL(url),
  }
}

async function newVariant(tillwright: client.Client, storeId: string): Promise<string> {
  const prices = [{ currencyOptions: { EUR: { amount: 4_000 }, USD: { amount: 4_000 } } }]
  const variants = [{ name: 'Natural', prices }]
  const { productId } = await tillwright.products.create({ storeId, name: 'Tote', variants })
  const product = await tillwright.products.get({ productId })
  return product.variants[0]?.id ?? ''
}

async function newProcessor(tillwright: client.Client, name: string): Promise<string> {
  return (await tillwright.processors.create({ name, driver: 'simulator', settings: {} })).id
}
