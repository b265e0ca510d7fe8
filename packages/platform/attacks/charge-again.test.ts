import { contract, type FunnelStep, type SessionPayment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { beginSession, type BuyersPage, codeOf, filledPage, payPage, takenOver } from '../test/buyer-session.ts'
import { newFunnel } from '../test/new-funnel.ts'
import { newCode, newPromotion } from '../test/new-promotion.ts'
import { codeToken } from '../test/pay-with-card.ts'
import type { Answer } from '../test/send-request.ts'
import { firstVariant } from '../test/session-requests.ts'
import { recurringVariant } from '../test/subscribe.ts'
import { sharedPlatform } from '../test/test-platform.ts'
import { authenticateWaiting, threedsActionOf } from '../test/threeds-payment.ts'

// The attacker holds the token of a session in which a buyer has paid: by a script in a page of the store, or at the
// buyer's computer. They want to be paid again with the buyer's card, which they do not have.

const platform = sharedPlatform()
const refusal = ({ status, error }: Answer) => [status, error.code, error.param]
const paymentOf = ({ body }: Answer): SessionPayment => contract.session.pay.response.parse(body)
const MINE = { line1: '12 Weaver Street', city: 'Dublin', country: 'IE' }

/** A variant that the store sells, and that no step offers. */
async function otherVariant(): Promise<string> {
  const prices = [{ currencyOptions: { USD: { amount: 900, currency: 'USD' } } }]
  const body = { name: 'Mug', storeId: platform().local.storeId, variants: [{ name: 'Mug', prices }] }
  const { productId } = await platform().call(contract.products.create, { body })
  const { variants } = await platform().call(contract.products.get, { params: { productId } })
  return variants[0]?.id ?? ''
}

/** A buyer who has paid two units for 48.00 at the checkout, and is at the upsell behind it. */
async function atUpsell(offer: FunnelStep['offer'] = null): Promise<BuyersPage & { card: string }> {
  const steps = [
    { type: 'checkout', name: 'Checkout', path: '/checkout' },
    { type: 'upsell', name: 'More', path: '/more', offer },
    { type: 'thank_you', name: 'Thanks', path: '/thanks' },
  ]
  const { id: funnelId } = await newFunnel(platform(), { steps })
  const { token } = await beginSession(platform(), { funnelId })
  const page = await filledPage(platform(), { token })
  await page.call(contract.session.setContact, { body: { email: 'ada@example.com' } })
  await page.call(contract.session.setAddress, { body: { shippingAddress: MINE } })
  const { paymentInstrumentId } = paymentOf(await payPage(platform(), page))
  const card = paymentInstrumentId ?? ''
  await page.call(contract.session.next, { body: { stepId: page.session.step?.id ?? '' } })
  return { ...page, card }
}

/** Asks for so many units, and for the card to be charged with what they cost unless said otherwise. */
async function charge(
  page: BuyersPage & { card: string },
  quantity: number,
  change: { headers?: Record<string, string>; body?: object } = {},
): Promise<Answer> {
  const { order } = (await filledPage(platform(), { token: page.token, quantity })).session
  const { amount: expectedAmount, currency: expectedCurrency } = order
  const body = { paymentInstrumentId: page.card, expectedAmount, expectedCurrency, ...change.body }
  return page.send('POST', '/pay', { body, headers: change.headers ?? {} })
}

/** Whether the buyer's bank is asked, with a challenge that it must not skip. */
async function asksBank(answer: Answer): Promise<boolean> {
  const { id, status } = paymentOf(answer)
  const { routing } = await platform().call(contract.payments.get, { params: { paymentId: id } })
  return status === 'requires_action' && routing.challengeMandated
}

test('one click buys what the button has said, and nothing without that or with another sum', async () => {
  const page = await atUpsell()
  expect(refusal(await charge(page, 1, { body: { expectedAmount: undefined } }))).toEqual([
    400,
    'parameter_missing',
    'expectedAmount',
  ])
  expect(refusal(await charge(page, 1, { body: { expectedCurrency: undefined } }))[2]).toBe('expectedCurrency')
  expect(refusal(await charge(page, 1, { body: { expectedAmount: 1 } }))).toEqual([
    409,
    'state_conflict',
    'expectedAmount',
  ])
  expect(refusal(await charge(page, 1, { body: { expectedCurrency: 'EUR' } }))).toEqual([
    409,
    'state_conflict',
    'expectedCurrency',
  ])
  expect(paymentOf(await charge(page, 1))).toMatchObject({ status: 'succeeded', amount: 2_400 })
})

describe('the buyer’s bank is asked', () => {
  test('for more than the buyer has agreed to with that card: 50 units', async () => {
    const page = await atUpsell()
    expect(await asksBank(await charge(page, 50))).toBe(true)
  })

  test('for lines outside of the step’s offer, and for more of them than it offers', async () => {
    const variantId = (await firstVariant(platform())) ?? ''
    expect(await asksBank(await charge(await atUpsell([{ variantId, quantity: 1 }]), 2))).toBe(true)
    expect(await asksBank(await charge(await atUpsell([{ variantId: await otherVariant(), quantity: 1 }]), 1))).toBe(
      true,
    )
    expect(await asksBank(await charge(await atUpsell([]), 1))).toBe(true)
    const offered = await atUpsell([{ variantId, quantity: 3 }])
    expect(paymentOf(await charge(offered, 3))).toMatchObject({ status: 'succeeded', amount: 7_200 })
  })

  test.each([
    ['a trial', { trialDays: 7 }],
    ['a period in arrears', { billingTiming: 'in_arrears' }],
    ['what will be used', { billingTiming: 'usage', currencyOptions: { USD: { amount: 100 } } }],
  ] as const)('for %s that costs nothing now, and more later than the buyer has agreed to', async (_, price) => {
    const variantId = await recurringVariant(platform(), { currencyOptions: { USD: { amount: 120_000 } }, ...price })
    const click = async (page: BuyersPage & { card: string }) => {
      await page.call(contract.session.setLines, { body: { lines: [{ variantId }] } })
      const body = { paymentInstrumentId: page.card, expectedAmount: 0, expectedCurrency: 'USD' }
      return page.send('POST', '/pay', { body })
    }
    expect(await asksBank(await click(await atUpsell()))).toBe(true)
    const offered = await click(await atUpsell([{ variantId, quantity: 1 }]))
    expect(paymentOf(offered)).toMatchObject({ status: 'succeeded', amount: 0 })
  })

  test('for no subscription that costs no more, now and later, than the buyer has agreed to', async () => {
    const price = { currencyOptions: { USD: { amount: 4_800 } }, trialDays: 7 }
    const page = await atUpsell()
    await page.call(contract.session.setLines, {
      body: { lines: [{ variantId: await recurringVariant(platform(), price) }] },
    })
    const body = { paymentInstrumentId: page.card, expectedAmount: 0, expectedCurrency: 'USD' }
    expect(paymentOf(await page.send('POST', '/pay', { body }))).toMatchObject({ status: 'succeeded', amount: 0 })
  })

  test('for a subscription whose first period is cheap alone', async () => {
    const variantId = await recurringVariant(platform(), { currencyOptions: { USD: { amount: 120_000 } } })
    const code = newCode()
    const actions = [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 99 }] as const
    await newPromotion(platform(), { code, actions: [...actions] })
    const page = await atUpsell()
    await page.call(contract.session.setLines, { body: { lines: [{ variantId }] } })
    const { order } = await page.call(contract.session.addPromotionCode, { body: { code } })
    const body = { paymentInstrumentId: page.card, expectedAmount: order.amount, expectedCurrency: 'USD' }
    expect([order.amount, await asksBank(await page.send('POST', '/pay', { body }))]).toEqual([1_200, true])
  })

  test('for lines that are split so that each is within the offer', async () => {
    const variantId = (await firstVariant(platform())) ?? ''
    const page = await atUpsell([{ variantId, quantity: 1 }])
    const lines = [{ variantId }, { variantId }]
    const { order } = await page.call(contract.session.setLines, { body: { lines } })
    const body = { paymentInstrumentId: page.card, expectedAmount: order.amount, expectedCurrency: 'USD' }
    expect(await asksBank(await page.send('POST', '/pay', { body }))).toBe(true)
  })

  test('for a second purchase at the same step, and back at the checkout', async () => {
    const page = await atUpsell()
    await charge(page, 1)
    expect(await asksBank(await charge(page, 1))).toBe(true)
    const atCheckout = await filledPage(platform())
    const { paymentInstrumentId } = paymentOf(await payPage(platform(), atCheckout))
    const card = paymentInstrumentId ?? ''
    expect(await asksBank(await charge({ ...atCheckout, card }, 1))).toBe(true)
  })

  test.each([
    ['the shipping address', '/address', { shippingAddress: { ...MINE, line1: '1 Attacker Street' } }],
    ['the billing address', '/address', { billingAddress: MINE }],
    ['the e-mail address', '/contact', { email: 'mallory@example.com' }],
  ])('once %s is another one', async (_, path, body) => {
    const page = await atUpsell()
    expect((await page.send('PUT', path, { body })).status).toBe(200)
    expect(await asksBank(await charge(page, 1))).toBe(true)
  })

  test('once the session goes on at another device, but not on another origin in the same browser', async () => {
    const headers = { 'User-Agent': 'Another browser' }
    const stolen = await atUpsell()
    const there = { ...(await takenOver(platform(), await codeOf(stolen))), card: stolen.card }
    expect(await asksBank(await charge(there, 1, { headers }))).toBe(true)
    const own = await atUpsell()
    const next = { ...(await takenOver(platform(), await codeOf(own))), card: own.card }
    expect(paymentOf(await charge(next, 1)).status).toBe('succeeded')
  })
})

