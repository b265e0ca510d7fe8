import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runAxe, violationsOf } from '../../../.ci/accessibility.ts'
import { firstOf } from '../../../.ci/soaks.ts'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

/** Of Bancontact, and of Maestro as well. */
const CO_BADGED = '6703444444444449'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())
beforeEach(() => void (stage.vault.cards.length = 0))

function eventsOf(page: Page, event: string): Promise<unknown[]> {
  return page.evaluate((name) => window.events.filter(([one]) => one === name).map(([, detail]) => detail), event)
}

/** The networks that are offered; the chosen one has a star. */
async function choiceIn(frame: FrameLocator): Promise<string[]> {
  const radios = await frame.getByRole('radio').all()
  return Promise.all(
    radios.map(async (radio) => `${await radio.getAttribute('value')}${(await radio.isChecked()) ? ' *' : ''}`),
  )
}

test('the holder of a co-badged card chooses its network, and the card is stored as one of that', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').pressSequentially(CO_BADGED)
  const group = frame.getByRole('radiogroup', { name: 'Card network' })
  expect(await group.getByRole('radio').count()).toBe(2)
  expect(await choiceIn(frame)).toEqual(['bancontact *', 'maestro'])

  await group.getByLabel('Maestro').check()
  expect(await frame.locator('#brand-mark').getAttribute('href')).toBe('#maestro')
  await frame.getByLabel('Expiry date').pressSequentially('1230')
  await frame.getByLabel('Security code').pressSequentially('123')
  expect(await tokenize(page)).toMatchObject({ card: { brand: 'maestro', last4: '4449' } })
  expect(stage.vault.cards).toEqual([expect.objectContaining({ number: CO_BADGED, network: 'maestro', cvc: '123' })])
  expect(await eventsOf(page, 'brand')).toEqual([
    { brand: 'maestro', networks: ['maestro'] },
    { brand: 'bancontact', networks: ['bancontact', 'maestro'] },
    { brand: 'maestro', networks: ['bancontact', 'maestro'] },
  ])
})

test('who does not choose pays over the first network, and Bancontact asks for no security code', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').fill(CO_BADGED)
  expect(await frame.getByLabel('Security code').isVisible()).toBe(false)
  await frame.getByLabel('Expiry date').fill('1230')
  expect(await tokenize(page)).toMatchObject({ card: { brand: 'bancontact' } })
  expect(stage.vault.cards).toEqual([expect.objectContaining({ network: 'bancontact', cvc: '' })])
})

test('a card of one network leaves no choice and travels without one, and clear() ends a choice', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').fill(CO_BADGED)
  await frame.getByLabel('Maestro').check()
  await page.evaluate(() => window.card.clear())
  await frame.getByRole('radiogroup').waitFor({ state: 'hidden' })
  await typeCard(frame)
  expect(await frame.getByRole('radio').count()).toBe(0)
  await tokenize(page)
  expect(stage.vault.cards[0]).not.toHaveProperty('network')
  expect((await eventsOf(page, 'brand')).at(-1)).toEqual({ brand: 'visa', networks: ['visa'] })
})

test('the choice is made by keyboard alone: Tab reaches it, arrows choose, Enter submits', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await page.evaluate(() => window.card.focus())
  await frame.locator('#number:focus').waitFor()
  await page.keyboard.type(CO_BADGED)
  await frame.locator('#number:focus').waitFor() // The keyboard does not pass over a choice by itself.
  await page.keyboard.press('Tab')
  await frame.locator('input[value=bancontact]:focus').waitFor()
  await page.keyboard.press('ArrowRight')
  await frame.locator('input[value=maestro]:focus:checked').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('1230')
  await frame.locator('#cvc:focus').waitFor()
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect.poll(() => eventsOf(page, 'submit')).toHaveLength(1)
  expect(await tokenize(page)).toMatchObject({ card: { brand: 'maestro' } })
})

test('Tab leaves a form without a security code after the date, and no Tab is lost afterwards', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').pressSequentially(CO_BADGED)
  await frame.getByLabel('Expiry date').pressSequentially('1230')
  await frame.locator('#expiry:focus').waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pay')
  await frame.getByLabel('Maestro').check()
  await frame.getByLabel('Security code').focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('pay')
})

