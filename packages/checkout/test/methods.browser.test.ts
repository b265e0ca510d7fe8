import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { COLOURS, violationsOf } from '../../../.ci/accessibility.ts'
import { soaks } from '../../../.ci/soaks.ts'
import type { CardOptions, MethodsOptions, PaymentMethods } from '../src/index.ts'
import { typeCard } from './shop-page.ts'
import { setStage, type Stage } from './stage.ts'

declare global {
  interface Window {
    methods: PaymentMethods
  }
}

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterEach(async () => {
  await stage.clear()
  stage.vault.methods = ['card']
  stage.vault.asked.splice(0)
})
afterAll(() => stage.close())

const all = ['card', 'ideal', 'paypal', 'sepa_debit', 'voucher']
const sum = { storeId: 'store_1', currency: 'EUR', amount: 4_098, country: 'NL' }

/** Opens the shop and shows what can be paid with; a rejection is its code and message. */
async function openMethods(
  listed: Stage['vault']['methods'],
  { card, width = 480, ...more }: { card?: CardOptions; width?: number } & Partial<MethodsOptions> = {},
): Promise<{ page: Page; outcome: unknown }> {
  stage.vault.methods = listed
  const page = await stage.openShop({ width, height: 900 })
  await page.goto(`${stage.shopUrl}/methods`)
  const outcome = await page.evaluate(
    async (options) => {
      const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
      const listeners = { onChange: (state: unknown) => void window.events.push(['change', state]) }
      try {
        window.methods = await checkout.methods('#card', { ...options, ...listeners })
        return window.methods.shown
      } catch (error) {
        return error instanceof window.Tillwright.CheckoutError && [error.code, error.message, error.requestId]
      }
    },
    { ...sum, ...more, ...(card && { card }) },
  )
  return { page, outcome }
}

/** Result of `choice()`; a rejection as its code and field. */
function choice(page: Page): Promise<unknown> {
  return page.evaluate(() => window.methods.choice().catch(({ code, field }) => ({ code, field })))
}

async function typeDebit(page: Page, iban: string): Promise<void> {
  await page.getByRole('radio', { name: 'SEPA' }).check()
  await page.getByLabel('IBAN').fill(iban)
  await page.getByLabel('Account holder').fill(' Ada Byrne ')
  await page.getByRole('checkbox').check()
}

test('the page learns the buyer’s methods, and asks for them with its publishable key', async () => {
  const { page, outcome } = await openMethods(all)
  expect(outcome).toEqual(all)
  expect(stage.vault.asked).toEqual([{ ...sum, key: 'Bearer test_pk_shop' }])
  const group = page.getByRole('group', { name: 'Payment method' })
  expect(await group.getByRole('radio').count()).toBe(5)
  await page.frameLocator('iframe').getByLabel('Card number').waitFor()
})

test('a card is typed into its frame, and its choice is a service token', async () => {
  const { page } = await openMethods(all)
  const frame = page.frameLocator('iframe')
  expect(await choice(page)).toEqual({ code: 'card_incomplete', field: 'number' })
  await typeCard(frame)
  expect(await choice(page)).toMatchObject({ serviceToken: 'service-token' })
  const events = await page.evaluate(() => window.events)
  expect(events[0]).toEqual(['change', { type: 'card', complete: false }])
  expect(events.at(-1)).toEqual(['change', { type: 'card', complete: true }])
})

test.each(['ideal', 'paypal', 'voucher'])('%s needs nothing more, and says what will happen', async (type) => {
  const { page } = await openMethods(all)
  await page.locator(`input[value=${type}]`).check()
  const next = type === 'voucher' ? /code/ : /^You pay on a page of (iDEAL|PayPal)/
  await page.getByText(next).filter({ visible: true }).waitFor()
  expect(await choice(page)).toEqual({ paymentMethod: { type } })
  expect(await page.evaluate(() => window.events.at(-1))).toEqual(['change', { type, complete: true }])
})

