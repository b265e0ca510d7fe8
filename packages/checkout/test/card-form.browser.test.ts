import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

test('an empty form says at each field what is missing, and the keyboard goes to the first', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  const message = 'Enter the card number.'
  expect(await tokenize(page)).toEqual({ code: 'card_incomplete', message, field: 'number', requestId: null })
  for (const [label, text] of [
    ['Card number', message],
    ['Expiry date', 'Enter the expiry date.'],
    ['Security code', 'Enter the security code.'],
  ] as const) {
    const input = frame.getByLabel(label)
    expect(await input.getAttribute('aria-invalid')).toBe('true')
    const describedBy = (await input.getAttribute('aria-describedby'))?.split(' ').at(-1)
    expect(await frame.locator(`#${describedBy}`).textContent()).toBe(text)
  }
  await frame.locator('#number:focus').waitFor()
})

test('a message comes when a field is left, and goes as soon as the field is right', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  const number = frame.getByLabel('Card number')
  await number.pressSequentially('4242424242424241')
  expect(await number.getAttribute('aria-invalid')).toBe('false')
  await number.press('Tab')
  await frame.getByText('This is not a card number. Check the digits.').waitFor()
  expect(await tokenize(page)).toMatchObject({ code: 'card_invalid', field: 'number' })
  await number.press('End')
  await number.press('Backspace')
  await number.press('2')
  expect(await number.getAttribute('aria-invalid')).toBe('false')
  expect(await frame.locator('#number-message').textContent()).toBe('')
})

test('the caret stays where the buyer corrects a number', async () => {
  const frame = await mountCard(await stage.openShop())
  const number = frame.getByLabel('Card number')
  await number.pressSequentially('424242424242424')
  for (let presses = 0; presses < 10; presses += 1) await number.press('ArrowLeft')
  await number.pressSequentially('99')
  await number.press('Backspace')
  expect(await number.inputValue()).toBe('4242 4249 2424 2424')
  expect(await number.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(9)
})

test('the form works by keyboard alone: Tab through, Enter submits, and the page hears of it', async () => {
  const page = await stage.openShop()
  await mountCard(page)
  await page.evaluate(() => void window.card.on('submit', () => (document.title = 'Submitted')))
  await page.evaluate(() => window.card.focus())
  await page.frameLocator('iframe').locator('#number:focus').waitFor()
  await page.keyboard.type('378282246310005')
  await page.keyboard.press('Tab')
  await page.keyboard.type('5/30')
  await page.keyboard.press('Tab')
  await page.keyboard.type('12345')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.title === 'Submitted')
  expect(await tokenize(page)).toMatchObject({ card: { last4: '0005', expMonth: 5, expYear: 2030 } })
  await page.keyboard.press('Tab')
  await page.waitForFunction(() => window.events.some(([name]) => name === 'blur'))
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('pay')
  const names = await page.evaluate(() => window.events.map(([name]) => name))
  expect(names.filter((name) => name === 'focus')).toHaveLength(1)
  const states = await page.evaluate(() =>
    window.events.filter(([name]) => name === 'change').map(([, state]) => state),
  )
  expect(states.at(-1)).toMatchObject({ empty: false, complete: true, brand: 'amex' })
})

test('browsers can fill the form in: the fields are in one form and named as the HTML standard says', async () => {
  const frame = await mountCard(await stage.openShop())
  const hints = await frame
    .locator('form input')
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute('autocomplete'), input.getAttribute('inputmode')]),
    )
  expect(hints).toEqual([
    ['cc-number', 'numeric'],
    ['cc-exp', 'numeric'],
    ['cc-csc', 'numeric'],
    ['cc-name', null],
  ])
})

test('nothing scrolls sideways at 320 pixels, and the frame is as high as its content', async () => {
  const page = await stage.openShop({ width: 320, height: 640 })
  const frame = await mountCard(page, { locale: 'de' })
  const low = await page.locator('iframe').evaluate((iframe) => iframe.clientHeight)
  await tokenize(page)
  await page.waitForFunction((before) => (document.querySelector('iframe')?.clientHeight ?? 0) > before, low)
  const root = frame.locator('html')
  expect(await root.evaluate(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight - innerHeight])).toEqual([
    288, 0,
  ])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('update() changes language and looks under the hands of the buyer, who loses nothing', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page)
  await typeCard(frame)
  const appearance = { theme: 'dark', variables: { colorField: 'rgb(1, 2, 3)' } } as const
  await page.evaluate((look) => window.card.update({ locale: 'de-AT', appearance: look }), appearance)
  const number = frame.getByLabel('Kartennummer')
  expect(await number.inputValue()).toBe('4242 4242 4242 4242')
  expect(await number.evaluate((input) => getComputedStyle(input).backgroundColor)).toBe('rgb(1, 2, 3)')
  expect(await frame.locator('html').getAttribute('lang')).toBe('de')
  expect(await page.locator('iframe').evaluate((iframe) => iframe.style.colorScheme)).toBe('dark')
})
