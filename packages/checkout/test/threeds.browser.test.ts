import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { COLOURS, violationsOf, WCAG } from '../../../.ci/accessibility.ts'
import { launchWithScrollbars } from '../../../.ci/chromium.ts'
import { authenticate, framesOf, outcomeOf, setThreedsStage, type ThreedsStage, typeCode } from './threeds-stage.ts'

let stage: ThreedsStage
beforeAll(async () => {
  stage = await setThreedsStage()
})
afterEach(() => stage.reset())
afterAll(() => stage.close())

test('a buyer who types the right code is authenticated, with the keyboard back where it was', async () => {
  const page = await stage.openShop()
  await page.locator('#pay').focus()
  await authenticate(page, stage.vault.sessions.open({ method: 'notifies' }))
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(await page.evaluate(() => window.steps)).toEqual(['method', 'authenticate', 'challenge', 'result'])
  expect(await page.locator('dialog').count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pay')
})

test('the bank gets the browser’s own data about itself', async () => {
  const page = await stage.openShop({
    locale: 'de-AT',
    timezoneId: 'Asia/Kolkata',
    screen: { width: 390, height: 844 },
    viewport: { width: 390, height: 844 },
  })
  const token = stage.vault.sessions.open({ method: 'notifies', frictionless: 'authenticated' })
  await authenticate(page, token)
  await outcomeOf(page)
  expect(stage.vault.sessions.state(token).authenticated).toEqual([
    {
      browser: {
        javaEnabled: false,
        language: 'de-AT',
        colorDepth: await page.evaluate(() => screen.colorDepth),
        screenHeight: 844,
        screenWidth: 390,
        timeZoneOffset: -330,
        challengeWindowSize: '05',
      },
      methodCompletion: 'Y',
    },
  ])
})

test.each([
  ['has no method page', null, 'U'],
  ['never ends its method page', 'hangs', 'N'],
] as const)('a bank that %s is asked all the same', async (_, method, methodCompletion) => {
  const page = await stage.openShop()
  await page.clock.install()
  const token = stage.vault.sessions.open({ method, frictionless: 'authenticated' })
  const asked = method && page.waitForResponse(`${stage.vault.bankUrl}/method`)
  await authenticate(page, token)
  await asked
  if (method) await page.clock.runFor(10_000)
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(stage.vault.sessions.state(token).authenticated).toEqual([expect.objectContaining({ methodCompletion })])
})

test('the keyboard goes to the code, which needs no click, and Enter does not cancel', async () => {
  const page = await stage.openShop()
  await authenticate(page, stage.vault.sessions.open())
  await codeHasKeyboard(page)
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(stage.vault.calls).not.toContain('cancel')
})

test('Shift+Tab leads from the code to the close mark, a button called Cancel, and Enter, Space and Esc there cancel at the vault', async () => {
  const page = await stage.openShop()
  for (const key of ['Enter', 'Space', 'Escape']) {
    stage.vault.calls.length = 0
    await authenticate(page, stage.vault.sessions.open())
    await codeHasKeyboard(page)
    await page.keyboard.press('Shift+Tab')
    await framesOf(page).frame.locator('button:focus').waitFor()
    expect(await framesOf(page).frame.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(1)
    await page.keyboard.press(key)
    expect(await outcomeOf(page), key).toMatchObject({ outcome: 'cancelled' })
    expect(stage.vault.calls, key).toContain('cancel')
  }
})

test('before the bank’s page is there Esc cancels, and Enter does not', async () => {
  const page = await stage.openShop()
  const { promise: loading, resolve: release } = Promise.withResolvers<void>()
  await page.route(`${stage.vault.bankUrl}/**`, async (route) => {
    await loading
    await route.abort()
  })
  await authenticate(page, stage.vault.sessions.open())
  const html = framesOf(page).frame.locator('html')
  await expect.poll(() => html.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME')
  await page.keyboard.press('Enter')
  expect(stage.vault.calls).not.toContain('cancel')
  await page.keyboard.press('Escape')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'cancelled' })
  release()
})

test("from inside the bank's page Esc does what the bank wants, here nothing", async () => {
  const page = await stage.openShop()
  await authenticate(page, stage.vault.sessions.open())
  await codeHasKeyboard(page)
  await page.keyboard.press('Escape')
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(stage.vault.calls).not.toContain('cancel')
})

test('who cancels when the bank has decided already learns what it has decided', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  await codeHasKeyboard(page)
  stage.vault.sessions.state(token).outcome = 'authenticated' // and the answer that tells the page is still under way
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Escape')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('the window is as high as the bank says its page is, and no higher than the page was promised', async () => {
  const page = await stage.openShop()
  await authenticate(page, stage.vault.sessions.open())
  const box = framesOf(page).frame.locator('dialog iframe')
  await codeHasKeyboard(page)
  const height = async () => (await box.boundingBox())?.height
  const say = async (message: unknown) => {
    await framesOf(page)
      .bank.locator('body')
      .evaluate((_, data) => parent.postMessage(data, '*'), message)
  }
  expect(await height()).toBe(600)
  await say({ height: 310 })
  await expect.poll(height).toBe(310)
  for (const nonsense of [{ height: -1 }, { height: 'auto' }, { height: null }, 7, null, { height: {} }]) {
    await say(nonsense)
  }
  await say({ height: 5_000 })
  await expect.poll(height).toBe(600)
})