test('a debit is sent as the API takes it, and what was typed stays while the buyer looks at other methods', async () => {
  const { page } = await openMethods(all)
  await typeCard(page.frameLocator('iframe'))
  await typeDebit(page, 'at611904 300234573201')
  await page.getByRole('radio', { name: 'Card', exact: true }).check()
  await page.getByRole('radio', { name: 'SEPA' }).check()
  expect(await page.getByLabel('IBAN').inputValue()).toBe('AT61 1904 3002 3457 3201')
  const holder = { holderName: 'Ada Byrne', mandateAccepted: true }
  const paymentMethod = { type: 'sepa_debit', iban: 'AT611904300234573201', ...holder }
  expect(await choice(page)).toEqual({ paymentMethod })
  await page.getByRole('radio', { name: 'Card', exact: true }).check()
  expect(await choice(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('what a debit lacks is said at each field, and the keyboard goes to the first', async () => {
  const { page } = await openMethods(all)
  await page.getByRole('radio', { name: 'SEPA' }).check()
  expect(await choice(page)).toEqual({ code: 'method_incomplete', field: 'iban' })
  for (const text of ['Enter the IBAN.', 'Enter the name', 'The debit needs your agreement.'])
    await page.getByText(text).waitFor()
  expect(await page.getByLabel('IBAN').evaluate((input) => input === document.activeElement)).toBe(true)
  await page.getByLabel('IBAN').fill('AT61 1904 3002 3457 3201')
  const border = await page.getByLabel('IBAN').evaluate((input) => getComputedStyle(input).borderTopColor)
  expect(border).toBe('rgb(134, 141, 158)') // as before: the theme's own
  expect(await choice(page)).toEqual({ code: 'method_incomplete', field: 'holderName' })
  await page.getByLabel('Account holder').fill('Ada Byrne')
  expect(await choice(page)).toEqual({ code: 'method_incomplete', field: 'mandate' })
  expect(await page.getByRole('checkbox').evaluate((input) => input === document.activeElement)).toBe(true)
})

test('a wrong check digit is found when the field is left, before anything is sent', async () => {
  const { page } = await openMethods(all)
  await typeDebit(page, 'AT61 1904 3002 3457 3202')
  await page.getByText('There is a mistake in this IBAN').waitFor()
  expect(await page.getByLabel('IBAN').getAttribute('aria-invalid')).toBe('true')
  expect(await choice(page)).toEqual({ code: 'method_invalid', field: 'iban' })
  await page.getByLabel('IBAN').fill('4242')
  await page.getByLabel('IBAN').blur()
  await page.getByText('This is not an IBAN').waitFor()
})

test('one method alone is no choice: only its fields are there', async () => {
  const { page } = await openMethods(['sepa_debit'])
  await page.getByLabel('IBAN').waitFor()
  expect(await page.getByRole('radio').count()).toBe(0)
  expect(await page.getByText('Payment method').isVisible()).toBe(false)
  expect(await page.locator('iframe').count()).toBe(0)
})

test('another sum brings other methods, keeps what was typed, and leaves a method that is gone', async () => {
  const { page } = await openMethods(all)
  await typeCard(page.frameLocator('iframe'))
  await page.locator('input[value=ideal]').check()
  stage.vault.methods = ['card', 'paypal']
  await page.evaluate(() => window.methods.update({ amount: 100, currency: 'USD' }))
  expect(stage.vault.asked.at(-1)).toMatchObject({ storeId: 'store_1', amount: 100, currency: 'USD' })
  expect(await page.evaluate(() => window.methods.shown)).toEqual(['card', 'paypal'])
  expect(await page.getByRole('radio').count()).toBe(2)
  expect(await choice(page)).toMatchObject({ serviceToken: 'service-token' })
})

test('a method that this release does not know is left out, and none at all is no crash', async () => {
  const { page, outcome } = await openMethods(['crypto', 'ideal'])
  expect(outcome).toEqual(['ideal'])
  stage.vault.methods = []
  await page.evaluate(() => window.methods.update({ amount: 1, currency: 'XTS' }))
  expect(await choice(page)).toEqual({ code: 'method_incomplete', field: null })
})

test('a refusal of the API, and an API that does not answer, are told apart, and nothing is put into the page', async () => {
  const refused = await openMethods({ status: 404, message: 'There is no such store.' })
  expect(refused.outcome).toEqual(['methods_refused', 'There is no such store.', 'req_1'])
  expect(await refused.page.locator('#card > *').count()).toBe(0)
  const { outcome } = await openMethods(all, { apiUrl: 'https://elsewhere.example' })
  expect(outcome).toMatchObject(['network_failed', expect.stringContaining('connect-src'), null])
  let complaints = ''
  await expect.poll(() => (complaints += stage.takeComplaints().join())).toContain('refused https://elsewhere.example')
  expect(complaints).toContain('404')
})

test('Enter in the fields submits the form around them, and no field of ours is sent with it', async () => {
  const { page } = await openMethods(['sepa_debit'])
  await page.evaluate(() => {
    const form = document.createElement('form')
    form.append(document.createElement('button'))
    form.onsubmit = (event) => {
      event.preventDefault()
      window.events.push(['submit', Object.fromEntries(new FormData(form))])
    }
    document.querySelector('#card')?.replaceWith(form)
    return window.Tillwright.init({ publishableKey: 'test_pk_shop' })
      .then((checkout) => checkout.methods(form, { storeId: 'store_1', currency: 'EUR', amount: 1 }))
      .then((methods) => void (window.methods = methods))
  })
  await page.getByLabel('IBAN').fill('AT61')
  await page.getByLabel('IBAN').press('Enter')
  await expect.poll(() => page.evaluate(() => window.events.at(-1)?.[0])).toBe('submit')
  const sent = await page.evaluate(() => JSON.stringify(window.events.at(-1)))
  expect(sent).not.toContain('AT61')
})

test('Enter in the card form presses the button of the form around it, and nothing while that is disabled', async () => {
  const { page } = await openMethods(['card'])
  await page.evaluate(async () => {
    window.methods.destroy()
    const form = document.createElement('form')
    const button = document.createElement('button')
    form.onsubmit = (event) => {
      event.preventDefault()
      button.disabled = true
      window.events.push(['submit', null])
    }
    document.querySelector('#card')?.replaceWith(form)
    const checkout = await window.Tillwright.init({ publishableKey: 'test_pk_shop' })
    window.methods = await checkout.methods(form, { storeId: 'store_1', currency: 'EUR', amount: 1 })
    form.append(button)
  })
  const code = page.frameLocator('iframe').getByLabel('Security code')
  const submits = () => page.evaluate(() => window.events.filter(([name]) => name === 'submit').length)
  await code.press('Enter')
  await expect.poll(submits).toBe(1)
  await code.press('Enter')
  expect(await choice(page)).toMatchObject({ code: 'card_incomplete' }) // its answer comes behind the key
  expect(await submits()).toBe(1)
})

test('a card form that went away is back, empty, when the card is chosen again, or by update()', async () => {
  const { page } = await openMethods(['card', 'ideal'])
  const number = page.frameLocator('iframe').getByLabel('Card number')
  for (const bringBack of [
    () => page.getByRole('radio', { name: 'Card' }).click(),
    () => page.evaluate((same) => window.methods.update(same), sum),
  ]) {
    await number.fill('4242')
    await page.locator('iframe').evaluate((frame) => frame.parentElement?.prepend(frame)) // which loads it anew
    await page.locator('iframe').waitFor({ state: 'detached' })
    await bringBack()
    expect(await number.inputValue()).toBe('')
  }
})

test('after destroy() nothing is left in the page', async () => {
  const { page } = await openMethods(all, { card: { appearance: { theme: 'auto' } } })
  await page.evaluate(() => window.methods.destroy())
  expect(await page.locator('#card > *').count()).toBe(0)
  expect(await choice(page)).toEqual({ code: 'destroyed', field: null })
})

test.each([
  ['ar-EG', 'rtl', 'طريقة الدفع'],
  ['en', 'ltr', 'Payment method'],
  ['de-AT', 'ltr', 'Zahlungsart'],
  ['es', 'ltr', 'Forma de pago'],
  ['fr', 'ltr', 'Moyen de paiement'],
  ['it', 'ltr', 'Metodo di pagamento'],
  ['ja', 'ltr', '支払い方法'],
  ['nl-BE', 'ltr', 'Betaalmethode'],
  ['pl', 'ltr', 'Metoda płatności'],
  ['pt-BR', 'ltr', 'Forma de pagamento'],
  ['fi', 'ltr', 'Payment method'],
])(
  'in %s on 320 pixels nothing overflows and, in Arabic and in a soak, axe finds nothing, light or dark',
  async (locale, direction, legend) => {
    const isRead = soaks || direction === 'rtl' // each language has the same elements
    for (const theme of isRead ? (['light', 'dark'] as const) : (['light'] as const)) {
      const { page } = await openMethods(all, { width: 320, card: { locale, appearance: { theme } } })
      if (theme === 'dark') await page.evaluate(() => document.body.classList.add('dark'))
      const group = page.getByRole('group', { name: legend })
      expect(await group.getAttribute('dir')).toBe(direction)
      await page.locator('input[value=sepa_debit]').check()
      await choice(page)
      const scope = { exclude: ['iframe', 'h1', '#pay'], ...(theme === 'dark' && { tags: COLOURS }) }
      if (isRead) expect(await violationsOf(page, scope)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    }
  },
)

test('the shop’s colours are worn, and a value that is none ends no declaration', async () => {
  const variables = { colorText: 'rgb(1, 2, 3)', borderRadius: '3px', spacing: '1px;position:fixed' }
  const { page } = await openMethods(all, { card: { appearance: { variables } } })
  const group = page.getByRole('group', { name: 'Payment method' })
  const worn = await group.evaluate((root) => [getComputedStyle(root).color, getComputedStyle(root).position])
  expect(worn).toEqual(['rgb(1, 2, 3)', 'static'])
})
