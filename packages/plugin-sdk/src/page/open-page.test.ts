import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { SHOP_URL, sharedPlatform } from '../../../platform/src/testing/test-platform.ts'
import { openTestPage, testData, type TestPageOptions } from '../test-page/index.ts'

const platform = sharedPlatform()

/** A page of the local store's funnel. */
function open(options: TestPageOptions = {}) {
  const { apiUrl, vaultUrl, local } = platform()
  const { publishableKey, storeId, funnelId, stepId } = local
  const funnel = { id: funnelId, stepId }
  const data = testData({ apiUrl, vaultUrl, publishableKey, storeId, funnel, ...options.data })
  return openTestPage({ address: `${SHOP_URL}/`, ...options, data })
}

async function variant(): Promise<string> {
  const { call, local } = platform()
  const product = await call(contract.products.get, { params: { productId: local.productId } })
  return product.variants[0]?.id ?? ''
}

test('a page begins a session at the first step of its funnel', async () => {
  const page = open()
  const view = await page.session.ready()
  expect(view.step?.id).toBe(platform().local.stepId)
  expect(page.session.get()).toMatchObject({ status: 'ready', view, isBusy: false, error: null })
})

test('what is put into the order is priced by the platform', async () => {
  const page = open()
  const { order } = await page.order.add({ variantId: await variant(), quantity: 2 })
  expect(order.amount).toBeGreaterThan(0)
  expect(page.order.get()).toBe(order)
})
