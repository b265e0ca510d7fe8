import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchChromium, wholeChromium } from '../../../.ci/chromium.ts'
import { READY_TIMEOUT_MS } from '../src/page/frame.ts'
import { type Appearance, HELLO_AFTER_LOAD_MS, themes } from '../src/wire/index.ts'
import { mountCard, watchMessages } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

declare global {
  interface Window {
    /** The number of documents that frames of this page have loaded, including error pages of the browser. */
    loads: number
  }
}

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const patience = { timeout: 60_000 }
const cardFrame = '**/v1/card?*'

/** Mounts a card form without waiting for it; `window.events` has what it says, `window.loads` what loads. */
async function startMounting(page: Page): Promise<void> {
  await page.evaluate(async () => {
    window.loads = 0
    document.addEventListener('load', () => void (window.loads += 1), true)
    window.card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card()
    for (const name of ['ready', 'change', 'loaderror', 'error'] as const) {
      window.card.on(name, (detail?: unknown) => void window.events.push([name, Object(detail).code ?? null]))
    }
    window.card.mount('#card')
  })
}

/** The events of loading, oldest first. */
function events(page: Page): Promise<unknown[]> {
  return page.evaluate(() => window.events.filter(([name]) => name !== 'change'))
}

/** Lets the time that a try has after its document has loaded go by, as soon as a number of documents have. */
async function passTry(page: Page, loads: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.loads), patience).toBe(loads)
  await page.clock.runFor(HELLO_AFTER_LOAD_MS)
}

const answersWith = (status: number) => (page: Page) =>
  page.route(cardFrame, (route) => route.fulfill({ status, contentType: 'text/html', body: '<p>Sorry</p>' }))
const failsWith = (reason: string) => (page: Page) => page.route(cardFrame, (route) => route.abort(reason))

test.each([
  ['the vault answers 500', answersWith(500)],
  ['the vault answers 429', answersWith(429)],
  ['the vault cannot be reached', failsWith('connectionrefused')],
  ['the connection breaks', failsWith('connectionreset')],
  ['something in the browser blocks the frame', failsWith('blockedbyclient')],
  ['the buyer is offline', (page: Page) => page.context().setOffline(true)],
])('when %s, the page hears a loaderror within 15 seconds, and retry() mends it', async (_, fail) => {
  const page = await stage.openShop()
  await page.clock.install()
  const start = await page.evaluate(() => Date.now())
  await fail(page)
  await startMounting(page)
  const call = page.evaluate(() => window.card.tokenize().catch(({ code }) => code))
  await passTry(page, 1)
  await passTry(page, 2)
  await expect.poll(() => events(page), patience).toEqual([['loaderror', 'frame_unavailable']])
  expect(await call).toBe('frame_unavailable')
  expect(await page.evaluate(() => document.querySelector('#card')?.childNodes.length)).toBe(0)
  expect((await page.evaluate(() => Date.now())) - start).toBeLessThan(15_000)
  // The browser logs error responses, and nothing about broken connections.
  expect(stage.takeComplaints().filter((text) => !text.startsWith('Failed to load'))).toEqual([])

  await page.unrouteAll()
  await page.context().setOffline(false)
  await page.evaluate(() => window.card.retry())
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  await expect.poll(() => events(page), patience).toContainEqual(['ready', null])
})

test("when the page's own policy blocks the frame, it hears a loaderror, and no error page is left", async () => {
  const page = await stage.openShop()
  await page.clock.install()
  await page.evaluate(() => {
    const policy = document.createElement('meta')
    policy.httpEquiv = 'Content-Security-Policy'
    policy.content = "frame-src 'none'"
    document.head.append(policy)
  })
  await startMounting(page)
  await passTry(page, 1)
  await passTry(page, 2)
  await expect.poll(() => events(page), patience).toEqual([['loaderror', 'frame_unavailable']])
  expect(stage.takeComplaints().join()).toContain('frame-src')
  expect(await page.locator('iframe').count()).toBe(0)
})

test('a form that does not load says so on the console of a page that listens to nothing', async () => {
  const page = await stage.openShop()
  await page.clock.install()
  await failsWith('connectionrefused')(page)
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.evaluate(async () => {
    window.loads = 0
    document.addEventListener('load', () => void (window.loads += 1), true)
    window.card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card().mount('#card')
  })
  await passTry(page, 1)
  await passTry(page, 2)
  expect((await warning).text()).toBe(
    "Tillwright: The card form did not load or stay: see the network, frame-src and the key's origins.",
  )
  expect(stage.takeComplaints().filter((text) => !text.startsWith('Failed to load'))).toEqual([])
})

