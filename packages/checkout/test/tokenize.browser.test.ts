import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())
beforeEach(() => {
  stage.vault.refusal = null
  stage.vault.aheadMs = 0
  stage.vault.cards.length = 0
})

const shown = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030, funding: 'credit' }

test('a card typed key by key becomes a token, and the page never sees its number', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  expect(await frame.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
  expect(await tokenize(page)).toEqual({ serviceToken: 'service-token', card: shown })

  const card = { number: '4242424242424242', expMonth: 12, expYear: 2030, cvc: '123', origin: stage.shopUrl }
  expect(stage.vault.cards).toEqual([expect.objectContaining(card)])
  expect(stage.vault.bodies.join()).not.toContain('42424242')
  const heard = await page.evaluate(() => window.heard)
  expect(heard.some((message) => message.includes('"type":"token"'))).toBe(true)
  expect(heard.some((message) => message.includes('"tillwright":"hello"'))).toBe(true)
  expect(heard.join().replace(/\D/g, '')).not.toContain('42424242')
  expect(await page.evaluate(() => JSON.stringify(window.events))).not.toContain('"123"')
})

test('the time of a card is the vault’s, however wrong that of the buyer’s device is', async () => {
  const aheadMs = 32 * 24 * 60 * 60 * 1_000
  stage.vault.aheadMs = aheadMs
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  await tokenize(page)
  const offMs = Number(stage.vault.cards[0]?.iat) * 1_000 - (Date.now() + aheadMs)
  expect(Math.abs(offMs)).toBeLessThan(30_000)
})

test('two calls at once make one token, and a later call another', async () => {
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  const isOne = await page.evaluate(async () => {
    const calls = [window.card.tokenize(), window.card.tokenize()]
    await Promise.all(calls)
    return calls[0] === calls[1]
  })
  expect(isOne).toBe(true)
  expect(stage.vault.cards).toHaveLength(1)
  await tokenize(page)
  expect(stage.vault.cards).toHaveLength(2)
  expect(stage.vault.cards[0]?.jti).not.toBe(stage.vault.cards[1]?.jti)
})

test('the fields cannot be changed while their card is on its way', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.vault.hold = promise
  const token = tokenize(page)
  await frame.locator('form[aria-busy=true]').waitFor()
  expect(await frame.getByLabel('Card number').isEditable()).toBe(false)
  resolve()
  await token
  expect(await frame.getByLabel('Card number').isEditable()).toBe(true)
})

test("the vault's refusal reaches the page with its request id", async () => {
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  const error = { type: 'card_error', code: 'expired_card', message: 'The card has expired.', requestId: 'req_1' }
  stage.vault.refusal = { status: 402, body: { error } }
  const refusal = { code: 'tokenize_rejected', message: 'The card has expired.', field: null, requestId: 'req_1' }
  expect(await tokenize(page)).toEqual(refusal)
  expect(stage.takeComplaints().join()).toContain('402') // the browser's own
})

test('a broken connection is network_failed, and the next call works', async () => {
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  await page.route('**/api/vault/v1/tokens', (route) => route.abort(), { times: 1 })
  expect(await tokenize(page)).toMatchObject({ code: 'network_failed' })
  expect(stage.takeComplaints()).toEqual(['Failed to load resource: net::ERR_FAILED'])
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('clear() and unmount() leave no digit behind, and a call without a form says so', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  await page.evaluate(() => window.card.clear())
  await expect.poll(() => frame.getByLabel('Card number').inputValue()).toBe('')
  expect(await frame.getByLabel('Security code').inputValue()).toBe('')

  await typeCard(frame)
  await page.evaluate(() => window.card.unmount())
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await tokenize(page)).toMatchObject({ code: 'not_mounted' })

  await page.evaluate(() => void window.card.mount('#card'))
  expect(await frame.getByLabel('Card number').inputValue()).toBe('')
})

test('a form that the page has thrown away may be mounted again, by mount() or retry()', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  for (const again of ['mount', 'retry'] as const) {
    await typeCard(frame)
    await page.evaluate((by) => {
      document.querySelector('#card')?.replaceChildren()
      if (by === 'mount') window.card.mount('#card')
      else window.card.retry()
    }, again)
    expect(await frame.getByLabel('Card number').inputValue()).toBe('')
  }
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  const code = await page.evaluate(() => {
    try {
      return window.card.mount('#card')
    } catch (error) {
      return error instanceof window.Tillwright.CheckoutError && error.code
    }
  })
  expect(code).toBe('already_mounted')
})

test('a call that is under way when the form is unmounted is rejected', async () => {
  const page = await stage.openShop()
  await typeCard(await mountCard(page))
  const code = await page.evaluate(() => {
    const call = window.card.tokenize()
    window.card.destroy()
    return call.catch((error) => error.code)
  })
  expect(code).toBe('not_mounted')
})
