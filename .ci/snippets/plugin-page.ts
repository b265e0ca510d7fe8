import { expect } from 'vitest'
import { contract } from '../../packages/contract/src/index.ts'
import { deployPlugin } from '../../packages/platform/test/plugins/deploy-plugin.ts'
import { newFunnel, newPreviewSession } from '../../packages/platform/test/new-funnel.ts'
import { newPromotion } from '../../packages/platform/test/new-promotion.ts'
import { SHOP_URL, type TestPlatform } from '../../packages/platform/test/test-platform.ts'
import type { OpenPageOptions } from '../../packages/plugin-sdk/src/index.ts'
import * as methods from '../../packages/plugin-sdk/src/methods/index.ts'
import { checkoutWith, firstVariant, localPage } from '../../packages/plugin-sdk/test/local-page.ts'
import type { ProgramReader } from './run-pages.ts'
import type { Names } from './run-snippet.ts'

/** What the snippets of the SDK's guide take for granted: a page of the local store, and a debit that was typed. */
export function pluginPage(): ProgramReader {
  let promotionId = ''
  return {
    having: async (platform) => {
      const { apiUrl, local } = platform
      promotionId = await newPromotion(platform, { code: 'SUMMER10' })
      const typed = { iban: 'DE89370400440532013000', holderName: 'Ada Byrne', mandateAccepted: true }
      const variantId = await firstVariant(platform)
      return { ...methods, ...typed, ...local, apiUrl, shopUrl: SHOP_URL, variantId, page: localPage(platform) }
    },
    meanwhile: {
      'await page.customer.setAddress': toIreland,
      'const methods = await': pageInEuros,
      'const methods = openMethods': pageInEuros,
      'const page = openPage': stepsOfItsOwn,
      'import { openTestPage': showsItsSteps,
    },
    after: async ({ call }, { page }) => {
      await call(contract.promotions.archive, { params: { promotionId }, body: { revision: 1 } }) // other pages have this code, too
      const { order } = page as Page // the last snippet opens it, and its types are checked
      expect(order.get()).toMatchObject({ status: 'open', lines: [{ quantity: 1 }] })
    },
  }
}

type Page = ReturnType<typeof localPage>

/** The options of an order that is sent to Ireland. */
async function toIreland(platform: TestPlatform): Promise<Names> {
  const page = localPage(platform)
  await page.order.setLines([{ variantId: await firstVariant(platform) }])
  await page.customer.setAddress({ shippingAddress: { country: 'IE' } })
  return { page, shipping: page.order.get()?.shipping }
}

/** A page of a funnel that a plugin serves, whose order can be paid by iDEAL and by debit. */
async function pageInEuros(platform: TestPlatform): Promise<Names> {
  const { pluginId } = await deployPlugin(platform)
  const step = { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' }
  const { id, steps } = await newFunnel(platform, { steps: [step] })
  const variants = [{ name: 'White', prices: [{ currencyOptions: { EUR: { amount: 800 } } }] }]
  const body = { storeId: platform.local.storeId, name: 'Mug', variants }
  const { productId } = await platform.call(contract.products.create, { body })
  const product = await platform.call(contract.products.get, { params: { productId } })
  const page = localPage(platform, { data: { funnel: { id, stepId: steps[0]?.id ?? '' } } })
  await page.session.ready()
  await page.order.setLines([{ variantId: product.variants[0]?.id ?? '' }], 'EUR')
  return { page }
}

/** A browser's address, and a preview, in which a buyer may go to any step. */
async function stepsOfItsOwn(platform: TestPlatform): Promise<Names> {
  const { token } = await newPreviewSession(platform)
  const [addresses, shown]: [string[], unknown[]] = [[], []]
  return {
    addresses,
    shown,
    history: { pushState: (_state: null, _title: string, url: URL) => addresses.push(url.pathname) },
    show: (pageId: unknown) => shown.push(pageId),
    openPage: ({ navigate }: Pick<OpenPageOptions, 'navigate'>) =>
      localPage(platform, { data: { session: { token, isPreview: true } }, ...(navigate && { navigate }) }),
  }
}

async function showsItsSteps(_: TestPlatform, { page, addresses, shown }: Names): Promise<Names> {
  const { session, goTo } = page as Page // the snippet before opens it, and its types are checked
  const { nextStep } = await session.ready()
  await goTo(nextStep?.id ?? '')
  expect([addresses, shown]).toEqual([['/one-more-thing'], [null]]) // no plugin has pages of the local funnel
  return {}
}

/** Pays in a page of the local store, as its buyer does. */
export async function payInPage(platform: TestPlatform) {
  const page = localPage(platform, { checkout: checkoutWith(platform) })
  await page.customer.setAddress({ shippingAddress: { country: 'IE' } })
  await page.order.setLines([{ variantId: await firstVariant(platform) }])
  await page.pay.mount('#card')
  return page.pay.withCard()
}
