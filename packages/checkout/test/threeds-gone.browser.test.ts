import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { dropPings, fallSilent } from './silent-frame.ts'
import { authenticate, framesOf, outcomeOf, setThreedsStage, type ThreedsStage, typeCode } from './threeds-stage.ts'

let stage: ThreedsStage
beforeAll(async () => {
  stage = await setThreedsStage()
})
afterEach(() => stage.reset())
afterAll(() => stage.close())

test.each([
  ['whose process has died', (page: Page) => inFrame(page, fallSilent)],
  ['without which the page was rendered anew', (page: Page) => page.locator('body > dialog').evaluate(takeOut)],
])('a frame %s is given up, and the next call goes on where it was', async (_, lose) => {
  const page = await stage.openShop()
  await page.clock.install()
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await lose(page)
  await page.clock.runFor(25_000)
  expect(await outcomeOf(page)).toMatchObject({ code: 'frame_unavailable' })
  expect(await page.locator('dialog').count()).toBe(0)
  await authenticate(page, token)
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test.each([
  ['answers', () => {}],
  ['is of a release that knew no questions', dropPings],
])('a frame that %s is waited for, however long its buyer takes', async (_, prepare) => {
  const page = await stage.openShop()
  await page.clock.install()
  await page.addInitScript(prepare)
  await page.reload()
  await authenticate(page, stage.vault.sessions.open())
  await framesOf(page).bank.getByLabel('Code').waitFor()
  for (let asked = 0; asked < 12; asked += 1) {
    await page.clock.runFor(5_000)
    await inFrame(page, () => {}) // it has had its turn
  }
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a page that could not hold the frame and comes back by Back learns that nobody is at it any more', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  stage.vault.allowedOrigins = []
  await page.route('**/v1/threeds?*return=*', (route) => route.fulfill({ status: 204 })) // the page is left, and stays as it was
  const left = page.waitForResponse('**/v1/threeds?*return=*')
  await authenticate(page, token, { returnUrl: `${stage.shopUrl}/?back` })
  await left
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  expect(await outcomeOf(page)).toMatchObject({ code: 'frame_unavailable' })
  stage.vault.allowedOrigins = [stage.shopUrl]
  await authenticate(page, token)
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

function inFrame(page: Page, run: () => void): Promise<void> {
  return framesOf(page).frame.locator('html').evaluate(run)
}

function takeOut(element: Element): void {
  element.remove()
}