test('on a telephone the window hangs from the top, where no keyboard covers it, and is as wide as the screen', async () => {
  const page = await stage.openShop({ viewport: { width: 390, height: 844 } })
  await authenticate(page, stage.vault.sessions.open())
  await codeHasKeyboard(page)
  const dialog = framesOf(page).frame.getByRole('dialog')
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await framesOf(page)
    .bank.locator('body')
    .evaluate(() => parent.postMessage({ height: 300 }, '*'))
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 352 })
})

test('a tab whose session another tab is authenticating waits for the challenge of both', async () => {
  const page = await stage.openShop()
  stage.vault.sessions.patienceMs = 1
  stage.vault.faults.push({ status: 200, body: { method: null } }, { status: 409, body: { message: 'Busy' } })
  await authenticate(page, stage.vault.sessions.open())
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(stage.vault.calls.slice(0, 4)).toEqual(['start', 'authenticate', 'result', 'authenticate'])
})

test('two calls in a page are one authentication', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  const outcomes = page.evaluate(async (actionToken) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    return Promise.all([checkout.authenticate(actionToken), checkout.authenticate(actionToken)])
  }, token)
  await typeCode(page, '1234')
  expect(await outcomes).toMatchObject([{ outcome: 'authenticated' }, { outcome: 'authenticated' }])
  expect(stage.vault.calls.filter((call) => call === 'start')).toHaveLength(1)
})

test('of several calls for one authentication each hears its steps, until it leaves', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  const calls = await page.evaluateHandle(async (actionToken) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    const leaving = new AbortController()
    const call = (signal = new AbortController().signal) => {
      const steps: string[] = []
      const onStep = (step: string) => void steps.push(step)
      return { steps, end: checkout.authenticate(actionToken, { signal, onStep }).catch(() => null) }
    }
    return { leaving, all: [call(), call(), call(leaving.signal)] }
  }, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await calls.evaluate(({ leaving }) => leaving.abort())
  await typeCode(page, '1234')
  const heard = await calls.evaluate(async ({ all }) => {
    await Promise.all(all.map(({ end }) => end))
    return all.map(({ steps }) => steps.join())
  })
  const whole = 'authenticate,challenge,result'
  expect(heard).toEqual([whole, whole, 'authenticate,challenge'])
})