test.each([
  ['the vault does not answer', (page: Page) => page.route(cardFrame, () => {})],
  [
    'the form says hello and no more',
    (page: Page) =>
      page.addInitScript(() => {
        if (window !== window.top) MessagePort.prototype.start = () => {}
      }),
  ],
])('when %s, the page hears a loaderror within 15 seconds', async (_, fail) => {
  const page = await stage.openShop()
  await page.clock.install()
  await fail(page)
  await startMounting(page)
  await page.clock.runFor(READY_TIMEOUT_MS - 3_000)
  expect(await events(page)).toEqual([])
  await page.clock.runFor(3_000)
  await expect.poll(() => events(page), patience).toEqual([['loaderror', 'frame_unavailable']])
  expect(await page.locator('iframe').count()).toBe(0)
})

test('a page that is prepared in case its buyer goes there has its form when they do', async () => {
  const page = await stage.openShop()
  await page.clock.install()
  const load = Promise.withResolvers<void>() // Chromium loads no frame of another origin before
  await page.route(cardFrame, (route) => load.promise.then(() => route.continue()))
  await page.evaluate(() => Object.defineProperty(document, 'prerendering', { value: true, configurable: true }))
  await startMounting(page)
  await page.clock.runFor(5 * READY_TIMEOUT_MS)
  await page.evaluate(() => Object.defineProperty(document, 'prerendering', { value: false }))
  load.resolve()
  await expect.poll(() => events(page), patience).toEqual([['ready', null]])
})

test('one failure is mended without a word: no event, no entry in the history, and a call that waits is answered', async () => {
  const page = await stage.openShop()
  await page.clock.install()
  const length = await page.evaluate(() => history.length)
  await page.route(cardFrame, (route) => route.fulfill({ status: 500, body: 'Sorry' }), { times: 1 })
  await startMounting(page)
  const call = page.evaluate(() => window.card.tokenize().catch(({ code }) => code))
  await passTry(page, 1)
  expect(await call).toBe('card_incomplete')
  expect(await events(page)).toEqual([['ready', null]])
  expect(await page.locator('iframe').count()).toBe(1)
  expect(await page.evaluate(() => history.length)).toBe(length)
  expect(stage.takeComplaints().join()).toContain('500')
})

test('a form that is closed while it loads is not loaded again', async () => {
  const page = await stage.openShop()
  await page.clock.install()
  await answersWith(500)(page)
  await startMounting(page)
  await expect.poll(() => page.evaluate(() => window.loads), patience).toBe(1)
  await page.evaluate(() => window.card.unmount())
  await page.clock.runFor(READY_TIMEOUT_MS)
  expect(await events(page)).toEqual([])
  expect(await page.locator('iframe').count()).toBe(0)
  expect(stage.takeComplaints().join()).toContain('500')
})

test('retry() leaves a mounted form alone, and does not bring back a destroyed one', async () => {
  const page = await stage.openShop()
  await startMounting(page)
  await page.frameLocator('iframe').getByLabel('Card number').fill('4242')
  await page.evaluate(() => window.card.retry())
  expect(await page.frameLocator('iframe').getByLabel('Card number').inputValue()).toBe('4242')
  const code = await page.evaluate(() => {
    window.card.destroy()
    try {
      window.card.retry()
    } catch (error) {
      return error instanceof window.Tillwright.CheckoutError && error.code
    }
  })
  expect(code).toBe('destroyed')
})

