import { createClient } from '@tillwright/client'
import type { EventType } from '@tillwright/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedChromium } from '../../../.ci/chromium.ts'
import { pressEnter } from '../../../.ci/press-enter.ts'
import { firstOf, inSoak } from '../../../.ci/soaks.ts'
import { settle, type Buyer } from './buyer.ts'
import { engines } from './engines.ts'
import type { RunningShop } from './running-shop.ts'
import { visitShop } from './visit-shop.ts'

const CHARGED = '4242424242424242'
const DECLINED = '4000000000000002'
const WITHOUT_MONEY = '4000000000009995'
/** The bank wants to see the buyer, and asks for a code. */
const CHALLENGED = '4000002760003184'
/** Of Bancontact, and of Maestro as well. */
const CO_BADGED = '6703444444444449'

let browser: Browser
beforeAll(async () => void (browser = await sharedChromium()))

// On the second engine `pan-nowhere.test.ts` pays, and is declined, by the same page.
describe.each(firstOf(engines()))('on $name', ({ start }) => {
  let shop: RunningShop
  beforeAll(async () => void (shop = await start()))
  afterAll(() => shop.stop())

  const enter = () => visitShop(browser, shop.local.shopUrl)
  const paid = (buyer: Buyer) => buyer.page.getByRole('status').getByText('Paid', { exact: true }).waitFor()
  const problem = (buyer: Buyer) => buyer.page.getByRole('alert')

  /** How many events of the type there are. */
  async function count(eventType: EventType): Promise<number> {
    const { adminApiKey, apiUrl } = shop.local
    const statistics = await createClient({ apiKey: adminApiKey, baseUrl: apiUrl }).events.statistics({ eventType })
    return statistics.totalEvents
  }

  test('a card typed key by key pays, and the receipt says so when the signed webhook has come', async () => {
    const buyer = await enter()
    await buyer.page.getByRole('button', { name: 'One more' }).click()
    await buyer.page.getByRole('radio', { name: 'Night blue' }).check()
    await buyer.typeCard(CHARGED)
    await buyer.pay()
    await paid(buyer)
    const receipt = await buyer.page.locator('#receipt').innerText()
    expect(receipt).toContain('2 × Canvas tote, Night blue')
    expect(receipt).toContain('€52.00')
    expect(receipt).toContain('Visa •••• 4242')
    const orderId = /order_\w+/.exec(receipt)?.[0] ?? ''
    const order = await createClient({ apiKey: shop.local.apiKey, baseUrl: shop.local.apiUrl }).orders.get({ orderId })
    expect(order).toMatchObject({ status: 'paid', amount: 5_200, currency: 'EUR' })
  })

  test.each(inSoak)('the holder of a co-badged card pays over the network that was chosen in the form', async () => {
    const { page, card, pay } = await enter()
    await page.getByLabel('E-mail').fill('ada@example.com')
    await card.getByLabel('Card number').pressSequentially(CO_BADGED)
    await card.getByLabel('Maestro').check()
    await card.getByLabel('Expiry date').pressSequentially('1234')
    await card.getByLabel('Security code').pressSequentially('123')
    await pay()
    await page.getByText('Maestro •••• 4449').waitFor()
  })

  test('a saved card pays with its security code alone, typed into the form that lists it', async () => {
    const { page } = await enter()
    const { apiKey, apiUrl: baseUrl, storeId, publishableKey } = shop.local
    const client = createClient({ apiKey, baseUrl })
    const form = await page.evaluateHandle(async (key) => {
      document.querySelector('#means')?.replaceChildren()
      const checkout = await window.Tillwright.init({ publishableKey: key })
      return checkout.card().mount('#means')
    }, publishableKey)
    const card = page.frameLocator('#means iframe')
    await card.getByLabel('Card number').pressSequentially(CHARGED)
    await card.getByLabel('Expiry date').pressSequentially('1234')
    await card.getByLabel('Security code').pressSequentially('123')
    const { serviceToken = '' } = await form.evaluate((element) => element.tokenize())
    const { paymentInstrument } = await client.paymentInstruments.createFromToken({ serviceToken, storeId })

    const saved = { paymentInstrumentId: paymentInstrument.id, ...paymentInstrument.card }
    await form.evaluate((element, savedCards) => element.update({ savedCards }), [saved])
    await card.getByRole('radio', { name: 'Visa …4242, 12/2034' }).waitFor()
    await card.getByLabel('Security code').pressSequentially('123')
    const { paymentInstrumentId = '', securityCodeToken } = await form.evaluate((element) => element.tokenize())
    const order = { storeId, paymentInstrumentId, amount: 1_999, currency: 'USD' }
    const payment = await client.payments.create({ ...order, securityCodeToken })
    expect(payment).toMatchObject({ status: 'succeeded', paymentInstrumentId: paymentInstrument.id })
    await expect(client.payments.create({ ...order, securityCodeToken })).rejects.toMatchObject({ code: 'token_used' })
  })

  test('a buyer whose bank asks for a code types it in the page, and pays', async () => {
    const buyer = await enter()
    await buyer.fillCard(CHALLENGED)
    await buyer.pay()
    await buyer.bank.getByRole('textbox').fill('1234')
    await pressEnter(buyer.bank.getByRole('textbox'))
    await paid(buyer)
    expect(await buyer.page.locator('#receipt').innerText()).toContain('Visa •••• 3184')
  })

  test.each(inSoak)('a buyer who turns away from the bank is not charged, and can pay after all', async () => {
    const payments = await count('s_order_paid')
    const buyer = await enter()
    await buyer.fillCard(CHALLENGED)
    await buyer.pay()
    await buyer.bank.getByRole('textbox').waitFor()
    await buyer.page.keyboard.press('Escape')
    await problem(buyer).getByText('You cancelled the confirmation. You were not charged').waitFor()
    expect(await count('s_order_paid')).toBe(payments)
    await buyer.fillCard(CHARGED)
    await buyer.pay()
    await paid(buyer)
  })

  test.each(
    firstOf([
      ['without enough money', WITHOUT_MONEY, 'There is not enough money on this card.'],
      ['declined', DECLINED, 'Your bank declined this card.'],
    ] as const),
  )('a card that is %s is answered in the shop’s words, and another one can be tried', async (_, number, words) => {
    const [failures, payments] = [await count('s_payment_failed'), await count('s_order_paid')]
    const buyer = await enter()
    await buyer.fillCard(number)
    await buyer.pay()
    await problem(buyer).getByText(words).waitFor()
    expect(await count('s_payment_failed')).toBe(failures + 1)
    expect(await count('s_order_paid')).toBe(payments)
    await buyer.fillCard(CHARGED)
    await buyer.pay()
    await paid(buyer)
    expect(await count('s_order_paid')).toBe(payments + 1)
  })

  test.each(inSoak)('a double click on Pay is one payment', async () => {
    const payments = await count('s_payment_created')
    const buyer = await enter()
    await buyer.fillCard(CHARGED)
    await settle(buyer.payButton)
    await buyer.payButton.dblclick()
    await paid(buyer)
    expect(await count('s_payment_created')).toBe(payments + 1)
  })

  test('a purchase whose answer is lost is paid once, however often Pay is pressed', async () => {
    const payments = await count('s_payment_created')
    const buyer = await enter()
    await buyer.fillCard(CHARGED)
    await buyer.page.route(
      '**/pay',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 2 },
    )
    for (let lost = 0; lost < 2; lost++) {
      await buyer.pay()
      await problem(buyer).getByText('you will not be charged twice').waitFor()
    }
    await buyer.pay()
    await paid(buyer)
    expect(await count('s_payment_created')).toBe(payments + 1)
  })

  test('an unsigned webhook marks nothing paid', async () => {
    const { shopUrl, accountId, storeId } = shop.local
    const order = { orderId: 'order_forged', amount: 1, currency: 'USD', paymentId: 'pay_forged' }
    const forged = {
      id: 'evt_forged',
      type: 's_order_paid',
      timestamp: new Date().toISOString(),
      environment: 'local',
      accountId,
      storeId,
      data: {
        id: 'evt_forged',
        accountId,
        storeId,
        eventType: 's_order_paid',
        properties: order,
        draft: false,
        createdAt: new Date().toISOString(),
      },
    }
    const answer = await fetch(`${shopUrl}/webhooks`, {
      method: 'POST',
      headers: {
        'webhook-id': 'evt_forged',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': `v1,${btoa('0'.repeat(32))}`,
      },
      body: JSON.stringify(forged),
    })
    expect(answer.status).toBe(400)
    expect((await fetch(`${shopUrl}/orders/order_forged`)).status).toBe(404)
  })
})
