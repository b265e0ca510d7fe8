import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackStage, setAttackStage } from '../attack-stage.ts'
import { mountCard, tokenize, typeCard } from '../shop-page.ts'

let stage: AttackStage
beforeAll(async () => {
  stage = await setAttackStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const boundsTexts = { file: 'wire/guards.ts', code: 'value.length <= MAX_TEXT_LENGTH', instead: 'true' }
const boundsNumbers = { file: 'wire/guards.ts', code: 'value <= 10_000', instead: 'true' }
const change =
  '{"type":"change","empty":true,"complete":false,"brand":"unknown",' +
  '"errors":{"number":null,"expiry":null,"cvc":null,"name":null},'

test('ten megabytes in an answer are dropped, and the answer that is true arrives after them', async () => {
  const answer = async (page: Page): Promise<unknown> => {
    await typeCard(await mountCard(page))
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.vault.hold = promise
    const frame = cardFrame(page)
    await frame.evaluate(overhearRequest)
    const token = tokenize(page)
    await frame.waitForFunction(() => Reflect.get(window, 'request'))
    await frame.evaluate(() => {
      const request: string = Reflect.get(window, 'request')
      const message = 'x'.repeat(10_000_000)
      const failed = { type: 'failed', request, code: 'card_invalid', message, field: null, requestId: null }
      window.ports[0]?.postMessage(failed)
    })
    resolve()
    return token
  }
  expect(await answer(await stage.open())).toMatchObject({ serviceToken: 'service-token' })
  expect(await answer(await stage.openWithout(boundsTexts))).toMatchObject({ code: 'card_invalid' })
})

test('ten megabytes and 1,000 levels, sent to each window and through either end of the port, leave the form as it was', async () => {
  const page = await stage.open()
  const card = await mountCard(page)
  await typeCard(card)
  await page.waitForFunction(() => window.events.some(([name, state]) => name === 'change' && Object(state).complete))
  const before = await page.evaluate(() => window.events.length)
  await page.evaluate(sendMonsters)
  await cardFrame(page).evaluate(sendMonsters)
  // Messages of a port arrive in order: this answer came after all that was sent before it.
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  const events = await page.evaluate((known) => window.events.slice(known).map(([name]) => name), before)
  expect(events).toEqual([])
  expect(await page.evaluate(() => document.querySelector('iframe')?.clientHeight)).toBeLessThan(400)
  expect(await card.locator('html').getAttribute('style')).toBeNull()
})

test('a message with a prototype of its own pollutes neither the page nor what listeners are given', async () => {
  const pollute = async (page: Page): Promise<unknown> => {
    await mountCard(page)
    const heard = page.waitForFunction(() => window.events.filter(([name]) => name === 'change').length > 1)
    await cardFrame(page).evaluate((json) => {
      for (const fields of ['"__proto__":{"polluted":true}}', '"constructor":{"prototype":{"polluted":true}}}']) {
        window.ports[0]?.postMessage(JSON.parse(json + fields))
      }
    }, change)
    await heard
    return page.evaluate(() => {
      const states = window.events.filter(([name]) => name === 'change').map(([, state]) => Object(state).polluted)
      return [...new Set([...states, Reflect.get(Object.prototype, 'polluted')])]
    })
  }
  expect(await pollute(await stage.open())).toEqual([undefined])
  const copiesFields = {
    file: 'page/card-element.ts',
    code: 'const { type, ...state } = message',
    instead: 'const { type } = message; const state = Object.assign({}, message)',
  }
  expect(await pollute(await stage.openWithout(copiesFields))).toContain(true)
})

test('the frame drops what names a prototype, and what is no message of this version', async () => {
  const page = await stage.open()
  const card = await mountCard(page)
  await typeCard(card)
  await page.evaluate(() => {
    const configure = '{"type":"configure","locale":"de"'
    const known = '{"type":"configure","locale":"en"' // which applies, but for the variables that there are not
    for (const json of [
      `${known},"appearance":{"variables":{"__proto__":"x"}}}`,
      `${known},"appearance":{"variables":{"constructor":"x"}}}`,
      `${configure},"appearance":{"theme":"__proto__"}}`,
      `${configure},"__proto__":{"appearance":{}}}`,
      '{"__proto__":{"type":"clear"}}',
      '{"type":"__proto__"}',
      '{"type":"constructor"}',
      '{"type":"clear2"}',
      '{"v":2,"kind":"clear"}',
      '[{"type":"clear"}]',
      '"clear"',
      'null',
    ]) {
      window.ports[0]?.postMessage(JSON.parse(json))
    }
  })
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  expect(await card.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
  expect(await card.locator('html').getAttribute('style')).toBeNull()
  const polluted = await cardFrame(page).evaluate(() => Object.keys(Object.prototype))
  expect(polluted).toEqual([])
})

test('a flood of heights, wild ones among them, moves the page only within bounds, and the form goes on', async () => {
  const flood = async (page: Page): Promise<number> => {
    await typeCard(await mountCard(page))
    await cardFrame(page).evaluate(() => {
      const wild = [-1, 0.5, NaN, Infinity, '100vh', null, [100], 100_000]
      for (let sent = 0; sent < 5_000; sent += 1) {
        window.ports[0]?.postMessage({
          type: 'resize',
          height: sent % 2 ? 200 + (sent % 50) : wild[sent % wild.length],
        })
      }
      window.ports[0]?.postMessage({ type: 'resize', height: 10_000_000 })
    })
    expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
    return page.evaluate(() => Number.parseFloat(document.querySelector('iframe')?.style.height ?? ''))
  }
  expect(await flood(await stage.open())).toBe(249)
  expect(await flood(await stage.openWithout(boundsNumbers))).toBeGreaterThan(1_000_000)
})

test('a form that is as high as its own frame, and grows with it, stops growing', async () => {
  const page = await stage.open()
  await mountCard(page)
  await page.evaluate(() => window.card.update({ appearance: { variables: { spacing: '100vh' } } }))
  await page.evaluate(() => window.card.update({ locale: 'de' }))
  expect(await tokenize(page)).toMatchObject({ code: 'card_incomplete' })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  const heights = await page.evaluate(() => window.heard.filter((message) => message.includes('"resize"')).length)
  expect(heights).toBeLessThan(100)
  expect(await page.evaluate(() => document.querySelector('iframe')?.clientHeight)).toBeLessThanOrEqual(10_000)
})

test('calls before the form is mounted or ready do no harm, and those that can wait do', async () => {
  const page = await stage.open()
  const codes = await page.evaluate(async () => {
    const card = (await window.Tillwright.init({ publishableKey: 'test_pk_shop' })).card()
    window.card = card
    card.focus()
    card.clear()
    card.unmount()
    card.update({ locale: 'de' })
    const early = await card.tokenize().catch((error) => error.code)
    card.mount('#card').focus()
    card.clear()
    card.update({ locale: 'en' })
    return [early, await card.tokenize().catch((error) => [error.code, error.message])]
  })
  expect(codes).toEqual(['not_mounted', ['card_incomplete', 'Enter the card number.']])
  await typeCard(page.frameLocator('iframe'))
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('after destroy() every call is harmless, and messages of the frame reach no listener', async () => {
  const page = await stage.open()
  await typeCard(await mountCard(page))
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.vault.hold = promise
  const asked = page.waitForRequest('**/api/vault/v1/tokens')
  const token = tokenize(page)
  await asked
  const result = await page.evaluate(async () => {
    const { card } = window
    const known = window.events.length
    card.destroy()
    card.destroy()
    card.unmount()
    card.focus()
    card.clear()
    card.update({ locale: 'de' })
    let mount = null
    try {
      card.mount('#card')
    } catch (error) {
      mount = error instanceof window.Tillwright.CheckoutError && error.code
    }
    return [mount, await card.tokenize().catch((error) => error.code), window.events.length - known]
  })
  resolve()
  expect(result).toEqual(['destroyed', 'not_mounted', 0])
  expect(await token).toMatchObject({ code: 'not_mounted' })
  expect(await page.locator('iframe').count()).toBe(0)
})

function cardFrame(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes('/v1/card?'))
  if (!frame) throw new Error('There is no card frame.')
  return frame
}

/** Runs in the card frame: keeps the id of the request for a token that comes next. */
function overhearRequest(): void {
  window.ports[0]?.addEventListener('message', ({ data }) => {
    if (data.type === 'tokenize') Reflect.set(window, 'request', data.request)
  })
}

/** Runs in either window: sends it, and the other end of the port, what is too long and what is too deep. */
function sendMonsters(): void {
  const long = 'x'.repeat(10_000_000)
  let deep: unknown = 1
  for (let level = 0; level < 1_000; level += 1) deep = level % 2 ? { deep } : [deep]
  const port = window.ports[0]
  port?.postMessage(long)
  port?.postMessage({ type: 'configure', appearance: { variables: { fontFamily: long } }, locale: long })
  port?.postMessage({ type: 'token', request: long, serviceToken: long, card: deep })
  window.postMessage({ tillwright: long, v: deep, id: long }, '*')
  for (const field of ['type', 'appearance', 'locale', 'brand', 'errors', 'height', 'request', 'card']) {
    for (const type of ['configure', 'change', 'resize', 'token']) port?.postMessage({ type, [field]: deep })
  }
  window.postMessage(deep, '*')
}
