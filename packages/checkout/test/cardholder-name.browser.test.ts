import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())
beforeEach(() => void (stage.vault.cards.length = 0))

test('a shop that asks for it gets no token without the name on the card, and with it the vault gets it too', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { name: true })
  await typeCard(frame)
  const message = 'Enter the name on the card.'
  expect(await tokenize(page)).toEqual({ code: 'card_incomplete', message, field: 'name', requestId: null })
  await frame.locator('#name:focus').waitFor()
  expect(await frame.locator('#name-message').textContent()).toBe(message)
  await page.keyboard.type("  Zoë  d'Été ")
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
  expect(stage.vault.cards).toEqual([expect.objectContaining({ name: "Zoë d'Été" })])
  expect(stage.vault.bodies.join()).not.toContain('Zoë')
  expect(await page.evaluate(() => window.heard.join())).not.toContain('Zoë')
})

test('a number in the place of the name is refused, and never sent', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { name: true })
  await typeCard(frame)
  await frame.getByLabel('Name on card').pressSequentially('4242 4242 4242 4242')
  await frame.getByLabel('Name on card').blur()
  await frame.getByText('Enter the name as it stands on the card.').waitFor()
  expect(await tokenize(page)).toMatchObject({ code: 'card_invalid', field: 'name' })
  expect(stage.vault.cards).toEqual([])
})

test('a name is edited as in any other field, and clear() leaves nothing of it', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { name: true })
  const name = frame.getByLabel('Name on card')
  await name.pressSequentially('Ada Lovelaceö')
  await name.press('Backspace')
  for (let presses = 0; presses < 9; presses += 1) await name.press('ArrowLeft')
  await name.pressSequentially(' K.')
  expect(await name.inputValue()).toBe('Ada K. Lovelace')
  await name.press('ControlOrMeta+Z')
  expect(await name.inputValue()).toBe('Ada K Lovelace')
  await page.evaluate(() => window.card.clear())
  await expect.poll(() => name.inputValue()).toBe('')
})

test('a form that is not told to asks for no name, update() changes that, and what was typed stays', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  expect(await frame.locator('#name').isVisible()).toBe(false)
  await tokenize(page)
  expect(stage.vault.cards[0]).not.toHaveProperty('name')

  await page.evaluate(() => window.card.update({ name: true }))
  await frame.getByLabel('Name on card').pressSequentially('Ada Lovelace')
  await tokenize(page)
  expect(stage.vault.cards[1]).toMatchObject({ number: '4242424242424242', name: 'Ada Lovelace' })

  await page.evaluate(() => window.card.update({ name: false, locale: 'de' }))
  await frame.locator('html[lang=de]').waitFor()
  await tokenize(page)
  expect(stage.vault.cards[2]).not.toHaveProperty('name')
})

test('among words from right to left a name runs as its own letters do', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale: 'ar', name: true })
  const name = frame.getByLabel('الاسم على البطاقة')
  const look = () => name.evaluate((input) => [getComputedStyle(input).direction, getComputedStyle(input).textAlign])
  await name.fill('Ada Lovelace')
  expect(await look()).toEqual(['ltr', 'right'])
  await name.fill('محمد علي')
  expect(await look()).toEqual(['rtl', 'right'])
})
