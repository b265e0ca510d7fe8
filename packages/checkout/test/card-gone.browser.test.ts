import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { dropPings, fallSilent } from './silent-frame.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())
beforeEach(() => {
  stage.vault.allowedOrigins = [stage.shopUrl]
})

test.each([
  ['process has died', (page: Page) => inFrame(page, fallSilent)],
  ['element was thrown away by a page that renders itself anew', (page: Page) => page.locator('#card').evaluate(empty)],
])('a form whose %s is given up, the call that waits is answered, and retry() brings another', async (_, lose) => {
  const page = await stage.openShop()
  await page.clock.install()
  await typeCard(await mountCard(page))
  await page.clock.runFor(5_000) // it has been asked, and has answered
  await lose(page)
  const gone = page.evaluate(
    () => new Promise<string>((resolve) => void window.card.on('error', ({ code }) => resolve(code))),
  )
  const call = tokenize(page)
  await page.clock.runFor(25_000)
  expect(await gone).toBe('frame_unavailable')
  expect(await call).toMatchObject({ code: expect.stringMatching(/^(frame_unavailable|not_mounted)$/) })
  expect(await page.locator('iframe').count()).toBe(0)
  const isReady = page.evaluate(() => new Promise<void>((resolve) => void window.card.on('ready', resolve)))
  await page.evaluate(() => window.card.retry())
  await isReady
  await typeCard(page.frameLocator('iframe'))
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test.each([
  ['answers', () => {}],
  ['is of a release that knew no questions', dropPings],
])('a form that %s is kept, however long its buyer takes', async (_, prepare) => {
  const page = await stage.openShop()
  await page.clock.install()
  await page.addInitScript(prepare)
  await page.reload()
  await typeCard(await mountCard(page))
  for (let asked = 0; asked < 12; asked += 1) {
    await page.clock.runFor(5_000)
    await inFrame(page, () => {}) // it has had its turn
  }
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

function inFrame(page: Page, run: () => void): Promise<void> {
  return page.frameLocator('iframe').locator('html').evaluate(run)
}

function empty(element: Element): void {
  element.replaceChildren()
}
