import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
let sendEnd: (isWhole: boolean) => void
beforeAll(async () => {
  stage = await setStage()
})
beforeEach(() => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  Object.assign(stage.vault, { documentEnd: promise, allowedOrigins: [stage.shopUrl] })
  sendEnd = resolve
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

test('a card is typed before the end of its form has come, and is sent when it has', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  expect(await frame.locator('#number').inputValue()).toBe('4242 4242 4242 4242')
  expect(await frame.locator('symbol').count()).toBe(0)
  const call = tokenize(page)
  await expect.poll(() => frame.locator('form[aria-busy=true]').count()).toBe(1)
  expect(stage.vault.bodies).toEqual([])
  sendEnd(true)
  expect(await call).toMatchObject({ serviceToken: 'service-token' })
  expect(await frame.locator('#brand-mark').evaluate((mark) => mark.getBoundingClientRect().width > 0)).toBe(true)
})

test('saved cards have their brands before the end has come, and have expired by the time that comes with it', async () => {
  stage.vault.aheadMs = 3 * 365 * 24 * 60 * 60 * 1_000
  onTestFinished(() => void (stage.vault.aheadMs = 0))
  const year = new Date().getUTCFullYear()
  const amex = { paymentInstrumentId: 'pi_1', brand: 'amex', last4: '0005', expMonth: 12, expYear: year + 1 }
  const visa = { paymentInstrumentId: 'pi_2', brand: 'visa', last4: '4242', expMonth: 12, expYear: year + 9 }
  const page = await stage.openShop()
  const frame = await mountCard(page, { savedCards: [amex, visa] })
  const cards = frame.getByRole('radiogroup', { name: 'Saved cards' })
  expect(await cards.getByRole('radio', { name: /American Express …0005/ }).isChecked()).toBe(true)
  sendEnd(true)
  await cards.getByRole('radio', { name: /American Express …0005.*This card has expired/, disabled: true }).waitFor()
  expect(await cards.getByRole('radio', { name: /Visa …4242/ }).isChecked()).toBe(true)
})

test('a form that was cut off on its way is given up, and the call that waits is answered', async () => {
  const page = await stage.openShop()
  await page.clock.install()
  const frame = await mountCard(page)
  await typeCard(frame)
  const gone = page.evaluate(
    () => new Promise<string>((resolve) => void window.card.on('error', ({ code }) => resolve(code))),
  )
  const call = tokenize(page)
  sendEnd(false)
  for (const seconds of [5, 5, 5, 25]) {
    await page.clock.runFor(seconds * 1_000)
    await frame.locator('#number').count() // The form has had its turn.
  }
  expect([await gone, await call]).toMatchObject(['frame_unavailable', { code: 'frame_unavailable' }])
  expect(stage.takeComplaints()).toEqual(['Failed to load resource: net::ERR_INCOMPLETE_CHUNKED_ENCODING'])
})
