import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newInstrument, pay, requestPayment } from '../../../packages/platform/test/pay-with-card.ts'
import { pastDue, recurringVariant, subscribe } from '../../../packages/platform/test/subscribe.ts'
import { sharedPlatform, ruleEngines } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('the page of a customer with many payments leads to all of them', async () => {
    const { id, customerId } = await newInstrument(platform(), { customerData: { email: 'many@example.com' } })
    for (let count = 0; count < 6; count += 1) await pay(platform(), id)
    const { page } = await signedIn(platform(), 'support')
    await page.goto(new URL(`/console/customers/${customerId}`, page.url()).href)
    for (const list of ['Payments', 'Orders']) {
      await page.getByRole('link', { name: `Show all: ${list}` }).click()
      await page.getByRole('heading', { level: 1, name: list }).waitFor()
      await expect.poll(() => page.getByRole('table').getByRole('link').count()).toBe(6)
      await page.goBack()
    }
    await page.getByRole('heading', { name: 'Subscriptions' }).waitFor()
    expect(await page.getByRole('link', { name: 'Show all: Subscriptions' }).count()).toBe(0)
  })

  test('an owner finds a customer by e-mail address, resolves a change that two made at once, and pauses, resumes and ends a subscription', async () => {
    const { call } = platform()
    const email = 'ada@example.com'
    const { id, customerId } = await newInstrument(platform(), { customerData: { email, firstName: 'Ada' } })
    await newInstrument(platform(), { customerData: { email: 'grace@example.com' } })
    const lines = [{ variantId: await recurringVariant(platform()) }]
    const bought = await requestPayment(platform(), { paymentInstrumentId: id, amount: undefined, lines })
    const { orderId } = contract.payments.create.response.parse(bought.body)
    const { page, complaints } = await signedIn(platform())
    await page.getByRole('link', { name: 'Customers' }).click()
    const links = page.getByRole('table').getByRole('link')
    await page.getByRole('searchbox', { name: 'Search' }).fill(email)
    await expect.poll(() => links.allTextContents()).toEqual([email])
    await links.click()
    await page.getByText('Visa 4242').waitFor()
    await page.getByRole('link', { name: /agreed to charges in their absence/ }).waitFor()

    await page.getByRole('button', { name: 'Edit the customer' }).click()
    await page.getByLabel('Given name').fill('Augusta')
    await call(contract.customers.update, { params: { customerId }, body: { revision: 1, firstName: 'Adele' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const versions = page.getByRole('row', { name: /Given name/ })
    await expect.poll(() => versions.allTextContents()).toEqual(['Given nameAugustaAdele'])
    await page.getByRole('button', { name: 'Save mine' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await call(contract.customers.get, { params: { customerId } })).toMatchObject({ firstName: 'Augusta' })

    const place = page.getByRole('dialog').getByRole('group', { name: 'Shipping address' })
    const editPlace = async (typed: Record<string, string>) => {
      await page.getByRole('button', { name: 'Edit the customer' }).click()
      await page.getByRole('dialog').locator('summary', { hasText: 'Shipping address' }).click()
      for (const [label, value] of Object.entries(typed)) await place.getByLabel(label).fill(value)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return (await call(contract.customers.get, { params: { customerId } })).shippingAddress
    }
    const moved = { 'Street and number': '12 Weaver Street', City: 'Dublin', Country: 'ie' }
    expect(await editPlace(moved)).toEqual({ line1: '12 Weaver Street', city: 'Dublin', country: 'IE' })
    expect(await editPlace({ City: '', 'Postal code': 'D08 X2Y4' })).toEqual({
      line1: '12 Weaver Street',
      postalCode: 'D08 X2Y4',
      country: 'IE',
    })
    expect(await editPlace({ 'Street and number': '', 'Postal code': '', Country: '' })).toBeNull()

    await page.getByRole('link', { name: 'Coffee club' }).click()
    const dialog = page.getByRole('dialog')
    const statuses = async () =>
      (await call(contract.subscriptions.list, { query: { customerId } })).data.map(({ status }) => status)
    await page.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText(/Nothing is renewed or charged until you resume it/).waitFor()
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/Paused since/).waitFor()
    expect(await statuses()).toEqual(['paused'])
    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/Paused since/).waitFor({ state: 'detached' })
    expect(await statuses()).toEqual(['active'])
    await page.getByRole('button', { name: 'Cancel the subscription' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click()
    await page.getByText(/It ends on/).waitFor()
    const { data } = await call(contract.subscriptions.list, { query: { customerId } })
    expect(data).toMatchObject([{ cancelAtPeriodEnd: true, status: 'active' }])
    await page.getByRole('button', { name: 'Keep the subscription' }).click()
    await dialog.getByText(/goes on instead/).waitFor()
    await dialog.getByRole('button', { name: 'Keep the subscription' }).click()
    await page.getByText(/It ends on/).waitFor({ state: 'detached' })
    const kept = await call(contract.subscriptions.list, { query: { customerId } })
    expect(kept.data).toMatchObject([{ cancelAtPeriodEnd: false, status: 'active' }])

    await page.getByRole('link', { name: orderId }).click()
    await page.getByRole('cell', { name: /Coffee club/ }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Key').fill('campaign')
    await page.getByLabel('Value').fill('spring')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('campaign').waitFor()
    const order = await call(contract.orders.get, { params: { orderId } })
    expect(order.metadata).toEqual({ campaign: 'spring' })
    // The answer to the change that came too late.
    expect(complaints).toEqual([expect.stringContaining('409')])
  })

  test('a member who may erase sees what an erasure removes before it is made', async () => {
    const { call } = platform()
    const { id, customerId } = await newInstrument(platform(), { customerData: { email: 'mary@example.com' } })
    await pay(platform(), id)
    const { page, complaints } = await signedIn(platform(), 'operations')
    await page.goto(new URL(`/console/customers/${customerId}`, page.url()).href)
    await page.getByRole('button', { name: 'Erase the customer' }).click()
    await page.getByRole('dialog').getByText('payment_instruments').waitFor()
    expect(await call(contract.customers.get, { params: { customerId } })).toMatchObject({ email: 'mary@example.com' })
    await page.getByRole('button', { name: 'Erase for good' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { data } = await call(contract.erasures.list, { query: { customerId } })
    expect(data).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('a subscription goes on with another price and quantity, which its page says, and which can be taken back', async () => {
    const { call, local } = platform()
    const { id } = await subscribe(platform())
    const price = { currencyOptions: { USD: { amount: 2_000 } }, recurring: true, interval: 'month' } as const
    const yearly = { ...price, interval: 'year' } as const
    const variants = [{ name: 'Large', prices: [price, yearly] }]
    const name = `Coffee for ${id.slice(-6)}`
    await call(contract.products.create, { body: { storeId: local.storeId, name, variants } })
    const { page, complaints } = await signedIn(platform())
    await page.goto(new URL(`/console/subscriptions/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'Change price or quantity' }).click()
    const dialog = page.getByRole('dialog')
    const prices = dialog.getByLabel('Price')
    await prices.getByRole('option', { name: `${name} · $20.00 a month` }).waitFor({ state: 'attached' })
    expect(await prices.getByRole('option', { name }).count()).toBe(1)
    await prices.selectOption({ label: `${name} · $20.00 a month` })
    await dialog.getByLabel('Quantity').fill('3')
    await dialog.getByText(/From .* on, it costs \$60\.00 a month\./).waitFor()
    await dialog.getByRole('button', { name: 'Use this from the next period' }).click()
    await page.getByText(`${name}, $60.00 a month.`).waitFor()
    const subscription = () => call(contract.subscriptions.get, { params: { subscriptionId: id } })
    expect(await subscription()).toMatchObject({ nextPaymentAmount: 6_000, pendingChange: { quantity: 3 } })
    await page.getByRole('button', { name: 'Change price or quantity' }).click()
    await prices.selectOption({ index: 0 })
    await dialog.getByLabel('Quantity').fill('1')
    await dialog.getByText('It stays as it is.').waitFor()
    await dialog.getByRole('button', { name: 'Use this from the next period' }).click()
    await page.getByText(`${name}, `).waitFor({ state: 'detached' })
    expect(await subscription()).toMatchObject({ nextPaymentAmount: 1_500, pendingChange: null })
    expect(complaints).toEqual([])
  })

  test('support gives a customer the link to an unpaid subscription, which can only be ended at once', async () => {
    const { id, storeId, accountId } = await pastDue(platform())
    const { page, complaints } = await signedIn(platform(), 'support')
    await page.goto(new URL(`/console/subscriptions/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'Link for the customer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByText(`/recover/${accountId}/${storeId}#`).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Cancel the subscription' }).click()
    expect(await dialog.getByRole('combobox', { name: 'When' }).locator('option').allTextContents()).toEqual(['Now'])
    await dialog.getByText('It ends at once.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a subscription whose renewal keeps waiting says so', async () => {
    const { id, currentPeriodEnd } = await subscribe(platform())
    const nextMs = Date.parse(currentPeriodEnd) + 60 * 60 * 1_000
    const { page, complaints } = await signedIn(platform(), 'read_only')
    await page.goto(new URL(`/console/subscriptions/${id}`, page.url()).href)
    await page.getByText('Next charge').first().waitFor()
    await page.locator('.bone').first().waitFor({ state: 'detached' })
    expect(await page.getByText('The period is over').count()).toBe(0)
    await platform().services.db.write([
      { sql: 'UPDATE subscriptions SET due_at = ? WHERE id = ?', params: [nextMs, id] },
    ])
    await page.reload()
    await page.getByText(/The period is over since .*, and no charge has come through yet/).waitFor()
    expect(complaints).toEqual([])
  })

  test('a read-only member is offered no change of a customer, an order or a subscription', async () => {
    const { id, customerId } = await newInstrument(platform(), { customerData: { email: 'edith@example.com' } })
    const lines = [{ variantId: await recurringVariant(platform()) }]
    const bought = await requestPayment(platform(), { paymentInstrumentId: id, amount: undefined, lines })
    const { orderId, subscriptions } = contract.payments.create.response.parse(bought.body)
    const { page, complaints } = await signedIn(platform(), 'read_only')
    const paths = [
      `/customers/${customerId}`,
      `/orders/${orderId}`,
      `/subscriptions/${subscriptions[0]?.subscriptionId}`,
    ]
    for (const path of paths) {
      await page.goto(new URL(`/console${path}`, page.url()).href)
      await page.getByText('Payments', { exact: true }).last().waitFor()
      await page.locator('.bone').first().waitFor({ state: 'detached' })
      const offered = page
        .locator('main')
        .getByRole('button', { name: /Edit|Cancel|Erase|Export|Delete|Archive|Change|Pause|Resume/ })
      expect(await offered.allTextContents(), path).toEqual([])
    }
    expect(complaints).toEqual([])
  })
})
