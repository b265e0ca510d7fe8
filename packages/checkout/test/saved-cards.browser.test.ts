import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { violationsOf } from '../../../.ci/accessibility.ts'
import { firstOf } from '../../../.ci/soaks.ts'
import { mountCard, tokenize, typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

const amex = { paymentInstrumentId: 'pi_amex', brand: 'amex', last4: '0005', expMonth: 1, expYear: 2035 }
const visa = { paymentInstrumentId: 'pi_visa', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 }
const old = { paymentInstrumentId: 'pi_old', brand: 'visa', last4: '1111', expMonth: 1, expYear: 2020 }

test('the first saved card that is good is chosen, and asks for its security code alone', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { savedCards: [old, amex, visa] })
  const cards = frame.getByRole('radiogroup', { name: 'Saved cards' })
  expect(await cards.getByRole('radio').count()).toBe(4)
  expect(await cards.getByRole('radio', { name: /Visa …1111, 1\/2020\W+This card has expired\./ }).isDisabled()).toBe(
    true,
  )
  expect(await cards.getByRole('radio', { name: /American Express …0005, 1\/2035/ }).isChecked()).toBe(true)
  expect(await frame.getByLabel('Card number').isVisible()).toBe(false)
  expect(await frame.getByLabel('Expiry date').isVisible()).toBe(false)
  await frame.getByLabel('Security code').pressSequentially('12345')
  expect(await frame.getByLabel('Security code').inputValue()).toBe('1234')
  expect(await tokenize(page)).toEqual({
    paymentInstrumentId: 'pi_amex',
    securityCodeToken: 'code-token',
    card: { brand: 'amex', last4: '0005', expMonth: 1, expYear: 2035, funding: 'credit' },
  })
  const sent = stage.vault.cards.at(-1)
  expect(sent).toMatchObject({
    paymentInstrumentId: 'pi_amex',
    cvc: '1234',
    session: 'session-1',
    origin: stage.shopUrl,
  })
  expect(Object.keys(sent ?? {}).toSorted()).toEqual(['cvc', 'iat', 'jti', 'origin', 'paymentInstrumentId', 'session'])
  expect(await page.evaluate(() => window.heard.join())).not.toMatch(/\b1234\b/)
})

test('options may be the state of a framework, which is made of proxies, and are taken as they are now', async () => {
  const page = await stage.openShop()
  const code = await page.evaluate(async (card) => {
    const state = <Value extends object>(value: Value) => new Proxy(value, {})
    const checkout = await window.Tillwright.init({
      publishableKey: 'test_pk_shop',
      appearance: state({ theme: 'dark', variables: state({ colorPrimary: '#00f' }) }),
    })
    const savedCards = state([state({ ...card })])
    window.card = checkout.card({ savedCards, networks: state({ allowed: state(['visa', 'amex'] as const) }) })
    savedCards.pop()
    const ready = new Promise<void>((resolve) => void window.card.on('ready', resolve))
    window.card.mount('#card')
    await ready
    const endless: unknown[] = []
    endless.push(endless)
    try {
      window.card.update({ savedCards: endless as never })
    } catch (error) {
      return Object(error).code
    }
  }, amex)
  expect(code).toBe('argument_invalid')
  expect(
    await page
      .frameLocator('iframe')
      .getByRole('radio', { name: /American Express …0005/ })
      .isVisible(),
  ).toBe(true)
})

test('by keyboard alone: another card is typed, and a code that was typed for a saved one is gone', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { savedCards: [visa] })
  await frame.getByLabel('Security code').pressSequentially('123')
  await frame.getByRole('radio', { name: /4242/ }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await frame.getByRole('radio', { name: 'Another card' }).isChecked()).toBe(true)
  expect(await frame.getByLabel('Security code').inputValue()).toBe('')
  await typeCard(frame)
  expect(await tokenize(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('the chosen card stays as it is while its code is on its way', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { savedCards: [visa, amex] })
  await frame.getByLabel('Security code').pressSequentially('123')
  const { promise, resolve } = Promise.withResolvers<void>()
  stage.vault.hold = promise
  const token = tokenize(page)
  await frame.locator('form[aria-busy=true]').waitFor()
  await frame.getByText('Another card').click()
  expect(await frame.getByRole('radio', { name: /4242/ }).isChecked()).toBe(true)
  resolve()
  expect(await token).toMatchObject({ securityCodeToken: 'code-token' })
  await frame.getByText('Another card').click()
  expect(await frame.getByLabel('Card number').isVisible()).toBe(true)
})

test('without its security code a saved card is not sent, and the keyboard goes there', async () => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { savedCards: [visa] })
  expect(await tokenize(page)).toMatchObject({ code: 'card_incomplete', field: 'cvc' })
  expect(await frame.getByText('Enter the security code.').isVisible()).toBe(true)
  expect(await frame.getByLabel('Security code').evaluate((input) => input === document.activeElement)).toBe(true)
})

test('of the first ten what is no card is left out, and what a card is called stays text', async () => {
  const page = await stage.openShop()
  const html = { ...visa, paymentInstrumentId: '<img src=x onerror=alert(1)>', brand: '<b>Visa</b>' }
  const wrong = [
    null,
    { ...visa, expYear: '2034' },
    { ...visa, paymentInstrumentId: '' },
    { ...visa, last4: '<b>4' },
    { ...visa, last4: '\u2069\u202e42' },
  ]
  const more = Array.from({ length: 12 }, (_, n) => ({ ...visa, paymentInstrumentId: `pi_${n}` }))
  // A shop's scripts have no types.
  const frame = await mountCard(page, { savedCards: JSON.parse(JSON.stringify([html, ...wrong, ...more])) })
  const shown = frame.getByRole('radiogroup', { name: 'Saved cards' }).locator('label')
  const visas = Array.from({ length: 4 }, () => '\u2066Visa …4242, 12/2034\u2069 ')
  expect(await shown.allTextContents()).toEqual(['\u2066 …4242, 12/2034\u2069 ', ...visas, 'Another card'])
  expect(await frame.locator('#saved img, #saved b').count()).toBe(0)
  await frame.getByLabel('Security code').pressSequentially('123')
  await tokenize(page)
  expect(stage.vault.cards.at(-1)).toMatchObject({ paymentInstrumentId: html.paymentInstrumentId })
})

test.each(
  firstOf([
    ['ar', 'بطاقة أخرى'],
    ['en', 'Another card'],
  ]),
)('the list has no fault that axe finds, in %s', async (locale, anotherCard) => {
  const page = await stage.openShop()
  const frame = await mountCard(page, { locale, savedCards: [old, visa] })
  await frame.getByText(anotherCard).waitFor()
  await tokenize(page)
  expect(await violationsOf(page)).toEqual([])
})