test('a page that leaves a challenge is free at once, and the next call goes on where it was', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  const first = await page.evaluateHandle(async (actionToken) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    const leaving = new AbortController()
    const call = checkout.authenticate(actionToken, { signal: leaving.signal })
    return { checkout, leaving, call }
  }, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  const reason = await first.evaluate(async ({ leaving, call }) => {
    leaving.abort()
    return call.catch(({ name }) => name)
  })
  expect(reason).toBe('AbortError')
  expect(await page.locator('dialog').count()).toBe(0)
  expect(await overflowOf(page)).toBe('visible')
  const refused = await first.evaluate(({ checkout, leaving }, actionToken) => {
    return checkout.authenticate(actionToken, { signal: leaving.signal }).catch(({ name }) => name)
  }, token)
  expect(refused).toBe('AbortError')
  expect(await page.locator('dialog').count()).toBe(0)
  await authenticate(page, token)
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
  expect(stage.vault.calls).not.toContain('cancel')
})

test('a view that leaves and comes back in one go, as in React’s strict mode, is authenticated by the second call', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  const outcomes = page.evaluate(async (actionToken) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    const leaving = new AbortController()
    const first = checkout.authenticate(actionToken, { signal: leaving.signal }).catch(({ name }) => name)
    leaving.abort()
    return Promise.all([first, checkout.authenticate(actionToken)])
  }, token)
  await typeCode(page, '1234')
  expect(await outcomes).toMatchObject(['AbortError', { outcome: 'authenticated' }])
})

test('of two calls for one authentication, the one that leaves takes nothing from the other', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  const leaving = await page.evaluateHandle(() => new AbortController())
  const left = leaving.evaluate(async ({ signal }, actionToken) => {
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    return checkout.authenticate(actionToken, { signal }).catch(({ name }) => name)
  }, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await leaving.evaluate((controller) => controller.abort())
  expect(await left).toBe('AbortError')
  await typeCode(page, '1234')
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a challenge whose address is a script, a document, without HTTPS or too long is not opened', async () => {
  const page = await stage.openShop()
  for (const acsUrl of [
    'javascript:parent.document.body.remove()',
    'data:text/html,<h1>Bank</h1>',
    'http://bank.example/challenge',
    `https://bank.example/${'x'.repeat(2_049 - 'https://bank.example/'.length)}`,
  ]) {
    stage.vault.calls.length = 0
    await authenticate(page, stage.vault.sessions.open({ acsUrl }))
    expect(await outcomeOf(page), acsUrl).toMatchObject({ outcome: 'unavailable' })
    expect(await page.evaluate(() => window.steps), acsUrl).toEqual(['authenticate'])
    expect(stage.vault.calls, acsUrl).toContain('cancel')
  }
})

test('beneath the challenge nothing can be scrolled or reached, and nothing moves', async () => {
  const page = await stage.openShop()
  await page.evaluate(() => {
    document.body.style.height = '5000px'
    document.documentElement.style.overflow = 'auto'
  })
  const place = await page.locator('#pay').boundingBox()
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  expect(await page.locator('#pay').boundingBox()).toEqual(place)
  await page.mouse.move(20, 20)
  await page.mouse.wheel(0, 500)
  await page.keyboard.press('PageDown')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => [scrollY, document.activeElement?.tagName])).not.toContain('BUTTON')
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.keyboard.press('Shift+Tab')
  stage.vault.sessions.complete(token, 'failed')
  await outcomeOf(page)
  expect(await page.evaluate(() => document.documentElement.style.cssText)).toBe('overflow: auto;')
})

test('of two challenges at a time the first may end first: the page scrolls again when none is left, and not before', async () => {
  const page = await stage.openShop()
  const first = stage.vault.sessions.open()
  const second = stage.vault.sessions.open()
  await authenticate(page, first)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  const ended = await page.evaluateHandle(() => ({ first: window.authentication }))
  await authenticate(page, second)
  await page.locator('dialog:modal').nth(1).waitFor()
  stage.vault.sessions.complete(first, 'authenticated')
  await ended.evaluate((result) => result.first)
  expect(await overflowOf(page)).toBe('clip')
  stage.vault.sessions.complete(second, 'authenticated')
  await outcomeOf(page)
  expect(await overflowOf(page)).toBe('visible')
})

