import { contract } from '@tillwright/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginSession, buyersPage, inNewStore } from '../test/buyer-session.ts'
import { newFunnel } from '../test/new-funnel.ts'
import { deployPlugin } from '../test/plugins/deploy-plugin.ts'
import { ruleEngines, sharedPlatform, SHOP_URL } from '../test/test-platform.ts'

// The attacker has a script in a page of a shop, and with it its publishable key and the token of a session. They want buyers
// to come back from a method's page to a page of theirs, to see or move payments of others, and to pay with what the
// merchant does not take, or cannot charge again.

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const evil = 'https://evil.example/thanks'
  let shop: { funnelId: string; url: string; variantId: string; monthlyId: string }

  beforeAll(async () => {
    const { call, local } = platform()
    const { url, pluginId } = await deployPlugin(platform())
    const step = { type: 'checkout', name: 'Checkout', path: '/checkout', pluginId, pageId: 'checkout' }
    const { id: funnelId } = await newFunnel(platform(), { steps: [step] })
    const currencyOptions = { USD: { amount: 900 }, EUR: { amount: 800 } }
    const variants = [
      { name: 'White', prices: [{ currencyOptions }] },
      { name: 'Every month', prices: [{ currencyOptions, recurring: true, interval: 'month' as const, trialDays: 7 }] },
    ]
    const made = await call(contract.products.create, { body: { storeId: local.storeId, name: 'Mug', variants } })
    const product = await call(contract.products.get, { params: { productId: made.productId } })
    const [variantId = '', monthlyId = ''] = product.variants.map(({ id }) => id)
    shop = { funnelId, url, variantId, monthlyId }
  })

  async function filled({ currency = 'EUR', variantId = shop.variantId } = {}) {
    const { token } = await beginSession(platform(), { funnelId: shop.funnelId })
    const page = await buyersPage(platform(), token)
    const session = await page.call(contract.session.setLines, {
      body: { currency, lines: [{ variantId, quantity: 1 }] },
    })
    const { amount: expectedAmount } = session.order
    const pay = (paymentMethod: object, change: object = {}) =>
      page.send('POST', '/pay', { body: { paymentMethod, expectedAmount, expectedCurrency: currency, ...change } })
    return { ...page, pay }
  }

  test('no page says where its buyer comes back to', async () => {
    const forged = { returnUrl: evil, url: evil, nextAction: { type: 'redirect', url: evil } }
    const headers = { Origin: 'https://evil.example', Referer: evil }
    const { pay, send, session } = await filled()
    expect((await pay({ type: 'ideal', returnUrl: evil }, forged)).error.code).toBe('parameter_invalid')
    const answer = await send('POST', '/pay', {
      headers,
      body: { paymentMethod: { type: 'ideal' }, expectedAmount: 800, expectedCurrency: 'EUR', ...forged },
    })
    const { id, nextAction } = contract.session.pay.response.parse(answer.body)
    expect(answer.text + session.sessionId).not.toContain('evil')
    const { returnUrl } = await platform().call(contract.payments.get, { params: { paymentId: id } })
    expect(returnUrl).toBe(`${shop.url}/checkout`)
    const bank = nextAction?.type === 'redirect' ? nextAction.url : ''
    const body = new URLSearchParams({ choice: 'cancel', returnUrl: evil })
    const left = await fetch(bank, { method: 'POST', body, redirect: 'manual' })
    const returning = new URL(left.headers.get('location') ?? '')
    returning.searchParams.set('returnUrl', evil)
    const back = await fetch(returning, { redirect: 'manual' })
    expect(back.headers.get('location')).toBe(`${shop.url}/checkout?paymentId=${id}`)
  })

  test('the payment of another session is not there', async () => {
    const answer = await (await filled()).pay({ type: 'ideal' })
    const { id } = contract.session.pay.response.parse(answer.body)
    const other = await filled()
    const continued = await other.send('POST', `/payments/${id}/continue`)
    expect([continued.status, continued.error.code]).toEqual([404, 'resource_missing'])
    expect((await other.send('GET', '')).text).not.toContain(id)
  })

  test('a method that the flow does not take, and a price that recurs, are refused and leave nothing behind', async () => {
    for (const [order, code] of [
      [{ currency: 'USD' }, 'no_eligible_processor'],
      [{ variantId: shop.monthlyId }, 'parameter_invalid'],
    ] as const) {
      const { pay, call } = await filled(order)
      expect((await pay({ type: 'voucher' })).error.code).toBe(code)
      const { payment, order: after } = await call(contract.session.get, {})
      expect([payment, after.status]).toEqual([null, 'open'])
    }
  })

  test('an amount that the buyer did not see is not taken, nor two ways at once', async () => {
    const { pay } = await filled()
    for (const change of [{ expectedAmount: 1 }, { expectedCurrency: 'USD' }]) {
      expect((await pay({ type: 'ideal' }, change)).error.code).toBe('state_conflict')
    }
    expect((await pay({ type: 'ideal' }, { serviceToken: 'tok_visa' })).status).toBe(400)
  })

  test('a store’s methods are for pages with its key only, and no other store’s are in them', async () => {
    const other = await inNewStore(platform())
    const { path } = contract.session.findMethods
    const body = { storeId: other.local.storeId, currency: 'EUR', amount: 800 }
    const { publishableKey: key } = other.local
    const ask = (sent: object) => platform().request('POST', path, { body, ...sent })
    const origin = { Origin: SHOP_URL }
    expect((await ask({ key, headers: origin })).status).toBe(200)
    expect((await ask({ key, headers: { Origin: 'https://evil.example' } })).status).toBeGreaterThanOrEqual(401)
    expect((await ask({ key: '', headers: origin })).status).toBe(401)
    const foreign = await inNewStore(platform())
    const refused = await ask({ key: foreign.local.publishableKey, headers: origin })
    expect(refused.error.code).toBe('resource_missing')
  })
})
