import { contract } from '@tillwright/contract'
import { expect, test } from 'vitest'
import { newFunnel } from '../../../platform/test/new-funnel.ts'
import { deployPlugin } from '../../../platform/test/plugins/deploy-plugin.ts'
import { sharedPlatform } from '../../../platform/test/test-platform.ts'
import { authenticateWaiting } from '../../../platform/test/threeds-payment.ts'
import { checkoutWith, firstVariant, localPage } from '../../test/local-page.ts'
import type { Checkout } from '../checkout.ts'
import type { TestPage, TestPageOptions } from '../test-page/index.ts'

const platform = sharedPlatform()
const DECLINED = '4000000000000002'
/** Payments with this card require authentication. */
const ASKED = '4000002500003155'

const authenticated: Checkout['authenticate'] = async (actionToken) => {
  await authenticateWaiting(platform(), { actionToken })
  return { outcome: 'authenticated' }
}

/** A page with two units in the order and a card form. */
async function filled(options: Omit<TestPageOptions, 'data'> & { number?: string } = {}): Promise<TestPage> {
  const { number, checkout = checkoutWith(platform(), number, authenticated), ...others } = options
  const page = localPage(platform(), { checkout, ...others })
  await page.order.setLines([{ variantId: await firstVariant(platform()), quantity: 2 }])
  await page.pay.mount('#card')
  return page
}

test('a card pays the order once, however often the button is pressed', async () => {
  const page = await filled()
  const statuses: string[] = []
  page.pay.subscribe(() => statuses.push(page.pay.get().status))
  const [one, other] = await Promise.all([page.pay.withCard(), page.pay.withCard()])
  expect(one).toMatchObject({ outcome: 'paid', payment: { status: 'succeeded', amount: page.order.get()?.amount } })
  expect(other).toBe(one)
  expect(statuses).toEqual(['paying', 'idle'])
  expect(page.pay.get().outcome).toBe(one)
  expect(page.order.get()?.status).toBe('paid')
  expect(await page.pay.withCard()).toEqual(one)
})

test('a declined card is reported with its reason, and another one pays', async () => {
  const page = await filled({ number: DECLINED })
  expect(await page.pay.withCard()).toMatchObject({
    outcome: 'declined',
    reason: 'card_declined',
    declineCode: 'generic_decline',
    message: expect.stringMatching(/\w/),
    paymentId: expect.stringMatching(/^payment_|^pay/),
  })
  expect(page.order.get()?.status).toBe('open')
})

test('a buyer who has authenticated pays', async () => {
  const page = await filled({ number: ASKED })
  const statuses: string[] = []
  page.pay.subscribe(() => statuses.push(page.pay.get().status))
  expect(await page.pay.withCard()).toMatchObject({ outcome: 'paid' })
  expect(statuses).toEqual(['paying', 'authenticating', 'confirming', 'idle'])
})

test('a buyer who leaves the bank’s page has cancelled, and can pay again', async () => {
  const page = await filled({
    checkout: checkoutWith(platform(), ASKED, async (actionToken) => {
      await platform().call(contract.threedsFrame.cancel, { body: { actionToken } })
      return { outcome: 'cancelled' }
    }),
  })
  expect(await page.pay.withCard()).toEqual({ outcome: 'cancelled' })
  expect(page.order.get()?.status).toBe('open')
})

test('a buyer who cancelled learns it from the platform, also where the page saw no outcome', async () => {
  const page = await filled({
    checkout: checkoutWith(platform(), ASKED, async (actionToken) => {
      await platform().call(contract.threedsFrame.cancel, { body: { actionToken } })
      throw new Error('The frame was closed.')
    }),
  })
  expect(await page.pay.withCard()).toEqual({ outcome: 'cancelled' })
})

test('a page reloaded in the middle of a challenge continues that payment', async () => {
  const storage = new Map<string, string>()
  const page = await filled({
    storage,
    checkout: checkoutWith(platform(), ASKED, () => Promise.reject(new Error('The page was left.'))),
  })
  expect(await page.pay.withCard()).toMatchObject({ outcome: 'failed', error: { message: 'The page was left.' } })
  const again = localPage(platform(), { storage, checkout: checkoutWith(platform(), ASKED, authenticated) })
  expect(await again.pay.resume()).toMatchObject({ outcome: 'paid' })
  expect(await again.pay.resume()).toBeNull()
  expect(again.receipts.get()).toMatchObject([{ stepId: platform().local.stepId, order: { status: 'paid' } }])
})