/** Keeps the card frame from loading until the returned function is called. */
async function holdCardFrame(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(cardFrame, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

/** How the frame's place looks now. `insidePx` is the height of what can be seen of its document. */
function lookOfFrame(page: Page): Promise<{ heightPx: number; insidePx: number; drawn: boolean; moving: number }> {
  return page.locator('iframe').evaluate((iframe: HTMLIFrameElement) => {
    const { backgroundImage, height } = getComputedStyle(iframe)
    return {
      heightPx: iframe.offsetHeight,
      insidePx: Number.parseFloat(height),
      drawn: backgroundImage !== 'none',
      moving: iframe.getAnimations().length,
    }
  })
}

test('until the form is ready its fields are drawn in its place, without motion and under the strictest policy', async () => {
  const page = await stage.openShop()
  await page.evaluate(() =>
    document.addEventListener('securitypolicyviolation', () => void window.events.push(['violation', null])),
  )
  const release = await holdCardFrame(page)
  await startMounting(page)
  expect(await lookOfFrame(page)).toEqual({ heightPx: 154, insidePx: 0, drawn: true, moving: 0 })
  // Assistive technology finds the one titled frame, and nothing else in its place.
  expect(await page.evaluate(() => document.querySelector('#card')?.childNodes.length)).toBe(1)
  release()
  await expect.poll(() => events(page), patience).toEqual([['ready', null]])
  expect(await lookOfFrame(page)).toEqual({ heightPx: 154, insidePx: 154, drawn: false, moving: 0 })
})

/** How far the page is shifted from when the form has been mounted until it is ready: the browser's own score. */
async function shiftOf(appearance: Appearance): Promise<number> {
  const page = await stage.openShop()
  const release = await holdCardFrame(page)
  await page.evaluate(async (look) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop', appearance: look })
    window.card = checkout.card().mount('#card')
  }, appearance)
  const score = page.evaluate(async () => {
    const painted = (): Promise<unknown> =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await painted()
    let sum = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += Reflect.get(entry, 'value')
    })
    observer.observe({ type: 'layout-shift' })
    await new Promise<void>((resolve) => {
      window.card.on('ready', resolve)
      document.title = 'Observing'
    })
    await painted()
    for (const entry of observer.takeRecords()) sum += Reflect.get(entry, 'value')
    return sum
  })
  await expect.poll(() => page.title(), patience).toBe('Observing')
  release()
  return score
}

test('no theme shifts the page when the form gets ready', async () => {
  for (const theme of themes) expect(await shiftOf({ theme }), theme).toBe(0)
  // A form that is higher than its place does shift it, so the browser keeps count.
  expect(await shiftOf({ variables: { fontSize: '24px' } })).toBeGreaterThan(0)
})

test('a call of focus() before the form is ready is kept until it is', async () => {
  const page = await stage.openShop()
  await startMounting(page)
  await page.evaluate(() => window.card.focus())
  await page.frameLocator('iframe').locator('#number:focus').waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
})

test("the frame is titled in the form's language, and in the next when that changes", async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale: 'de' })
  expect(await page.locator('iframe').getAttribute('title')).toBe('Kartendaten')
  await page.evaluate(() => window.card.update({ locale: 'en' }))
  await page.locator('iframe[title="Card details"]').waitFor()
  expect(await frame.locator('html').evaluate(() => document.title)).toBe('Card details')
})

test('a variable that is left out is named once on the console, with its rule and without its value', async () => {
  const page = await stage.openShop()
  const warnings: string[] = []
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())))
  const wrong = { colorText: 'pink4242', fontSize: '99px', spacing: '14px', '--color-4242': 'red' }
  await mountCard(page, { appearance: { variables: wrong } })
  await page.evaluate(() => window.card.update({ appearance: { variables: { colorText: '', spacing: '99px' } } }))
  await expect.poll(() => warnings.length, patience).toBe(4)
  expect(warnings).toEqual([
    'Tillwright: colorText is left out: not a color',
    'Tillwright: fontSize is left out: not a length, or too small or large',
    'Tillwright: --color-____ is left out: no such variable',
    'Tillwright: spacing is left out: not a length, or too small or large',
  ])
})

test('the browser may fill in the frame together with the page if it knows of that, and warns of nothing', async () => {
  const page = await stage.browser.newPage()
  await expectAutofill(page, await knowsAutofill(page))
  await page.close()
})

const whole = wholeChromium()

test.runIf(whole !== undefined)(
  'a Chromium with that feature (Chrome has it, a headless shell has not) may fill in the frame',
  async () => {
    const browser = await launchChromium(['--enable-features=AutofillPolicyControlledFeatureAutofill'], whole)
    const page = await browser.newPage()
    expect(await knowsAutofill(page)).toBe(true)
    await expectAutofill(page, true)
    await browser.close()
  },
)

function knowsAutofill(page: Page): Promise<boolean> {
  return page.evaluate(() => document.featurePolicy?.features().includes('autofill') ?? false)
}

async function expectAutofill(page: Page, isKnown: boolean): Promise<void> {
  const said: string[] = []
  page.on('console', (message) => void said.push(message.text()))
  await page.addInitScript(watchMessages)
  await page.goto(stage.shopUrl)
  await mountCard(page)
  expect(await page.locator('iframe').getAttribute('allow')).toBe(isKnown ? 'autofill' : null)
  expect(said).toEqual([])
}
