import { contract } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { authorise, newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { pastDue, subscribe } from '../../../packages/platform/test/subscribe.ts'
import { ruleEngines, sharedPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  async function paid() {
    const { id } = await newInstrument(platform(), { customerData: { email: 'ada@example.com' } })
    return pay(platform(), id)
  }

  test('an action in the search opens the dialog of its page, which does nothing before it is asked to, and is gone from the address', async () => {
    const payment = await paid()
    const { page, complaints } = await signedIn(platform())
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    for (const typed of [`refund ${payment.id}`, 'refund ada@example.com', 'REFUND']) {
      await search(page, typed)
      await page
        .getByRole('option', { name: `Refund · ${typed === 'REFUND' ? '' : '$19.99 · '}${payment.id}` })
        .waitFor()
      await page.keyboard.press('Enter')
      await dialog.getByLabel('Amount in USD').waitFor()
      await expect.poll(() => addressOf(page)).toBe(`/console/payments/${payment.id}`)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    const { refunds } = await platform().call(contract.payments.get, { params: { paymentId: payment.id } })
    expect(refunds).toEqual([])

    await search(page, 'void')
    await page.keyboard.press('Enter')
    await expect.poll(() => addressOf(page)).toContain('?do=void')
    await opensNothing(page) // A captured payment cannot be voided.
    for (const [typed, title] of [
      ['new product', 'New product'],
      ['invite', 'Invite a member'],
      ['roll key', 'Roll key'],
    ] as const) {
      await search(page, typed)
      await page
        .getByRole('option', { name: new RegExp(title) })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => addressOf(page)).not.toContain('do=')
    }
    await search(page, 'cancel')
    await page.getByText('“Cancel”: type an id after it').waitFor()
    expect(complaints).toEqual([])
  })

  test('a payment is captured, a subscription paused, a past-due one charged, webhooks replayed and a request found from the search, and no dialog opens again by going back and forth', async () => {
    const { call, request } = platform()
    const payment = await authorise(platform())
    const subscription = await subscribe(platform())
    const unpaid = await pastDue(platform(), { trialDays: 7 })
    const number = '4000000000009995'
    const { id: empty } = await newInstrument(platform(), { number, customerId: unpaid.customerId })
    const useCard = (paymentInstrumentId: string) =>
      call(contract.subscriptions.update, { params: { subscriptionId: unpaid.id }, body: { paymentInstrumentId } })
    await useCard(empty)
    const url = 'http://localhost:1'
    const { endpoint } = await call(contract.webhookEndpoints.create, { body: { url, eventTypes: '*' } })
    const { error } = await request('GET', '/api/payments/v1/payments/pay_unknown')
    const { page, complaints } = await signedIn(platform())
    const dialog = page.getByRole('dialog')
    const began = async (typed: string, option: string | RegExp, title: string) => {
      await search(page, typed)
      await page.getByRole('option', { name: option }).first().waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: title }).waitFor()
    }
    await began(`capture ${payment.id}`, `Capture · ${payment.id}`, 'Capture the payment')
    await dialog.getByRole('button', { name: 'Capture', exact: true }).click()
    await page.getByText('s_payment_succeeded').waitFor()
    expect(await call(contract.payments.get, { params: { paymentId: payment.id } })).toMatchObject({
      status: 'succeeded',
    })

    await began(`pause ${subscription.id}`, `Pause · ${subscription.id}`, 'Pause')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/Paused since/).waitFor()

    await began(`retry ${unpaid.id}`, `Retry the charge · ${unpaid.id}`, 'Retry the charge')
    await dialog.getByText(/\$15\.00[^]*Visa 9995[^]*It stays past due/).waitFor()
    expect(await dialog.locator('pre').first().textContent()).toContain(`/subscriptions/${unpaid.id}/retry`)
    await dialog.getByRole('button', { name: 'Retry the charge' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/insufficient funds/)
      .waitFor()
    await page.locator('main').getByText('Declined', { exact: true }).waitFor()
    await useCard(unpaid.paymentInstrumentId)
    await dialog.getByText('Visa 4242').waitFor()
    await dialog.getByRole('button', { name: 'Retry the charge' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Retry the charge' }).waitFor({ state: 'detached' })
    expect(await call(contract.subscriptions.get, { params: { subscriptionId: unpaid.id } })).toMatchObject({
      status: 'active',
    })

    await began('replay localhost', /Replay webhooks · .*localhost/, 'Replay events')
    await page.keyboard.press('Escape')
    await expect.poll(() => addressOf(page)).toBe(`/console/webhooks/${endpoint.id}`)

    await search(page, error.requestId ?? '')
    await page.getByRole('option', { name: error.requestId ?? '' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('resource_missing').first().waitFor()

    await began('new product', /New product/, 'New product')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goForward()
    await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
    expect(addressOf(page)).toBe('/console/products')
    await opensNothing(page)
    // The answer to the declined charge.
    expect(complaints).toEqual([expect.stringContaining('402')])
  })

  test('the actions of the search are called as in the language of the reader, and in English', async () => {
    const payment = await paid()
    const { page } = await signedIn(platform(), 'owner', { locale: 'de-DE' })
    for (const typed of ['erstatten', 'refund']) {
      await search(page, `${typed} ${payment.id}`)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Erstatten' }).waitFor()
      await page.keyboard.press('Escape')
    }
    await search(page, 'zu zahlungen')
    await page.keyboard.press('Enter')
    await expect.poll(() => addressOf(page)).toBe('/console/payments')
  })

  test('a member whose role cannot refund is not offered it, and an address that asks for it, or for what there is not, opens nothing', async () => {
    const payment = await paid()
    const { page, complaints } = await signedIn(platform(), 'read_only')
    await search(page, `refund ${payment.id}`)
    await page.getByText('Nothing was found').waitFor()
    expect(await page.getByRole('option', { name: payment.id }).count()).toBe(0)
    for (const asked of ['refund', 'constructor', 'delete']) {
      await page.goto(`${platform().apiUrl}/console/payments/${payment.id}?do=${asked}`)
      await page.getByText('Payment requested').waitFor()
      await opensNothing(page)
    }
    expect(complaints).toEqual([])
  })
})

async function search(page: Page, typed: string): Promise<void> {
  const field = page.getByRole('dialog').getByRole('combobox')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const open = async () => {
    if ((await field.count()) === 0) await page.keyboard.press('/')
    return field.count()
  }
  await expect.poll(open).toBe(1)
  await field.fill(typed)
}

/** The keys of a page do nothing while one of its dialogs is open. */
async function opensNothing(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
}

function addressOf(page: Page): string {
  const { pathname, search: query } = new URL(page.url())
  return pathname + query
}
