import { createClient } from '@tillwright/client'
import type { Payment } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violationsOf } from '../../../../.ci/accessibility.ts'
import { sharedChromium } from '../../../../.ci/chromium.ts'
import { startShop, type RunningShop } from '../running-shop.ts'
import { visitShop } from '../visit-shop.ts'

const PAID = 'AT61 1904 3002 3457 3201'
const REFUSED = 'AT86 1904 3002 3547 3202'

let shop: RunningShop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.stop())

/** Opens the shop and chooses a method; fails the test for what the page complains of, but for answers that tests arrange. */
async function choose(method: string, options: Parameters<typeof visitShop>[2] = {}): Promise<Page> {
  const { page } = await visitShop(await sharedChromium(), shop.local.shopUrl, { locale: 'en-US', ...options })
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  onTestFinished(() => expect(complaints).toEqual([]))
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByRole('radio', { name: method }).check()
  return page
}

const pay = (page: Page) => page.getByRole('button', { name: /^Pay / }).click()
const atBank = (page: Page, choice: string) => page.locator(`button[name=choice][value=${choice}]`)
const receiptOf = (page: Page) => page.locator('#receipt').innerText()
const untilStatus = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor()
const paid = (page: Page) => page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
const platform = () => createClient({ apiKey: shop.local.adminApiKey, baseUrl: shop.local.apiUrl })

/** The payment that was made last. */
async function newest(): Promise<Payment> {
  const [last] = (await platform().payments.list({ limit: 1 })).data
  return platform().payments.get({ paymentId: last?.id ?? '' })
}

/** An hour goes by on the platform, in which it hears of what it waits for. */
async function anHourLater(): Promise<void> {
  const { now } = await platform().testClock.get()
  await platform().testClock.advance({ to: new Date(Date.parse(now) + 3_700_000).toISOString() })
}

/** Fills in a debit's fields. */
async function fillDebit(page: Page, iban: string): Promise<void> {
  await page.getByLabel('IBAN').fill(iban)
  await page.getByLabel('Account holder').fill('Ada Byrne')
  await page.getByRole('checkbox').check()
}

test.each(['iDEAL', 'PayPal'])(
  '%s leads to its page and back to a receipt, which a second look shows again',
  async (method) => {
    const page = await choose(method)
    await pay(page)
    await atBank(page, 'pay').click()
    await paid(page)
    expect(new URL(page.url())).toMatchObject({ pathname: expect.stringMatching(/^\/receipt\/pay_\w+$/), search: '' })
    const receipt = await receiptOf(page)
    expect(receipt).toMatch(new RegExp(`Canvas tote.*€24\\.00.*${method}.*ada@example\\.com`, 's'))
    await page.reload()
    expect(await receiptOf(page)).toBe(receipt)
  },
)

test('a buyer who cancels at the bank reads that nothing was charged, whatever the address says', async () => {
  const page = await choose('iDEAL')
  await pay(page)
  await atBank(page, 'cancel').click()
  await untilStatus(page, 'You cancelled the payment. You were not charged')
  const paymentId = page.url().split('/').at(-1) ?? ''
  await page.goto(`${shop.local.shopUrl}/return?status=succeeded&paymentId=${paymentId}`)
  await untilStatus(page, 'You cancelled the payment. You were not charged')
  expect(await receiptOf(page)).not.toContain('ada@example.com')
})

test('a buyer who leaves the bank’s page may go on, or pay with something else', async () => {
  const page = await choose('iDEAL')
  await pay(page)
  await atBank(page, 'pay').waitFor()
  await page.goto(`${shop.local.shopUrl}/return?paymentId=${(await newest()).id}`)
  await untilStatus(page, 'Your payment is still open, and nothing was charged.')
  await page.getByRole('link', { name: 'Go on to pay' }).click()
  await atBank(page, 'pay').waitFor()
  await page.goto(shop.local.shopUrl)
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await pay(page)
  await atBank(page, 'pay').waitFor()
  await page.goBack()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByRole('radio', { name: 'Voucher' }).check()
  await pay(page)
  await untilStatus(page, 'Waiting for your payment')
})

test('Back from the bank’s page shows the outcome of the payment there', async () => {
  const page = await choose('iDEAL')
  await pay(page)
  await atBank(page, 'pay').waitFor()
  const bank = page.url()
  await fetch(bank, { method: 'POST', body: new URLSearchParams({ choice: 'cancel' }), redirect: 'manual' })
  await page.goBack()
  await page.getByRole('alert').getByText('You cancelled the payment.').waitFor()
})

test('a SEPA debit is on its way with the end of its account until its bank has paid; a wrong IBAN goes nowhere', async () => {
  const page = await choose('SEPA')
  const sent: string[] = []
  page.on('request', (request) => void sent.push(request.url()))
  await fillDebit(page, 'AT61 1904 3002 3457 3202')
  await pay(page)
  await page.getByText('There is a mistake in this IBAN').waitFor()
  expect(sent).toEqual([])
  await page.getByLabel('IBAN').fill(PAID)
  await pay(page)
  await untilStatus(page, 'On its way')
  expect(await receiptOf(page)).toMatch(/within the next days.*SEPA direct debit •••• 3201/s)
  expect(await violationsOf(page)).toEqual([])
  await anHourLater()
  await paid(page)
  expect(await receiptOf(page)).not.toContain('within the next days')
})

test('a debit that its bank refuses is no order, and the page says so', async () => {
  const page = await choose('SEPA')
  await fillDebit(page, REFUSED)
  await pay(page)
  await page.getByRole('alert').getByText('Your bank refused the debit. You were not charged').waitFor()
})