test('a page that ends its own lock on scrolling during the challenge is not locked by its end', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  // for a dialog with the card form, in a page that keeps room for its scrollbar
  await page.evaluate(
    () => void (document.documentElement.style.cssText = 'overflow: hidden; scrollbar-gutter: stable'),
  )
  await authenticate(page, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await page.evaluate(() => void (document.documentElement.style.overflow = '')) // the buyer went back in its history
  expect(await overflowOf(page)).toBe('clip')
  stage.vault.sessions.complete(token, 'authenticated')
  await outcomeOf(page)
  expect(await overflowOf(page)).toBe('visible')
  expect(await page.evaluate(() => document.documentElement.style.cssText)).toBe('scrollbar-gutter: stable;')
})

test('a page that locks its scrolling during the challenge, and gives back what it has found there, can be scrolled', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  const found = await page.evaluate(() => {
    const { style } = document.documentElement
    const { overflow } = style
    style.overflow = 'hidden'
    return overflow
  })
  stage.vault.sessions.complete(token, 'authenticated')
  await outcomeOf(page)
  expect(await overflowOf(page)).toBe('hidden')
  await page.evaluate((overflow) => void (document.documentElement.style.overflow = overflow), found)
  expect(await overflowOf(page)).toBe('visible')
})

/** How the page can be scrolled at this moment. */
function overflowOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).overflow)
}

test('next to a scrollbar that takes room, the whole window is dimmed, and still nothing moves', async () => {
  const browser = await launchWithScrollbars()
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 } })
  await page.goto(stage.shopUrl)
  const html = page.locator('html')
  await html.evaluate(({ style }) => (style.cssText = 'scrollbar-gutter: stable; padding-right: 3px; height: 5000px'))
  const widths = () => html.evaluate((root) => [innerWidth, root.clientWidth])
  const [whole = 0, ...visible] = await widths()
  expect(visible[0]).toBeLessThan(whole)
  const place = await page.locator('#pay').boundingBox()
  const width = await page.locator('body').evaluate((body) => body.clientWidth)
  const token = stage.vault.sessions.open()
  await authenticate(page, token)
  await framesOf(page).bank.getByLabel('Code').waitFor()
  expect(await page.locator('body > dialog').boundingBox()).toEqual({ x: 0, y: 0, width: whole, height: 800 })
  expect(await page.locator('#pay').boundingBox()).toEqual(place)
  expect(await page.locator('body').evaluate((body) => body.clientWidth)).toBe(width)
  stage.vault.sessions.complete(token, 'failed')
  await outcomeOf(page)
  expect(await widths()).toEqual([whole, ...visible])
  expect(await page.locator('#pay').boundingBox()).toEqual(place)
  expect(await html.evaluate(({ style }) => style.cssText)).toBe(
    'scrollbar-gutter: stable; padding-right: 3px; height: 5000px;',
  )
  await browser.close()
})

test('a challenge is as large as the bank was told, and on a telephone as large as fits', async () => {
  const page = await stage.openShop()
  for (const [windowSize, width, height] of [
    ['01', 250, 400],
    ['02', 390, 400],
    ['03', 500, 600],
    ['04', 600, 400],
    ['05', 1_280, 748],
  ] as const) {
    await page.setViewportSize({ width: 1_280, height: 800 })
    const token = stage.vault.sessions.open()
    await authenticate(page, token, { windowSize })
    const bank = framesOf(page).frame.locator('dialog iframe')
    await expect.poll(() => bank.boundingBox()).toMatchObject({ width, height })
    await page.setViewportSize({ width: 320, height: 568 })
    const fits = { width: Math.min(width, 320), height: Math.min(height, 516) }
    await expect.poll(() => bank.boundingBox()).toMatchObject(fits)
    const cancel = await framesOf(page).frame.getByRole('button').boundingBox()
    expect(cancel?.height).toBeGreaterThanOrEqual(44)
    expect(cancel?.width).toBeGreaterThanOrEqual(44)
    stage.vault.sessions.complete(token, 'authenticated')
    await outcomeOf(page)
  }
})

