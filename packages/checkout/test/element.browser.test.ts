import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bundlePage } from './bundle-page.ts'
import { typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'
import { windowListeners } from './window-listeners.ts'

let stage: Stage
let script: string
beforeAll(async () => {
  stage = await setStage()
  script = await bundlePage(import.meta.resolve('./element-page.ts'))
})
afterEach(() => {
  delete stage.vault.challenge
  return stage.clear()
})
afterAll(() => stage.close())

async function openElementShop(more: Record<string, string> = {}): Promise<Page> {
  const page = await stage.openShop()
  await page.evaluate(script)
  const attributes = { 'publishable-key': 'test_pk_shop', 'vault-url': stage.vault.url, ...more }
  await page.evaluate((given) => window.addCard(given), attributes)
  return page
}

/** Sets or removes an attribute of the card. */
function setAttribute(page: Page, name: string, value: string | null): Promise<void> {
  return page.locator('tillwright-card').evaluate(
    (card, [key, text]) => {
      if (text === null) card.removeAttribute(key)
      else card.setAttribute(key, text)
    },
    [name, value] as const,
  )
}

function tokenize(page: Page): Promise<unknown> {
  return page.evaluate(() =>
    document
      .querySelector('tillwright-card')
      ?.tokenize()
      .catch(({ code }) => code),
  )
}

function eventsOf(page: Page): Promise<[string, unknown][]> {
  return page.evaluate(() => window.events)
}

test('a card typed into the element becomes a token, and its events are those of the DOM', async () => {
  const page = await openElementShop()
  const frame = page.frameLocator('iframe')
  await page.evaluate(() => {
    for (const name of ['change', 'submit']) document.addEventListener(name, () => window.events.push(['above', name]))
  })
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token', card: { last4: '4242' } })
  await frame.getByLabel('Security code').press('Enter')
  await expect.poll(() => eventsOf(page)).toContainEqual(['submit', null])
  const events = await eventsOf(page)
  expect(events).toContainEqual(['above', 'change'])
  expect(events).not.toContainEqual(['above', 'submit'])
  expect(events).toContainEqual(['ready', null])
  expect(events).toContainEqual(['change', expect.objectContaining({ complete: true, brand: 'visa' })])
  expect(events.map(([name]) => name)).not.toContain('card-error')
})

test('an element that was in the page before its script mounts one form', async () => {
  const page = await stage.openShop()
  await page.evaluate((vaultUrl) => {
    const html = `<tillwright-card publishable-key="test_pk_shop" vault-url="${vaultUrl}" locale="de"></tillwright-card>`
    document.querySelector('#card')?.insertAdjacentHTML('beforeend', html)
  }, stage.vault.url)
  await page.evaluate(script)
  await page.frameLocator('iframe').getByLabel('Kartennummer').waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
})

test('focus() moves the keyboard to the card number, and clear() empties the form', async () => {
  const page = await openElementShop()
  const number = page.frameLocator('iframe').getByLabel('Card number')
  await number.waitFor()
  await page.locator('tillwright-card').evaluate((card) => card.focus())
  await expect.poll(() => number.evaluate((input) => input === document.activeElement)).toBe(true)
  await number.fill('4242')
  await page.evaluate(() => document.querySelector('tillwright-card')?.clear())
  await expect.poll(() => number.inputValue()).toBe('')
})

test('another locale or theme leaves what was typed, and without one the page’s holds', async () => {
  const page = await openElementShop({ locale: 'de' })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Kartennummer').fill('4242')
  await setAttribute(page, 'theme', 'dark')
  await setAttribute(page, 'locale', null)
  expect(await frame.getByLabel('Card number').inputValue()).toBe('4242')
  expect(await page.locator('iframe').evaluate((iframe) => iframe.style.colorScheme)).toBe('dark')
})

test('networks and the name are attributes, and changing them leaves what was typed', async () => {
  const page = await openElementShop({ 'blocked-networks': ' bancontact  amex ', name: '' })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Name on card').fill('Ada Lovelace')
  await frame.getByLabel('Card number').pressSequentially('67034')
  await expect.poll(() => eventsOf(page)).toContainEqual(['brand', { brand: 'maestro', networks: ['maestro'] }])
  await setAttribute(page, 'blocked-networks', null)
  await setAttribute(page, 'name', null)
  await frame.getByLabel('Bancontact').check()
  expect(await frame.locator('#name').isVisible()).toBe(false)
  await setAttribute(page, 'name', 'false') // as Vue and Svelte write `false`
  await setAttribute(page, 'allowed-networks', 'visa mastercard')
  await frame.getByText('This shop does not take this card. Use another one.').waitFor()
  expect(await frame.locator('#name').isVisible()).toBe(false)
  expect(await frame.getByLabel('Card number').inputValue()).toBe('6703 4')
})

test('saved cards, and what solves a challenge, are properties', async () => {
  stage.vault.challenge = 'solved'
  const page = await openElementShop()
  await page.evaluate(() => {
    const element = document.querySelector('tillwright-card')
    if (!element) throw new Error('The element is not there.')
    element.onChallenge = async () => 'solved'
    element.savedCards = [{ paymentInstrumentId: 'pi_1', brand: 'amex', last4: '0005', expMonth: 1, expYear: 2035 }]
  })
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Security code').pressSequentially('1234')
  expect(await tokenize(page)).toMatchObject({ securityCodeToken: 'code-token' })
  await page.evaluate(() => {
    const element = document.querySelector('tillwright-card')
    if (element) element.savedCards = []
  })
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  expect(stage.takeComplaints()).toHaveLength(2) // the browser's own word on each 403
})

test('an element that is in no page has no card to send, and one whose form did not load tries again', async () => {
  const page = await openElementShop()
  await typeCard(page.frameLocator('iframe'))
  const code = await page.evaluate(() => {
    const element = document.querySelector('tillwright-card')
    element?.remove()
    return element?.tokenize().catch((error) => error.code)
  })
  expect(code).toBe('not_mounted')

  stage.vault.allowedOrigins = []
  await page.evaluate((vaultUrl) => {
    window.addCard({ 'publishable-key': 'test_pk_shop', 'vault-url': vaultUrl })
  }, stage.vault.url)
  await expect.poll(() => eventsOf(page), { timeout: 60_000 }).toContainEqual(['loaderror', 'frame_unavailable'])
  expect(stage.takeComplaints()).not.toEqual([])
  stage.vault.allowedOrigins = [stage.shopUrl]
  await page.evaluate(() => document.querySelector('tillwright-card')?.retry())
  await typeCard(page.frameLocator('iframe'))
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('an element that is put elsewhere mounts anew, empty, with one frame', async () => {
  const page = await openElementShop()
  await typeCard(page.frameLocator('iframe'))
  await page.locator('tillwright-card').evaluate((card) => document.body.append(card))
  await expect.poll(async () => (await eventsOf(page)).filter(([name]) => name === 'ready').length).toBe(2)
  expect(await page.locator('iframe').count()).toBe(1)
  expect(await page.frameLocator('iframe').getByLabel('Card number').inputValue()).toBe('')
  expect(await tokenize(page)).toBe('card_incomplete')
  // One is the test's own; looking for elements adds others of the test driver.
  expect((await windowListeners(page)).filter((type) => type === 'message')).toHaveLength(1)
})

test('moveBefore() keeps the frame and what was typed', async () => {
  const page = await openElementShop()
  await typeCard(page.frameLocator('iframe'))
  await page.locator('tillwright-card').evaluate((card) => document.body.moveBefore(card, null))
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('another key makes another form, and one frame is left', async () => {
  const page = await openElementShop()
  await page.frameLocator('iframe').getByLabel('Card number').fill('4242')
  await setAttribute(page, 'publishable-key', 'test_pk_other')
  await page.locator('iframe[src*="key=test_pk_other"]').waitFor()
  expect(await page.locator('iframe').count()).toBe(1)
})

test('an element that leaves takes its frame and its listeners along, whenever it does', async () => {
  const page = await stage.openShop()
  const before = await windowListeners(page)
  await page.evaluate(script)
  const attributes = { 'publishable-key': 'test_pk_shop', 'vault-url': stage.vault.url }
  const atOnce = await page.evaluate((given) => {
    window.addCard(given)
    const card = document.querySelector('tillwright-card')
    const call = card?.tokenize().catch(({ code }) => code)
    card?.remove()
    return call
  }, attributes)
  expect(atOnce).toBe('not_mounted')
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await windowListeners(page)).toEqual(before)

  const later = await page.evaluate(async (given) => {
    window.addCard(given)
    const card = document.querySelector('tillwright-card')
    await new Promise((resolve) => card?.addEventListener('ready', resolve))
    card?.remove()
    return [card?.childElementCount, await card?.tokenize().catch(({ code }) => code)]
  }, attributes)
  expect(later).toEqual([0, 'not_mounted'])
  expect(await windowListeners(page)).toEqual(before)
})

test('wrong attributes are a card-error, and correcting them mends it', async () => {
  const page = await stage.openShop()
  await page.evaluate(script)
  const warning = page.waitForEvent('console', (message) => message.type() === 'warning')
  await page.evaluate((url) => window.addCard({ 'publishable-key': 'pk', 'vault-url': url }), stage.vault.url)
  await expect.poll(() => eventsOf(page)).toEqual([['card-error', 'argument_invalid']])
  // An element throws nothing, and a page may listen to nothing.
  expect((await warning).text()).toMatch(/^Tillwright: CheckoutError: publishableKey must begin with/)
  expect(await tokenize(page)).toBe('argument_invalid')
  await setAttribute(page, 'publishable-key', 'test_pk_shop')
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
  await setAttribute(page, 'theme', 'pink')
  const errors = (await eventsOf(page)).filter(([name]) => name === 'card-error')
  expect(errors).toHaveLength(2)
})

test('a refused form is a loaderror of the element, which is mended by appending it again', async () => {
  const page = await stage.openShop()
  await page.evaluate(script)
  await page.route('**/v1/card?*', (route) => route.abort(), { times: 2 })
  const attributes = { 'publishable-key': 'test_pk_shop', 'vault-url': stage.vault.url }
  await page.evaluate((given) => window.addCard(given), attributes)
  await expect.poll(() => eventsOf(page), { timeout: 60_000 }).toEqual([['loaderror', 'frame_unavailable']])
  await page.locator('tillwright-card').evaluate((card) => document.body.append(card))
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
})
