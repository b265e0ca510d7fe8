import { contract, type Product, type Variant } from '@tillwright/contract'
import { newFunnel } from './new-funnel.ts'
import { newCode, newPromotion } from './new-promotion.ts'
import { newFlow } from './payments/new-flow.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** Adds a product to the local store, as it is read. */
export async function newProduct({ call, local }: TestPlatform): Promise<Product> {
  const variants = [{ name: 'White', prices: [{ currencyOptions: { USD: { amount: 900 } } }] }]
  const { productId } = await call(contract.products.create, {
    body: { storeId: local.storeId, name: 'Mug', variants },
  })
  return call(contract.products.get, { params: { productId } })
}

/** Requests that change what the catalog has, each with success. */
export const changeRequests: HappyRequests = {
  'products.update': async (platform) => ({
    params: { productId: (await newProduct(platform)).id },
    body: {
      revision: 1,
      name: 'Cup',
      description: 'Holds tea.',
      unitLabel: 'cup',
      accountingCode: '4000-100',
      taxCategory: 'tableware',
      active: false,
      isShippable: true,
      isTaxable: true,
      autoSync: true,
    },
  }),
  'products.archive': async (platform) => ({
    params: { productId: (await newProduct(platform)).id },
    body: { revision: 1 },
  }),
  'products.unarchive': async (platform) => {
    const { id: productId } = await newProduct(platform)
    await platform.call(contract.products.archive, { params: { productId }, body: { revision: 1 } })
    return { params: { productId }, body: { revision: 2 } }
  },
  'variants.create': async (platform) => ({
    params: { productId: (await newProduct(platform)).id },
    body: {
      revision: 1,
      name: 'Blue',
      sku: null,
      grams: 300,
      default: true,
      prices: [{ currencyOptions: { USD: { amount: 950 } } }],
    },
  }),
  'variants.update': async (platform) => ({
    params: (await newVariant(platform)).params,
    body: {
      revision: 1,
      name: 'Ivory',
      description: 'Off-white.',
      sku: null,
      grams: 310,
      active: true,
      default: true,
      imageUrl: 'https://shop.example/ivory.png',
    },
  }),
  'variants.archive': async (platform) => ({
    params: (await twoVariants(platform)).params,
    body: { revision: 2 },
  }),
  'variants.unarchive': async (platform) => {
    const { params } = await twoVariants(platform)
    await platform.call(contract.variants.archive, { params, body: { revision: 2 } })
    return { params, body: { revision: 3 } }
  },
  'prices.create': async (platform) => {
    const { params, variant } = await newVariant(platform)
    const price = { currencyOptions: { USD: { amount: 1_200 } }, replaces: variant.prices[0]?.id }
    return { params, body: { revision: 1, ...price } }
  },
  'prices.update': async (platform) => {
    const { params, variant } = await newVariant(platform)
    return {
      params: { ...params, priceId: variant.prices[0]?.id },
      body: {
        revision: 1,
        currencyOptions: { USD: { amount: 1_100 }, EUR: { amount: 1_000 } },
        recurring: true,
        billingTiming: 'in_advance',
        interval: 'month',
        intervalCount: 2,
        trialDays: 7,
        offeredToPages: true,
        default: true,
      },
    }
  },
  'prices.archive': async (platform) => ({
    params: await twoPrices(platform),
    body: { revision: 2 },
  }),
  'prices.unarchive': async (platform) => {
    const params = await twoPrices(platform)
    await platform.call(contract.prices.archive, { params, body: { revision: 2 } })
    return { params, body: { revision: 3 } }
  },
  'funnels.archive': async (platform) => ({
    params: { funnelId: (await newFunnel(platform)).id },
    body: { revision: 1 },
  }),
  'funnels.unarchive': async (platform) => {
    const { id: funnelId } = await newFunnel(platform)
    await platform.call(contract.funnels.archive, { params: { funnelId }, body: { revision: 1 } })
    return { params: { funnelId }, body: { revision: 2 } }
  },
  'promotions.archive': async (platform) => ({
    params: { promotionId: await newPromotion(platform, { code: newCode() }) },
    body: { revision: 1 },
  }),
  'promotions.unarchive': async (platform) => {
    const promotionId = await newPromotion(platform, { code: newCode() })
    await platform.call(contract.promotions.archive, { params: { promotionId }, body: { revision: 1 } })
    return { params: { promotionId }, body: { revision: 2 } }
  },
  'stores.update': async (platform) => ({
    params: { storeId: (await platform.call(contract.stores.create, { body: { name: 'To change' } })).id },
    body: {
      revision: 1,
      name: 'Harbour Goods',
      presentmentCurrencies: 'USD,EUR',
      chargeCurrencies: 'USD',
      baseCurrency: 'USD',
      credentials: 'secret',
      selectedPaymentFlowId: platform.local.paymentFlowId,
      customThankYouUrl: 'https://shop.example/thanks',
      flaggedForDeletionAt: '2030-01-01T00:00:00+01:00',
      walletSubscriptionEnabled: true,
      multipleSubscriptionsPerCustomerEnabled: false,
    },
  }),
  'stores.archive': async (platform) => ({
    params: { storeId: (await platform.call(contract.stores.create, { body: { name: 'To archive' } })).id },
    body: { revision: 1 },
  }),
  'stores.unarchive': async (platform) => {
    const { id: storeId } = await platform.call(contract.stores.create, { body: { name: 'To bring back' } })
    await platform.call(contract.stores.archive, { params: { storeId }, body: { revision: 1 } })
    return { params: { storeId }, body: { revision: 2 } }
  },
  'paymentFlows.update': async (platform) => {
    const { flow, processorIds } = await newFlow(platform, 1)
    const [processorId] = processorIds
    return {
      params: { paymentFlowId: flow.id },
      body: {
        revision: 1,
        name: 'At random',
        strategy: 'simple',
        pickProcessorStrategy: 'weighted',
        processorConfigs: [{ processorId, weight: 2, disabled: false, nonStickable: true }],
        fallbackProcessorConfigs: [],
        fallbackMode: false,
        maxFallbackRetries: 0,
        threeDsEnabled: true,
        stickyProcessorEnabled: true,
        abuseDetectionConfig: { enabled: true, maxAttemptsPerIp: 3 },
      },
    }
  },
  'paymentFlows.archive': async (platform) => ({
    params: { paymentFlowId: (await newFlow(platform, 0)).flow.id },
    body: { revision: 1 },
  }),
  'paymentFlows.unarchive': async (platform) => {
    const { id: paymentFlowId } = (await newFlow(platform, 0)).flow
    await platform.call(contract.paymentFlows.archive, { params: { paymentFlowId }, body: { revision: 1 } })
    return { params: { paymentFlowId }, body: { revision: 2 } }
  },
}

interface PlacedVariant {
  params: { productId: string; variantId: string }
  variant: Variant
}

async function newVariant(platform: TestPlatform): Promise<PlacedVariant> {
  return lastOf(await newProduct(platform))
}

/** The second variant of a product, which is not the default. */
async function twoVariants(platform: TestPlatform): Promise<PlacedVariant> {
  const { id: productId } = await newProduct(platform)
  const body = { revision: 1, name: 'Blue', prices: [{ currencyOptions: { USD: { amount: 950 } } }] }
  return lastOf(await platform.call(contract.variants.create, { params: { productId }, body }))
}

/** The second price of a variant, which is not the default. */
async function twoPrices(platform: TestPlatform) {
  const { params } = await newVariant(platform)
  const body = { revision: 1, currencyOptions: { USD: { amount: 950 } } }
  const { variant } = lastOf(await platform.call(contract.prices.create, { params, body }))
  return { ...params, priceId: variant.prices.at(-1)?.id ?? '' }
}

function lastOf({ id: productId, variants }: Product): PlacedVariant {
  const variant = variants.at(-1)
  if (variant === undefined) throw new Error(`The product '${productId}' has no variant.`)
  return { params: { productId, variantId: variant.id }, variant }
}
