import { readFile } from 'node:fs/promises'
import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { authorise, newInstrument, pay, requestPayment } from '../../../packages/platform/test/pay-with-card.ts'
import { newAuthenticatedPayment } from '../../../packages/platform/test/threeds-payment.ts'
import { ruleEngines, sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('an owner signs in for the first time, finds a payment by e-mail address and last four digits, and refunds a part of it, which its ledger shows', async () => {
    const [ada, grace] = ['ada@example.com', 'grace@example.com']
    const ofAda = await newInstrument(platform(), { customerData: { email: ada } })
    const ofGrace = await newInstrument(platform(), { customerData: { email: grace }, number: '5555555555554444' })
    const payment = await pay(platform(), ofAda.id)
    await pay(platform(), ofGrace.id)
    const { page, complaints } = await signedIn(platform())
    const namesRead: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/payments/v1/customers')) namesRead.push(request.url())
    })
    await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click()
    for (const buyer of [ada, grace]) await page.getByRole('row').filter({ hasText: buyer }).waitFor()
    const links = page.getByRole('table').getByRole('link')
    for (const typed of ['visa 4242', ada]) {
      await page.getByRole('searchbox', { name: 'Search' }).fill(typed)
      await expect
        .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))))
        .toEqual([`/console/payments/${payment.id}`])
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(typed)
    }
    // One read for the whole page of payments, and one for those of each search.
    expect(namesRead.length).toBeLessThanOrEqual(3)
    await links.click()
    await page.getByText('Payment requested').waitFor()
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Amount in USD').fill('1.50')
    await page.getByLabel('Reason').fill('Came back')
    await page.getByRole('button', { name: 'Refund $1.50' }).click()
    await page.getByText('Refund of $1.50').waitFor()
    const booked = page.getByRole('region', { name: 'Ledger' }).getByRole('row')
    await expect.poll(() => booked.filter({ hasText: 'Refunded' }).count()).toBe(2)
    expect(await booked.filter({ hasText: 'Captured' }).filter({ hasText: 'Sales' }).textContent()).toContain('$19.99')
    await page.getByText('Sum of all lines: $0.00').waitFor()
    const { refunds } = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    expect(refunds).toMatchObject([{ amount: 150, reason: 'Came back', status: 'succeeded' }])
    expect(complaints).toEqual([])
  })

  test.each([
    ['a balancer gives up on', { status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' }],
    [
      'the platform is still at work on',
      { status: 409, json: { message: 'Try again.', error: { code: 'idempotency_key_in_use' } } },
    ],
  ] as const)('a refund that %s is not made a second time when it is tried again', async (_, answer) => {
    const { id } = await newInstrument(platform())
    const { id: paymentId } = await pay(platform(), id)
    const { page } = await signedIn(platform())
    await page.goto(new URL(`/console/payments/${paymentId}?do=refund`, page.url()).href)
    await page.route(
      '**/refund',
      async (route) => {
        await route.fetch() // it arrives, and is made
        await route.fulfill(answer)
      },
      { times: 1 },
    )
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount in USD').fill('1.50')
    const refund = dialog.getByRole('button', { name: 'Refund $1.50' })
    await refund.click()
    await dialog.getByText('It is not known whether this was done. Try again: it is not done twice.').waitFor()
    // The page behind tells what has become of it.
    await page.getByText('Refund of $1.50').waitFor()
    await refund.click()
    await dialog.waitFor({ state: 'detached' })
    const { refunds } = await platform().call(contract.payments.get, { params: { paymentId } })
    expect(refunds.map(({ amount }) => amount)).toEqual([150])
  })

  test('a refund that is not answered ends, and one that is left gives the focus back to its button', async () => {
    const { id } = await newInstrument(platform())
    const { id: paymentId } = await pay(platform(), id)
    const { page } = await signedIn(platform())
    await page.clock.install()
    await page.goto(new URL(`/console/payments/${paymentId}`, page.url()).href)
    const asked = Promise.withResolvers<void>()
    await page.route('**/refund', () => asked.resolve(), { times: 1 })
    const opener = page.getByRole('button', { name: 'Refund', exact: true })
    const dialog = page.getByRole('dialog')
    await opener.press('Enter')
    await dialog.getByRole('button', { name: 'Refund $19.99' }).press('Enter')
    await asked.promise
    await page.clock.runFor(20_000)
    await dialog.getByText('The platform does not answer.').waitFor()
    await dialog.getByText('It is not known whether this was done.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
    await opener.press('Enter')
    await dialog.getByLabel('Amount in USD').fill('1')
    await dialog.getByRole('button', { name: 'Refund $1.00' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('a part of an authorization is captured and the rest kept, and voiding the rest leaves the part paid', async () => {
    const { call } = platform()
    const { id: paymentId } = await authorise(platform(), { amount: 1_500 })
    const { page, complaints } = await signedIn(platform())
    await page.goto(new URL(`/console/payments/${paymentId}`, page.url()).href)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Capture' }).click()
    await dialog.getByText('The buyer is charged $15.00.', { exact: true }).waitFor()
    await dialog.getByLabel('Amount in USD').fill('15.01')
    await dialog.getByText('Enter an amount between 0 and $15.00.').waitFor()
    await dialog.getByLabel('Amount in USD').fill('5')
    await dialog.getByText('The other $10.00 is released').waitFor()
    await dialog.getByLabel('Keep the rest reserved').check()
    await dialog.getByText('The other $10.00 stays reserved').waitFor()
    await dialog.getByRole('button', { name: 'Capture', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Capture of $5.00').waitFor()
    await page.getByText('s_payment_partially_captured').waitFor()
    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Void' }).click()
    await dialog.getByText('The other $10.00 is released. The payment has succeeded with $5.00').waitFor()
    await dialog.getByRole('button', { name: 'Void' }).click()
    await page.getByRole('button', { name: 'Refund' }).waitFor()
    const payment = await call(contract.payments.get, { params: { paymentId } })
    expect(payment).toMatchObject({ status: 'succeeded', captures: [{ amount: 500, finalCapture: false }] })
    expect(complaints).toEqual([])
  })

  test('the page of a payment says in words how its buyer was authenticated, why a processor was picked, and which webhooks were sent', async () => {
    const { call, request } = platform()
    const { payment } = await newAuthenticatedPayment(platform())
    await request('POST', `/api/payments/v1/payments/${payment.id}/continue`, { body: {} })
    const tried = async () => {
      const { data } = await call(contract.webhookEndpoints.listDeliveries, { query: { limit: 100 } })
      return data.filter(({ eventType }) => eventType === 's_payment_succeeded').map(({ tries }) => tries.length)
    }
    await expect.poll(tried).toContain(1)
    const { page, complaints } = await signedIn(platform(), 'read_only')
    await page.goto(new URL(`/console/payments/${payment.id}`, page.url()).href)
    for (const words of [
      'Y: the buyer is authenticated',
      'Frictionless: the buyer was not asked',
      '2.2.0',
      'Visa 4242',
    ])
      await page.getByText(words, { exact: true }).waitFor()
    await page.getByText(/Attempt at (North|South)/).waitFor()
    expect(await page.getByText('"messageType": "AReq"').isVisible()).toBe(false)
    await page.getByText('2 messages').click()
    await page.getByText('authentication request').click()
    await page.getByText('"messageType": "AReq"').waitFor()
    await page.getByText('s_payment_succeeded').click()
    await page.getByText(/ECONNREFUSED/).waitFor()
    expect(await page.getByRole('button', { name: /Refund|Capture|Void/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('a payment whose webhooks nobody acknowledges is asked about less and less often', async () => {
    const { id } = await newInstrument(platform())
    const { id: paymentId } = await pay(platform(), id)
    for (let count = 0; count < 3; count += 1)
      await platform().call(contract.payments.refund, { params: { paymentId }, body: { amount: 100 } })
    const { page } = await signedIn(platform())
    await page.clock.install({ time: platform().clock.now() + 11 * 60_000 })
    await page.goto(new URL(`/console/payments/${paymentId}`, page.url()).href)
    await page.getByText('Outstanding').first().waitFor()
    let asked = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events/v1/events') asked += 1
    })
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/events/v1/events')
    await page.clock.runFor(61_000)
    await answered
    // A member has 300 requests a minute for all pages; this one reads the log from a few places each time.
    expect(asked).toBeLessThanOrEqual(8)
  })

  test('refunds have a list of their own, which is filtered, exported, and leads to their payments', async () => {
    const { call } = platform()
    const { id } = await newInstrument(platform())
    const { body } = await requestPayment(platform(), { paymentInstrumentId: id, currency: 'CAD', amount: 2_500 })
    const paid = contract.payments.create.response.parse(body)
    await call(contract.payments.refund, {
      params: { paymentId: paid.id },
      body: { amount: 700, reason: 'Too small' },
    })
    const { page, complaints } = await signedIn(platform(), 'support')
    await page.getByRole('navigation').getByRole('link', { name: 'Refunds' }).click()
    const row = page.getByRole('row').filter({ hasText: 'CA$7.00' })
    expect(await row.textContent()).toContain('Succeeded')
    expect(await row.textContent()).toContain('Too small')
    await page.goto(new URL('/console/refunds?currency=CAD', page.url()).href)
    await row.waitFor()
    const downloaded = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('Too small')
    await row.getByRole('link').click()
    await page.getByText('Refund of CA$7.00').waitFor()
    expect(complaints).toEqual([])
  })

  test('a card check is called one among payments, and an order that costs nothing is not', async () => {
    const { call, local, request } = platform()
    const { id } = await newInstrument(platform(), { customerData: { email: 'joan@example.com' } })
    const { body } = await request('POST', `/api/payments/v1/payment-instruments/${id}/verify`, {
      body: { storeId: local.storeId, currency: 'USD', usage: 'on_session' },
    })
    const check = contract.payments.create.response.parse(body)
    const name = 'Sticker'
    const variants = [{ name, prices: [{ currencyOptions: { USD: { amount: 0 } } }] }]
    const { productId } = await call(contract.products.create, { body: { storeId: local.storeId, name, variants } })
    const [variant] = (await call(contract.products.get, { params: { productId } })).variants
    await requestPayment(platform(), {
      paymentInstrumentId: id,
      amount: undefined,
      lines: [{ variantId: variant?.id }],
    })
    const { page, complaints } = await signedIn(platform(), 'support')
    // Both are of the same moment here, and so in any order.
    const listed = async () => (await page.getByRole('table').getByRole('link').allTextContents()).toSorted()
    for (const list of ['payments', 'orders']) {
      await page.goto(new URL(`/console/${list}?q=joan@example.com`, page.url()).href)
      await expect.poll(listed).toEqual(['$0.00', 'Card check'])
    }
    for (const path of [`/payments/${check.id}`, `/orders/${check.orderId}`]) {
      await page.goto(new URL(`/console${path}`, page.url()).href)
      await page.getByRole('heading', { level: 1, name: 'Card check' }).waitFor()
    }
    expect(complaints).toEqual([])
  })
})