/** A page of a funnel that a plugin serves, with an order in euros. */
async function inEuros(
  storage = new Map<string, string>(),
): Promise<{ page: TestPage; reopened: (at: string) => TestPage }> {
  const { local, call } = platform()
  const { pluginId } = await deployPlugin(platform())
  const step = { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' }
  const { id, steps } = await newFunnel(platform(), { steps: [step] })
  const prices = [{ currencyOptions: { EUR: { amount: 800 } } }]
  const body = { storeId: local.storeId, name: 'Mug', variants: [{ name: 'White', prices }] }
  const { productId } = await call(contract.products.create, { body })
  const { variants } = await call(contract.products.get, { params: { productId } })
  const data = { funnel: { id, stepId: steps[0]?.id ?? '' } }
  const page = localPage(platform(), { storage, data })
  await page.session.ready()
  await page.order.setLines([{ variantId: variants[0]?.id ?? '' }], 'EUR')
  return { page, reopened: (address) => localPage(platform(), { storage, data, address }) }
}

test('a method leads the buyer away, and the page that they come back to knows the outcome', async () => {
  for (const [choice, outcome, status] of [
    ['pay', 'paid', 'paid'],
    ['cancel', 'cancelled', 'open'],
  ] as const) {
    const { page, reopened } = await inEuros()
    expect(await page.pay.methods()).toEqual(['card', 'ideal', 'paypal', 'sepa_debit', 'voucher'])
    expect(await page.pay.withMethod({ type: 'ideal' })).toMatchObject({ outcome: 'pending' })
    const [bank = ''] = page.environment.visited
    const left = await fetch(bank, { method: 'POST', body: new URLSearchParams({ choice }), redirect: 'manual' })
    const back = await fetch(left.headers.get('location') ?? '', { redirect: 'manual' })
    const again = reopened(back.headers.get('location') ?? '')
    expect(await again.pay.resume()).toMatchObject({ outcome })
    expect(again.order.get()?.status).toBe(status)
    expect(again.environment.location.href).not.toContain('paymentId')
    expect(await again.pay.resume()).toBeNull()
  }
})

test('a buyer who comes back without having decided can be led there again', async () => {
  const { page, reopened } = await inEuros()
  await page.pay.withMethod({ type: 'ideal' })
  const again = reopened(page.environment.location.href)
  expect(await again.pay.resume()).toMatchObject({ outcome: 'pending', payment: { paymentMethod: { type: 'ideal' } } })
  expect(again.environment.visited).toEqual([])
  await again.pay.withMethod({ type: 'ideal' })
  expect(again.environment.visited).toEqual(page.environment.visited)
})

test('a voucher is pending, and its code is in the session', async () => {
  const { page } = await inEuros()
  const outcome = await page.pay.withMethod({ type: 'voucher' })
  expect(outcome).toMatchObject({
    outcome: 'pending',
    payment: { paymentMethod: { voucher: { url: expect.any(String) } } },
  })
  expect(page.session.get().view?.payment?.paymentMethod.voucher?.code).toMatch(/\d/)
})

test('an incomplete form shows what is missing', async () => {
  const refused = Object.assign(new Error('Type on.'), { code: 'card_incomplete' })
  const whole = checkoutWith(platform())
  const checkout: Checkout = { ...whole, card: () => ({ ...whole.card(), tokenize: () => Promise.reject(refused) }) }
  const page = await filled({ checkout })
  expect(await page.pay.withCard()).toEqual({ outcome: 'incomplete' })
})

test('a lost response is a failure, and paying again finds the outcome', async () => {
  let isCut = false
  const page = await filled({
    fetch: async (url, init) => {
      const answer = await fetch(url, init)
      if (isCut && url.endsWith('/pay')) throw new TypeError('Failed to fetch')
      return answer
    },
  })
  isCut = true
  expect(await page.pay.withCard()).toMatchObject({ outcome: 'failed', error: { code: 'network_failed' } })
  isCut = false
  expect(await page.pay.withCard()).toMatchObject({ outcome: 'paid' })
  const { sessionId } = await page.session.ready()
  const rows = await platform().services.db.read('SELECT id FROM payments WHERE funnel_session_id = ?', [sessionId])
  expect(rows).toHaveLength(1)
})

test('without a checkout or a card form, payments fail with the reason', async () => {
  const page = localPage(platform())
  await page.order.add({ variantId: await firstVariant(platform()) })
  await expect(page.pay.mount('#card')).rejects.toMatchObject({ code: 'checkout_unavailable' })
  expect(await page.pay.withCard()).toMatchObject({ outcome: 'failed', error: { code: 'checkout_unavailable' } })
})

test("an offer is paid with the session's card, once per step, and each order has its receipt", async () => {
  const storage = new Map<string, string>()
  const page = await filled({ storage })
  await page.pay.withCard()
  const { step } = await page.next()
  const variantId = await firstVariant(platform())
  const offer = [{ variantId }]
  const shown = { amount: 2_400, currency: 'USD' }
  const [one, other] = await Promise.all([page.pay.oneClick(offer, shown), page.pay.oneClick(offer, shown)])
  expect(one).toMatchObject({ outcome: 'paid' })
  expect(other).toBe(one)
  const again = localPage(platform(), { storage })
  expect(await again.pay.oneClick(offer, shown)).toEqual(one)
  expect(again.receipts.get().map(({ stepId, order }) => [stepId, order.lines[0]?.quantity])).toEqual([
    [platform().local.stepId, 2],
    [step?.id, 1],
  ])
})

test('an offer whose price differs from the button is not taken', async () => {
  const page = await filled()
  await page.pay.withCard()
  await page.next()
  const offer = [{ variantId: await firstVariant(platform()) }]
  for (const shown of [
    { amount: 2_399, currency: 'USD' },
    { amount: 2_400, currency: 'EUR' },
  ]) {
    expect(await page.pay.oneClick(offer, shown)).toMatchObject({
      outcome: 'failed',
      error: { code: 'state_conflict' },
    })
  }
  expect(page.receipts.get()).toHaveLength(1)
})
