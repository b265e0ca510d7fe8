import { type Client, TillwrightError } from '@tillwright/client'
import type { Product } from '@tillwright/contract'
import type { KeptShop } from '../local-state.ts'
import type { DevPlatform } from './platform.ts'

/** The store and product that a preview's order begins with. */
export interface DemoShop {
  storeId: string
  productId: string
  /** The variant that a new session has one piece of. */
  variantId: string
}

/** Finds the store and the product that previews sell, or makes them. */
export async function findShop(
  client: Client,
  platform: Pick<DevPlatform, 'storeId' | 'variantId'>,
  kept: KeptShop | null,
): Promise<DemoShop> {
  const storeId = platform.storeId ?? kept?.storeId ?? (await makeStore(client))
  const known = kept === null ? null : await unlessMissing(client.products.get({ productId: kept.productId }))
  const shop = shopOf(known?.storeId === storeId ? known : await makeProduct(client, storeId))
  return platform.variantId === undefined ? shop : { ...shop, variantId: platform.variantId }
}

/** The result of a call; `null` for a 404. */
export async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof TillwrightError && error.status === 404) return null
    throw error
  }
}

async function makeStore(client: Client): Promise<string> {
  const [flow] = await client.paymentFlows.list({})
  const store = await client.stores.create({
    name: 'Plugin previews',
    baseCurrency: 'USD',
    ...(flow !== undefined && { selectedPaymentFlowId: flow.id }),
  })
  const costing = (amount: number) => Object.fromEntries(currencies.map((code) => [code, { amount }]))
  await client.shippingOptions.set({
    storeId: store.id,
    shippingOptions: [
      { name: 'Standard', description: '3 to 5 days', currencyOptions: costing(0) },
      { name: 'Express', description: 'Tomorrow', currencyOptions: costing(1_200) },
    ],
  })
  return store.id
}

const currencies = ['USD', 'EUR', 'GBP']

/** Whether a store ships to everywhere in all currencies of the product. What a merchant has set is left as it is. */
async function ships(client: Client, storeId: string): Promise<boolean> {
  try {
    const { shippingOptions } = await client.shippingOptions.list({ storeId })
    const everywhere = shippingOptions.filter(({ countries }) => countries.length === 0)
    return currencies.every((code) => everywhere.some(({ currencyOptions }) => Object.hasOwn(currencyOptions, code)))
  } catch (error) {
    if (error instanceof TillwrightError && error.status === 403) return false // the key may not read stores
    throw error
  }
}

async function makeProduct(client: Client, storeId: string): Promise<Product> {
  const price = { currencyOptions: { USD: { amount: 2_400 }, EUR: { amount: 2_200 }, GBP: { amount: 1_900 } } }
  const { productId } = await client.products.create({
    storeId,
    name: 'Canvas tote',
    description: 'A sturdy bag of undyed organic canvas, made to be filled.',
    // The page could not take payment for something the store cannot ship.
    isShippable: await ships(client, storeId),
    variants: [{ name: 'Natural', grams: 320, default: true, prices: [price] }],
  })
  return client.products.get({ productId })
}

function shopOf({ id: productId, storeId, variants }: Product): DemoShop {
  const variant = variants.find((each) => each.default) ?? variants[0]
  return { storeId, productId, variantId: variant?.id ?? '' }
}