test('axe finds nothing in the window, whatever the scheme', async () => {
  const page = await stage.openShop()
  await authenticate(page, stage.vault.sessions.open())
  await framesOf(page).bank.getByLabel('Code').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await violationsOf(page, { tags: colorScheme === 'light' ? WCAG : COLOURS })).toEqual([])
  }
})

test('the window speaks the language of the checkout', async () => {
  const page = await stage.openShop()
  await page.evaluate(() => void (document.documentElement.lang = 'ar-EG'))
  await authenticate(page, stage.vault.sessions.open())
  const { frame } = framesOf(page)
  await frame.getByRole('dialog', { name: 'التحقق من البطاقة' }).waitFor()
  expect(await frame.locator('html').getAttribute('dir')).toBe('rtl')
  expect(await page.locator('dialog > iframe').getAttribute('title')).toBe('التحقق من البطاقة')
})

test('a vault that fails now and then is asked again', async () => {
  const page = await stage.openShop()
  stage.vault.faults.push(null, { status: 503, body: '<html>' })
  await authenticate(page, stage.vault.sessions.open({ frictionless: 'authenticated' }))
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a vault that cannot be reached is a network failure, after which the call can be repeated', async () => {
  const page = await stage.openShop()
  const token = stage.vault.sessions.open({ frictionless: 'authenticated' })
  stage.vault.faults.push(...[500, 502, 503, 429].map((status) => ({ status, body: {} })))
  await authenticate(page, token)
  expect(await outcomeOf(page)).toMatchObject({ code: 'network_failed' })
  await authenticate(page, token)
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a token that is no longer good is refused in the vault’s words', async () => {
  const page = await stage.openShop()
  await authenticate(page, 'unknown')
  expect(await outcomeOf(page)).toEqual({ code: 'argument_invalid', message: 'The action token is not one of ours.' })
})

test('without threeds.js there is a network failure, and the next call loads it', async () => {
  const page = await stage.openShop()
  await page.route('**/v1/threeds.js', (route) => route.abort(), { times: 1 })
  const token = stage.vault.sessions.open({ frictionless: 'authenticated' })
  await authenticate(page, token)
  expect(await outcomeOf(page)).toMatchObject({ code: 'network_failed' })
  await authenticate(page, token)
  expect(await outcomeOf(page)).toMatchObject({ outcome: 'authenticated' })
})

test('a frame that is loaded anew is given up', async () => {
  const page = await stage.openShop()
  await authenticate(page, stage.vault.sessions.open())
  await framesOf(page).bank.getByLabel('Code').waitFor()
  await page.evaluate(() => document.body.append(document.querySelector('dialog') ?? ''))
  expect(await outcomeOf(page)).toMatchObject({ code: 'frame_unavailable' })
})

test('authenticate names the argument that is wrong', async () => {
  const page = await stage.openShop()
  for (const [token, options, argument] of [
    [7, {}, 'actionToken'],
    ['', {}, 'actionToken'],
    ['token', { windowSize: '06' }, 'windowSize'],
    ['token', { onStep: 'log' }, 'onStep'],
    ['token', { signal: {} }, 'signal'],
    ['token', { returnUrl: 'https://evil.example/' }, 'returnUrl'],
  ] as const) {
    const error = await page.evaluate(
      async ([given, others]) => {
        const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
        // A script without types may pass anything.
        const call = checkout.authenticate as (...args: unknown[]) => Promise<unknown>
        return call(given, others).catch(({ code, message }) => ({ code, message }))
      },
      [token, options] as const,
    )
    expect(error).toEqual({ code: 'argument_invalid', message: expect.stringContaining(argument) })
  }
})

/** Waits until what is typed arrives in the bank's page. */
async function codeHasKeyboard(page: Page): Promise<void> {
  const code = framesOf(page).bank.getByLabel('Code')
  const hasKeyboard = () =>
    code.evaluate((input) => input.ownerDocument.hasFocus() && input.ownerDocument.activeElement === input)
  await expect.poll(hasKeyboard).toBe(true)
}

/** Types a code into the bank's page, key by key, and sends it. */