test('a voucher’s receipt has the code and until when to pay it, and says when it is paid', async () => {
  const page = await choose('Voucher', { timezoneId: 'Europe/Vienna' })
  await pay(page)
  await untilStatus(page, 'Waiting for your payment')
  const [shown] = await platform()
    .payments.list({ limit: 1 })
    .then(({ data }) => data)
  const { voucher } = (await platform().payments.get({ paymentId: shown?.id ?? '' })).paymentMethod
  const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Vienna' })
  const receipt = await receiptOf(page)
  expect(receipt).toContain(voucher?.code)
  expect(receipt).toContain(`Pay by ${time.format(new Date(voucher?.expiresAt ?? ''))}`)
  expect(await violationsOf(page)).toEqual([])
  const till = await page.context().newPage()
  await till.goto(voucher?.url ?? '')
  await atBank(till, 'pay').click()
  await till.getByRole('heading').waitFor()
  await anHourLater()
  await paid(page)
})

test('a purchase whose answer is lost is paid once, by a customer whom the store knows already', async () => {
  const page = await choose('Voucher')
  const made = async () => (await platform().payments.list({ limit: 100 })).data.length
  const before = await made()
  await page.route(
    '**/pay',
    async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await pay(page)
  await page.getByRole('alert').getByText('you will not be charged twice').waitFor()
  await pay(page)
  await untilStatus(page, 'Waiting for your payment')
  expect(await made()).toBe(before + 1)
})

test('a keyboard alone chooses a method, goes to the bank and comes back', async () => {
  const page = await choose('Card')
  await page.getByLabel('E-mail').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await atBank(page, 'pay').focus()
  await page.keyboard.press('Enter')
  await paid(page)
})

test('in dollars there are the card and PayPal, and what was typed stays', async () => {
  const page = await choose('SEPA')
  await page.getByLabel('Account holder').fill('Ada Byrne')
  const methods = page.locator('#means').getByRole('radio')
  expect(await methods.count()).toBe(5)
  await page.getByLabel('Currency').selectOption('USD')
  await expect.poll(() => methods.count()).toBe(2)
  await page.getByLabel('Currency').selectOption('EUR')
  await expect.poll(() => methods.count()).toBe(5)
  await page.getByRole('radio', { name: 'SEPA' }).check()
  expect(await page.getByLabel('Account holder').inputValue()).toBe('Ada Byrne')
})

test('where the API is blocked the card form is there alone', async () => {
  const context = await (await sharedChromium()).newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.route('**/payment-methods', (route) => route.abort('blockedbyclient'))
  await page.goto(shop.local.shopUrl)
  await page.frameLocator('#means iframe').getByLabel('Card number').waitFor()
  expect(await page.locator('#means').getByRole('radio').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Pay €24.00' }).isEnabled()).toBe(true)
})

test('a return without a payment, or with another buyer’s, shows nothing', async () => {
  const client = platform()
  const store = await client.stores.create({ name: 'Another', selectedPaymentFlowId: shop.local.paymentFlowId })
  const customer = await client.customers.create({ storeId: store.id, email: 'bob@example.com' })
  const theirs = await client.payments.create({
    storeId: store.id,
    customerId: customer.id,
    paymentMethod: { type: 'ideal' },
    returnUrl: 'https://shop.example/',
    currency: 'EUR',
    amount: 900,
  })
  for (const query of ['', '?paymentId=', '?paymentId=pay_unknown', `?paymentId=${theirs.id}`]) {
    const answer = await fetch(`${shop.local.shopUrl}/return${query}`)
    expect([query, answer.status]).toEqual([query, 404])
    expect(await answer.text()).toContain('There is no receipt at this address.')
  }
  const asked = { method: 'POST', body: JSON.stringify({ paymentId: theirs.id }) }
  expect((await fetch(`${shop.local.shopUrl}/continue`, asked)).status).toBe(400)
})

test('an account that takes cards alone has the page of a card, which contacts no other host and loads nothing more', async () => {
  const client = platform()
  const processor = await client.processors.create({ name: 'Cards', driver: 'stripe', secret: 'sk_test_12345678' })
  const processorConfigs = [{ processorId: processor.id, weight: 1 }]
  const data = { name: 'Cards alone', strategy: 'simple', processorConfigs } as const
  const flow = await client.paymentFlows.create({ data })
  const { storeId, paymentFlowId } = shop.local
  const payThrough = async (selectedPaymentFlowId: string) => {
    const { revision } = await client.stores.get({ storeId })
    await client.stores.update({ storeId, selectedPaymentFlowId, revision })
  }
  await payThrough(flow.id)
  onTestFinished(() => payThrough(paymentFlowId))
  const asked: string[] = []
  const context = await (await sharedChromium()).newContext({ locale: 'en-US' })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.on('request', (request) => void asked.push(request.url()))
  const answer = await page.goto(shop.local.shopUrl)
  expect(answer?.headers()['content-security-policy']).toContain(`connect-src 'self' ${shop.local.vaultUrl};`)
  await page.getByRole('heading', { name: 'Pay by card' }).waitFor()
  await page.getByText('Cards to try').waitFor()
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.frameLocator('#means iframe').getByLabel('Card number').waitFor()
  await pay(page)
  await page.frameLocator('#means iframe').getByText('Enter the card number.').waitFor()
  expect(await page.locator('#means').getByRole('radio').count()).toBe(0)
  expect(asked.filter((url) => /methods/.test(url) || url.startsWith(shop.local.apiUrl))).toEqual([])
})
