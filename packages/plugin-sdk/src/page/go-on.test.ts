import { expect, test } from 'vitest'
import { newPreviewSession } from '../../../platform/src/testing/new-funnel.ts'
import { SHOP_URL, sharedPlatform } from '../../../platform/src/testing/test-platform.ts'
import { localPage } from '../testing/local-page.ts'

const platform = sharedPlatform()

/** A page of a preview, which may leave a checkout unpaid by going to any step. */
async function previewPage(options: Parameters<typeof localPage>[1] = {}) {
  const { token } = await newPreviewSession(platform())
  const page = localPage(platform(), { address: `${SHOP_URL}/shop/checkout#tillwright-session=${token}`, ...options })
  return { page, token, view: await page.session.ready() }
}

test('the next step is loaded below where the plugin’s pages begin, and the session goes along', async () => {
  const { page, token, view } = await previewPage({ data: { basePath: '/shop' } })
  const nextStep = view.nextStep?.id ?? ''
  expect((await page.goTo(nextStep)).step?.id).toBe(nextStep)
  expect(page.surroundings.visited).toEqual([`${SHOP_URL}/shop/one-more-thing#tillwright-session=${token}`])
})

test('an application shows the step itself', async () => {
  const shown: [string, string][] = []
  const { page, view } = await previewPage({ navigate: (url, step) => shown.push([url.href, step.type]) })
  await page.goTo(view.nextStep?.id ?? '')
  expect(shown).toEqual([[`${SHOP_URL}/one-more-thing`, 'upsell']])
  await page.next()
  expect(shown).toHaveLength(2)
  expect(page.surroundings.visited).toEqual([])
})

test('a checkout in which nothing was paid is not left', async () => {
  const page = localPage(platform())
  await expect(page.next()).rejects.toMatchObject({ code: 'state_conflict', status: 409, param: 'stepId' })
  expect(page.surroundings.visited).toEqual([])
})
