import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { authenticate, framesOf, outcomeOf, setThreedsStage, type ThreedsStage } from '../threeds-stage.ts'

let stage: ThreedsStage
beforeAll(async () => {
  stage = await setThreedsStage()
})
beforeEach(() => {
  // A frame that believes a notice asks the vault once more and takes what there is.
  stage.vault.sessions.patienceMs = 200
})
afterEach(() => Promise.all(stage.browser.contexts().map((context) => context.close())))
afterAll(() => stage.close())

const notice = { tillwright: 'threeds', step: 'challenge', id: 'token-1' }
const noticeFile = 'threeds-frame/session.ts'
const checksOrigin = { file: noticeFile, code: 'origin === location.origin', instead: 'origin' }
const checksSource = { file: noticeFile, code: 'source === iframe.contentWindow', instead: 'source' }
const checksStep = { file: 'wire/threeds.ts', code: 'data.step === step', instead: 'true' }
const sandboxes = [
  {
    file: 'threeds-frame/session.ts',
    code: "iframe.setAttribute('sandbox', ISSUER_SANDBOX)",
    instead: 'ISSUER_SANDBOX',
  },
  {
    file: 'page/threeds/frame.ts',
    code: "iframe.setAttribute('sandbox', ISSUER_SANDBOX)",
    instead: 'ISSUER_SANDBOX',
  },
]

test('a notice from the page of the bank itself ends nothing', async () => {
  const forge = async (page: Page): Promise<void> => {
    await (await bankOf(page)).evaluate((data) => parent.postMessage(data, '*'), notice)
  }
  expect(await outcomeAfter(forge, await stage.openShop())).toBe('authenticated')
  expect(await outcomeAfter(forge, await stage.openWithout(checksOrigin))).toBe('pending')
})

test("a notice from the shop's page ends nothing", async () => {
  const forge = (page: Page): Promise<void> =>
    page.evaluate((data) => {
      document.querySelector<HTMLIFrameElement>('dialog iframe')?.contentWindow?.postMessage(data, '*')
    }, notice)
  expect(await outcomeAfter(forge, await stage.openShop())).toBe('authenticated')
  // The two defences cover each other.
  expect(await outcomeAfter(forge, await stage.openWithout(checksOrigin))).toBe('authenticated')
  expect(await outcomeAfter(forge, await stage.openWithout(checksOrigin, checksSource))).toBe('pending')
})

test("a notice from the vault's own origin, but another frame than the bank's, ends nothing", async () => {
  const forge = async (page: Page): Promise<void> => {
    const beside = await frameOfVault(page)
    await beside.evaluate((data) => parent.frames[0]?.postMessage(data, '*'), notice)
  }
  expect(await outcomeAfter(forge, await stage.openShop())).toBe('authenticated')
  expect(await outcomeAfter(forge, await stage.openWithout(checksSource))).toBe('pending')
})

test('a bank that leads to the notification of another step ends nothing; the buyer can still cancel', async () => {
  const forge = async (page: Page): Promise<void> => {
    const address = `${stage.vault.url}/v1/threeds/method/token-1`
    const bank = await bankOf(page)
    await Promise.all([page.waitForResponse(address), bank.evaluate((url) => location.assign(url), address)])
  }
  const cancel = async (page: Page): Promise<void> => {
    await framesOf(page).frame.getByRole('button', { name: 'Cancel' }).click()
  }
  expect(await outcomeAfter(forge, await stage.openShop(), cancel)).toBe('cancelled')
  expect(await outcomeAfter(forge, await stage.openWithout(checksStep), async () => {})).toBe('pending')
})