test('a network stays as it is while its card is on its way', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await frame.getByLabel('Card number').fill(CO_BADGED)
  await frame.getByLabel('Expiry date').fill('1230')
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.vault.hold = promise
  const token = tokenize(page)
  await frame.locator('form[aria-busy=true]').waitFor()
  await frame.getByLabel('Maestro').click()
  await frame.getByLabel('Bancontact').press('ArrowRight')
  expect(await choiceIn(frame)).toEqual(['bancontact *', 'maestro'])
  resolve()
  expect(await token).toMatchObject({ card: { brand: 'bancontact' } })
})

test('a card that the shop does not take is refused as soon as it is known, and update() can lift that', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { networks: { blocked: ['visa'] } })
  const words = 'This shop does not take this card. Use another one.'
  await frame.getByLabel('Card number').pressSequentially('4')
  await frame.getByText(words).waitFor()
  expect(await frame.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
  expect((await eventsOf(page, 'change')).at(-1)).toMatchObject({ brand: 'visa', errors: { number: 'unsupported' } })
  expect((await eventsOf(page, 'brand')).at(-1)).toEqual({ brand: 'visa', networks: [] })
  await typeCard(frame, { number: '4242424242424242' })
  expect(await tokenize(page)).toMatchObject({ code: 'card_invalid', message: words, field: 'number' })
  expect(stage.vault.cards).toEqual([])

  await page.evaluate(() => window.card.update({ networks: { allowed: ['visa'] } }))
  await frame.getByText(words).waitFor({ state: 'hidden' })
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('of a co-badged card only what the shop takes can be chosen', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { networks: { blocked: ['bancontact'] } })
  await typeCard(frame, { number: CO_BADGED })
  expect(await frame.getByRole('radiogroup').isVisible()).toBe(false)
  expect(await tokenize(page)).toMatchObject({ card: { brand: 'maestro' } })
  expect(stage.vault.cards).toEqual([expect.objectContaining({ network: 'maestro', cvc: '123' })])
})

test.each([
  ['a list', ['visa']],
  ['no list of names', { allowed: 'visa' }],
  ['names in capitals', { blocked: ['Visa'] }],
])('%s is no option for networks, and the page is told', async (_, networks) => {
  const page = await stage.openShop()
  // Scripts without types may pass anything.
  const code = mountCard(page, { networks: networks as object }).catch(({ message }) => message)
  expect(await code).toContain('networks must be { allowed, blocked }')
})

test.each(firstOf(['dark', 'light'] as const))(
  'axe finds nothing in the %s form with a choice and a name, empty or full of messages',
  async (theme) => {
    const page = await stage.openShop()
    if (theme === 'dark') await page.evaluate(() => document.body.classList.add('dark'))
    const frame = await mountCard(page, { appearance: { theme }, name: true })
    // axe judges a frame by itself and takes for white what is transparent; the buyer sees the shop's ground there.
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await frame.locator('body').evaluate((body, color) => void (body.style.backgroundColor = color), ground)
    await frame.getByLabel('Card number').pressSequentially('6703')
    await frame.getByLabel('Maestro').check()
    expect(await violationsOf(page)).toEqual([])
    await tokenize(page)
    expect(await frame.locator('[aria-invalid=true]').count()).toBe(4)
    const { violations, passes } = await runAxe(page)
    expect(violations).toEqual([])
    // The rules have looked at the choice and at the name.
    expect(passes['label']).toBe(6)
  },
)

test('in Hebrew the choice runs from right to left, on a phone of 320 pixels too', async () => {
  const page = await stage.openShop({ width: 320, height: 800 })
  const frame = await mountCard(page, { locale: 'he', name: true })
  await frame.locator('html[dir=rtl]').waitFor()
  await frame.locator('#number').fill(CO_BADGED)
  const group = frame.getByRole('radiogroup', { name: 'רשת הכרטיס' })
  const [first, second] = await Promise.all(
    ['Bancontact', 'Maestro'].map((name) => group.getByText(name).boundingBox()),
  )
  expect(first?.x).toBeGreaterThan(second?.x ?? Infinity)
  expect(first?.y).toBe(second?.y)
  expect(await frame.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(288)
})
