import { expect, test } from 'vitest'
import { inNewStore } from '../../platform/test/buyer-session.ts'
import { newFunnel, newPreviewSession } from '../../platform/test/new-funnel.ts'
import { sharedPlatform, SHOP_URL } from '../../platform/test/test-platform.ts'
import { checkoutWith, firstVariant, localPage } from '../test/local-page.ts'

const platform = sharedPlatform()

/** A page of a preview, which may leave an unpaid checkout by going to any step. */
async function previewPage(options: Parameters<typeof localPage>[1] = {}) {
  const { token } = await newPreviewSession(platform())
  const page = localPage(platform(), {
    address: `${SHOP_URL}/shop/checkout`,
    ...options,
    data: { session: { token, isPreview: true }, ...options?.data },
  })
  return { page, view: await page.session.ready() }
}

test('the next step is loaded below the plugin’s base path, and the session is passed on in the tab', async () => {
  const storage = new Map<string, string>()
  const { page, view } = await previewPage({ data: { basePath: '/shop' }, storage })
  const nextStep = view.nextStep?.id ?? ''
  expect((await page.goTo(nextStep)).step?.id).toBe(nextStep)
  expect(page.environment.visited).toEqual([`${SHOP_URL}/shop/one-more-thing`])
  const outside = localPage(platform(), {
    address: page.environment.visited[0] ?? '',
    storage,
    data: { funnel: null },
  })
  expect((await outside.session.ready()).sessionId).toBe(view.sessionId)
})

test('an application shows the step itself', async () => {
  const shown: [string, string][] = []
  const { page, view } = await previewPage({ navigate: (url, step) => shown.push([url.href, step.type]) })
  await page.goTo(view.nextStep?.id ?? '')
  expect(shown).toEqual([[`${SHOP_URL}/one-more-thing`, 'upsell']])
  await page.next()
  expect(shown).toHaveLength(2)
  expect(page.environment.visited).toEqual([])
})

test('two calls at once, as of a double click, leave the step once', async () => {
  const { page, view } = await previewPage()
  await page.goTo(view.nextStep?.id ?? '')
  const before = page.environment.visited.length
  const [one, other] = await Promise.all([page.next(), page.next()])
  expect(other).toBe(one)
  expect(page.environment.visited).toHaveLength(before + 1)
})

test('an unpaid checkout cannot be left', async () => {
  const page = localPage(platform())
  await expect(page.next()).rejects.toMatchObject({ code: 'state_conflict', status: 409, param: 'stepId' })
  expect(page.environment.visited).toEqual([])
})

test('a buyer who has paid goes from the checkout to the merchant’s own page, without a code in the address', async () => {
  const shop = await inNewStore(platform(), { customThankYouUrl: 'https://shop.example/thanks' })
  const { id, steps } = await newFunnel(shop)
  const shown: string[] = []
  for (const funnel of [{ id, stepId: steps[0]?.id ?? '' }, null]) {
    const options = { data: { funnel }, checkout: checkoutWith(shop) }
    const page = localPage(shop, { ...options, navigate: ({ href }) => shown.push(href) })
    await page.order.setLines([{ variantId: await firstVariant(shop), quantity: 1 }])
    await page.pay.mount('#card')
    expect(await page.pay.withCard()).toMatchObject({ outcome: 'paid' })
    const view = await page.next()
    expect(page.environment.visited).toEqual([`https://shop.example/thanks?orderId=${view.order.id}`])
    expect(view.isCompleted).toBe(funnel !== null)
  }
  expect(shown).toEqual([])
})

test('an offer still stands between the checkout and the merchant’s own page', async () => {
  const shop = await inNewStore(platform(), { customThankYouUrl: 'https://shop.example/thanks' })
  const { id, steps } = await newFunnel(shop, {
    steps: [
      { type: 'checkout', name: 'Checkout', path: '/checkout' },
      { type: 'upsell', name: 'One more thing', path: '/more' },
    ],
  })
  const data = { funnel: { id, stepId: steps[0]?.id ?? '' } }
  const page = localPage(shop, { data, checkout: checkoutWith(shop) })
  await page.order.setLines([{ variantId: await firstVariant(shop), quantity: 1 }])
  await page.pay.mount('#card')
  await page.pay.withCard()
  await page.next()
  await page.next()
  const [offer, thanks, ...others] = page.environment.visited
  expect([offer, others]).toEqual([`${SHOP_URL}/more`, []])
  expect(thanks).toMatch(/^https:\/\/shop\.example\/thanks\?orderId=order_\w{22}$/)
})