test("no page but the bank's own says how high the bank's page is", async () => {
  const heightAfterForgery = async (page: Page): Promise<number | undefined> => {
    await authenticate(page, stage.vault.sessions.open())
    const bank = framesOf(page).bank.getByLabel('Code')
    await bank.waitFor()
    const beside = await frameOfVault(page)
    await beside.evaluate((data) => parent.frames[0]?.postMessage(data, '*'), { height: 1 })
    await page.evaluate((data) => window.frames[0]?.postMessage(data, '*'), { height: 1 })
    // Messages arrive in the order in which they were sent.
    await bank.evaluate(() => parent.postMessage({ tillwright: 'height', height: 0 }, '*'))
    const box = framesOf(page).frame.locator('dialog iframe')
    await box.evaluate(() => new Promise((heard) => void requestAnimationFrame(() => requestAnimationFrame(heard))))
    return (await box.boundingBox())?.height
  }
  const checksHeight = {
    file: noticeFile,
    code: 'source === iframe.contentWindow && data?.height',
    instead: 'data?.height',
  }
  expect(await heightAfterForgery(await stage.openShop())).toBe(600)
  expect(await heightAfterForgery(await stage.openWithout(checksHeight))).toBe(1)
})

test('a hello with the right id from a sibling frame does not get the port', async () => {
  const page = await stage.openShop()
  const { promise: loading, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/v1/threeds?*', async (route) => {
    await loading
    await route.fallback()
  })
  await page.evaluate(() => {
    window.addEventListener('message', ({ data }) => Object.assign(window, { heard: [data.tillwright] }))
  })
  await authenticate(page, stage.vault.sessions.open({ frictionless: 'authenticated' }))
  const beside = await frameOfVault(page)
  const src = (await page.locator('dialog iframe').getAttribute('src')) ?? ''
  await beside.evaluate(
    (id) => parent.postMessage({ tillwright: 'hello', v: 1, id }, '*'),
    new URL(src).searchParams.get('id'),
  )
  await page.waitForFunction(() => window.heard?.includes('hello'))
  release()
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a bank cannot lead the shop’s page away, even where the buyer has clicked', async () => {
  const leaves = async (page: Page): Promise<string> => {
    await authenticate(page, stage.vault.sessions.open())
    const bank = await bankOf(page)
    await bank.evaluate((url) => {
      document.querySelector('button')?.addEventListener('click', (event) => {
        event.preventDefault()
        try {
          if (top) top.location.href = url
        } catch {
          document.title = 'Refused'
        }
      })
    }, `${stage.vault.bankUrl}/elsewhere`)
    await bank.locator('button').click()
    // The bank's page has either been refused, or it has taken the shop's place and is gone itself.
    await bank.waitForFunction(() => document.title === 'Refused').catch(() => page.waitForURL(/elsewhere/))
    return new URL(page.url()).origin
  }
  expect(await leaves(await stage.openShop())).toBe(stage.shopUrl)
  expect(await leaves(await stage.openWithout(...sandboxes))).toBe(stage.vault.bankUrl)
})

/** The outcome of a challenge with an attack before the buyer types the right code, or does something else. */
async function outcomeAfter(
  attack: (page: Page) => Promise<void>,
  page: Page,
  then: (page: Page) => Promise<void> = typeCode,
): Promise<unknown> {
  await authenticate(page, stage.vault.sessions.open())
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await attack(page)
  // Where the attack succeeds there is nothing left to type into.
  await Promise.race([then(page).catch(() => {}), outcomeOf(page)])
  return page.evaluate(async () => {
    const end = await window.authentication
    return 'outcome' in end ? end.outcome : end.code
  })
}

async function typeCode(page: Page): Promise<void> {
  const { bank } = framesOf(page)
  await bank.getByLabel('Code').fill('1234')
  await bank.getByRole('button').click()
}

async function bankOf(page: Page): Promise<Frame> {
  await framesOf(page).bank.getByLabel('Code').waitFor()
  const frame = page.frames().find((candidate) => candidate.url().startsWith(stage.vault.bankUrl))
  if (!frame) throw new Error('The bank has no frame.')
  return frame
}

/** Adds a frame of the vault's origin to the shop's page, behind the 3-D Secure frame. */
async function frameOfVault(page: Page): Promise<Frame> {
  const address = `${stage.vault.url}/sibling`
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Sibling</title>' }),
  )
  await page.evaluate(async (src) => {
    const iframe = document.createElement('iframe')
    const loaded = new Promise((resolve) => iframe.addEventListener('load', resolve))
    iframe.src = src
    document.body.append(iframe)
    await loaded
  }, address)
  const frame = page.frames().find((candidate) => candidate.url() === address)
  if (!frame) throw new Error('The vault has no sibling frame.')
  return frame
}