test('a challenge that is not passed charges nothing, and leaves the card as doubtful as it was', async () => {
  const page = await atUpsell()
  const waiting = paymentOf(await charge(page, 50))
  const { actionToken } = threedsActionOf(waiting)
  await platform().call(contract.threedsFrame.cancel, { body: { actionToken } })
  const ended = await page.send('POST', `/payments/${waiting.id}/continue`)
  expect([ended.status, ended.error.code]).toEqual([402, 'authentication_required'])
  expect(await asksBank(await charge(page, 50))).toBe(true)
})

test('the holder of the card is charged once the bank has authenticated them, or with the security code', async () => {
  const page = await atUpsell()
  const { id: paymentId, nextAction } = paymentOf(await charge(page, 50))
  await authenticateWaiting(platform(), { actionToken: threedsActionOf({ nextAction }).actionToken })
  expect(await page.call(contract.session.continuePayment, { params: { paymentId } })).toMatchObject({
    status: 'succeeded',
    amount: 120_000,
  })
  const other = await atUpsell()
  const securityCodeToken = await codeToken(platform(), other.card)
  expect(paymentOf(await charge(other, 50, { body: { securityCodeToken } })).status).toBe('succeeded')
})

test('the security code of one purchase is not good for another', async () => {
  const page = await atUpsell()
  const securityCodeToken = await codeToken(platform(), page.card)
  await charge(page, 50, { body: { securityCodeToken } })
  expect(refusal(await charge(page, 50, { body: { securityCodeToken } }))).toEqual([
    400,
    'token_used',
    'securityCodeToken',
  ])
})

test('a purchase that costs nothing is shown to no bank, and proves nothing of the card: it is had without one', async () => {
  const page = await atUpsell()
  const code = newCode()
  const actions = [{ type: 'OrderPercentageAdjustment', adjustmentPercentage: 100 }] as const
  await newPromotion(platform(), { code, actions: [...actions] })
  await page.call(contract.session.setAddress, { body: { shippingAddress: null } })
  await filledPage(platform(), { token: page.token, quantity: 1 })
  const { order } = await page.call(contract.session.addPromotionCode, { body: { code } })
  const body = { paymentInstrumentId: page.card, expectedAmount: order.amount, expectedCurrency: 'USD' }
  const securityCodeToken = await codeToken(platform(), page.card)
  for (const sent of [body, { ...body, securityCodeToken }]) {
    const answer = await page.send('POST', '/pay', { body: sent })
    expect(refusal(answer)).toEqual([402, 'authentication_required', 'paymentMethod'])
  }
  const { paymentInstrumentId: _, ...none } = { ...body, paymentMethod: { type: 'none' } }
  expect(paymentOf(await page.send('POST', '/pay', { body: none })).status).toBe('succeeded')
})
