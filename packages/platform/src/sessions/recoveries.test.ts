import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { removeHook, startMerchant } from '../../test/merchant-server.ts'
import { serviceToken } from '../../test/pay-with-card.ts'
import { buySubscription, recurringVariant } from '../../test/subscribe.ts'
import { ruleEngines, sharedPlatform } from '../../test/test-platform.ts'
import { authenticateWaiting, newWaitingPayment, resultOf, threedsActionOf } from '../../test/threeds-payment.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Its issuer wants the buyer, whatever the request, and asks for a code. */
const SOFT_DECLINING = '4000002760003184'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (subscriptionId: string) => platform().call(contract.subscriptions.get, { params: { subscriptionId } })

  /** A page of the API's own origin. */
  async function page(url: string) {
    const { pathname, hash } = new URL(url)
    const html = await (await fetch(new URL(pathname, platform().apiUrl))).text()
    const key = /"publishableKey":"([^"]+)"/.exec(html)?.[1] ?? ''
    const token = hash.slice(1)
    const ask = (step: string, more: object = {}) =>
      platform().request('POST', `/api/session/v1/recoveries/${step}`, {
        key,
        headers: { Origin: new URL(platform().apiUrl).origin },
        body: { token, ...more },
      })
    return { ask, html }
  }

  /** A subscription whose renewal its issuer has declined because it wants the buyer. */
  async function declined(): Promise<{ subscriptionId: string; customerId: string; url: string }> {
    const lines = [{ variantId: await recurringVariant(platform()), quantity: 1 }]
    const waiting = await newWaitingPayment(platform(), { number: SOFT_DECLINING, amount: undefined, lines })
    await challenge(waiting.payment)
    const params = { paymentId: waiting.payment.id }
    const first = await platform().call(contract.payments.continue, { params })
    const subscriptionId = first.subscriptions[0]?.subscriptionId ?? ''
    platform().clock.advance(32 * DAY_MS)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(subscriptionId)).status), { timeout: 60_000 })
      .toBe('past_due')
    const [told, ...more] = await propertiesOf('s_subscription_action_required', subscriptionId)
    expect(more).toEqual([])
    return { subscriptionId, customerId: first.customerId, url: told.recoveryUrl }
  }

  /** The properties of its events of a type. */
  async function propertiesOf(type: string, subscriptionId: string) {
    const sql = 'SELECT properties FROM events WHERE event_type = ? AND properties LIKE ?'
    const rows = await platform().services.db.read(sql, [type, `%${subscriptionId}%`])
    return rows.map(({ properties }) => JSON.parse(String(properties)))
  }

  /** The buyer proves who they are. */
  async function challenge({ nextAction }: Pick<Payment, 'nextAction'>): Promise<void> {
    await authenticateWaiting(platform(), threedsActionOf({ nextAction }))
    await platform().receiveThreedsResult(await resultOf(platform(), threedsActionOf({ nextAction }).sessionId))
  }

  test('a renewal whose issuer wants the buyer is paid by a link, and the subscription goes on with what was agreed anew', async () => {
    const { subscriptionId, url } = await declined()
    const before = await read(subscriptionId)
    const { ask } = await page(url)
    const opened = contract.recoveries.read.response.parse((await ask('read')).body)
    expect(opened).toMatchObject({ state: 'open', amount: 1_500, card: { last4: '3184' }, payment: null })
    const waiting = contract.recoveries.pay.response.parse((await ask('pay')).body)
    expect(waiting).toMatchObject({ state: 'waiting', payment: { requireAction: 'threeds_auth' } })
    expect((await ask('read')).body).toMatchObject({ state: 'waiting' }) // a page that was loaded again goes on
    expect((await ask('pay')).error.code).toBe('state_conflict')
    await challenge({ nextAction: waiting.payment?.nextAction ?? null })
    expect((await ask('continue')).body).toMatchObject({ state: 'paid' })
    const after = await read(subscriptionId)
    expect(after).toMatchObject({ status: 'active', currentPeriodStart: before.currentPeriodEnd })
    expect((await ask('read')).body).toMatchObject({ state: 'paid', amount: 0 })
    expect((await ask('pay')).error.code).toBe('state_conflict')
  })

  test('the page shows what is charged, with the tax that the merchant’s server answers', async () => {
    const { subscriptionId, url } = await declined()
    const { productId } = await read(subscriptionId)
    const taxable = { revision: 1, isTaxable: true }
    await platform().call(contract.products.update, { params: { productId }, body: taxable })
    const { ask } = await page(url)
    await startMerchant(platform(), { kinds: ['tax'] }, () => ({
      json: { taxes: [{ line: 0, amount: 285, name: 'VAT 19 %' }] },
    }))
    expect((await ask('read')).body).toMatchObject({ state: 'open', amount: 1_785 })
    const paying = contract.recoveries.pay.response.parse((await ask('pay')).body)
    expect(paying).toMatchObject({ state: 'waiting', amount: 1_785 })
    expect((await ask('read')).body).toMatchObject({ state: 'waiting', amount: 1_785 })
    await challenge({ nextAction: paying.payment?.nextAction ?? null })
    expect((await ask('continue')).body).toMatchObject({ state: 'paid', amount: 1_785 })
    await removeHook(platform(), 'tax')
  })

  test('a buyer who was shown the amount without a tax that is answered again by now is not charged', async () => {
    const { subscriptionId, url } = await declined()
    const { productId } = await read(subscriptionId)
    const taxable = { revision: 1, isTaxable: true }
    await platform().call(contract.products.update, { params: { productId }, body: taxable })
    const { ask } = await page(url)
    let works = false
    await startMerchant(platform(), { kinds: ['tax'], onFailure: 'continue' }, () =>
      works ? { json: { taxes: [{ line: 0, amount: 285, name: 'VAT 19 %' }] } } : { status: 503 },
    )
    const { amount } = contract.recoveries.read.response.parse((await ask('read')).body)
    expect(amount).toBe(1_500)
    works = true
    const refused = await ask('pay', { expectedAmount: amount })
    expect([refused.status, refused.error.code, refused.error.param]).toEqual([409, 'state_conflict', 'expectedAmount'])
    expect((await ask('read')).body).toMatchObject({ state: 'open', amount: 1_785, payment: null })
    expect((await ask('pay', { expectedAmount: 1_785 })).body).toMatchObject({ state: 'waiting', amount: 1_785 })
    await removeHook(platform(), 'tax')
  })

  test('another card pays the period, and later ones', async () => {
    const { subscriptionId, customerId, url } = await declined()
    const before = await read(subscriptionId)
    const { ask } = await page(url)
    const waiting = contract.recoveries.pay.response.parse(
      (await ask('pay', { serviceToken: await serviceToken(platform()) })).body,
    )
    await challengeless(waiting.payment?.nextAction ?? null)
    expect((await ask('continue')).body).toMatchObject({ state: 'paid' })
    const after = await read(subscriptionId)
    expect(after.status).toBe('active')
    const { paymentInstrumentId } = after
    expect(paymentInstrumentId).not.toBe(before.paymentInstrumentId)
    expect(await propertiesOf('s_subscription_renewed', subscriptionId)).toMatchObject([{ paymentInstrumentId }])
    const { data } = await platform().call(contract.paymentInstruments.list, { query: { customerId } })
    expect(data.find(({ id }) => id === paymentInstrumentId)?.consent).toMatchObject({ usage: 'off_session' })
    platform().clock.advance(32 * DAY_MS)
    await expect
      .poll(async () => (platform().clock.advance(5_001), (await read(subscriptionId)).currentPeriodStart), {
        timeout: 60_000,
      })
      .toBe(after.currentPeriodEnd)
  })

  /** An issuer that asks for nothing. */
  const challengeless = (nextAction: Payment['nextAction']) =>
    authenticateWaiting(platform(), threedsActionOf({ nextAction }))

  test('a card that is declined by the link changes nothing of when the schedule tries again', async () => {
    const { subscriptionId, url } = await declined()
    const before = await read(subscriptionId)
    const { ask } = await page(url)
    const typed = await serviceToken(platform(), '4000000000009995')
    const { payment } = contract.recoveries.pay.response.parse((await ask('pay', { serviceToken: typed })).body)
    await challengeless(payment?.nextAction ?? null)
    expect((await ask('continue')).error.code).toBe('insufficient_funds')
    const { nextPaymentAt, status, paymentInstrumentId } = before
    expect(await read(subscriptionId)).toMatchObject({ nextPaymentAt, status, paymentInstrumentId })
    expect((await ask('read')).body).toMatchObject({ state: 'open', card: { last4: '3184' } })
  })

  test('a link to a subscription that was paused meanwhile says so, and pays when it goes on', async () => {
    const { subscriptionId, url } = await declined()
    const { ask } = await page(url)
    const params = { subscriptionId }
    await platform().call(contract.subscriptions.pause, { params })
    expect((await ask('read')).body).toMatchObject({ state: 'paused', amount: 0 })
    const refused = await ask('pay')
    expect([refused.error.code, refused.error.message]).toEqual([
      'state_conflict',
      expect.stringContaining('is paused'),
    ])
    await platform().call(contract.subscriptions.resume, { params })
    expect((await ask('read')).body).toMatchObject({ state: 'open', amount: 1_500 })
  })

  test('one that was cancelled while its buyer tried to pay has nothing to pay any more', async () => {
    const { subscriptionId, customerId, url } = await declined()
    const { ask } = await page(url)
    const typed = await serviceToken(platform(), '4000000000009995')
    const { payment } = contract.recoveries.pay.response.parse((await ask('pay', { serviceToken: typed })).body)
    await platform().call(contract.subscriptions.cancel, { params: { subscriptionId }, body: {} })
    expect((await ask('read')).body).toMatchObject({ state: 'waiting', amount: 1_500 })
    await challengeless(payment?.nextAction ?? null)
    expect((await ask('continue')).error.code).toBe('insufficient_funds')
    expect(await read(subscriptionId)).toMatchObject({
      status: 'past_due',
      cancelAtPeriodEnd: true,
      nextPaymentAmount: 0,
    })
    expect((await ask('read')).body).toMatchObject({ state: 'ended', amount: 0 })
    expect((await ask('pay')).error.code).toBe('state_conflict')
    const link = await platform().request('POST', `/api/payments/v1/subscriptions/${subscriptionId}/recovery-link`)
    expect([link.status, link.error.code]).toEqual([409, 'state_conflict'])
    const { data } = await platform().call(contract.payments.list, { query: { customerId } })
    expect(data.map(({ status }) => status)).toEqual(['declined', 'declined', 'succeeded'])
  })

  test('a link is good for its own subscription and store, and not for ever', async () => {
    const { subscriptionId, url } = await declined()
    const { ask } = await page(url)
    expect((await ask('read', { token: `${new URL(url).hash.slice(1)}x` })).error.code).toBe('token_invalid')
    const other = await platform().request('POST', '/api/session/v1/recoveries/read', {
      key: platform().local.publishableKey,
      headers: { Origin: 'https://elsewhere.example' },
      body: { token: new URL(url).hash.slice(1) },
    })
    expect(other.status).toBe(401)
    const params = { subscriptionId }
    const made = await platform().call(contract.subscriptions.createRecoveryLink, { params })
    expect((await (await page(made.url)).ask('read')).body).toMatchObject({ state: 'open' })
    const query = { operation: 'subscriptions.createRecoveryLink' }
    const { data: entries } = await platform().call(contract.audit.list, { query })
    expect(entries).toMatchObject([
      { resourceId: subscriptionId, changes: { after: { linkExpiresAt: made.expiresAt } } },
    ])
    expect(JSON.stringify(entries)).not.toContain(new URL(made.url).hash.slice(1))
    platform().clock.advance(31 * DAY_MS)
    expect((await ask('read')).error.code).toBe('token_expired')
  })

  test('there is no link where nothing is past due', async () => {
    const payment = await buySubscription(platform())
    const id = payment.subscriptions[0]?.subscriptionId ?? ''
    const answer = await platform().request('POST', `/api/payments/v1/subscriptions/${id}/recovery-link`)
    expect([answer.status, answer.error.code]).toEqual([409, 'state_conflict'])
  })

  test('the page speaks five languages and holds no token; one of a store that there is not is not found', async () => {
    const { storeId, accountId } = platform().local
    const address = `${platform().apiUrl}/recover/${accountId}/${storeId}`
    const titles = new Set<string>()
    for (const lang of ['en', 'de', 'fr', 'es', 'ar']) {
      const html = await (await fetch(address, { headers: { 'Accept-Language': `${lang}-XX, en;q=0.5` } })).text()
      expect(html).toContain(`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">`)
      titles.add(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '')
    }
    expect(titles.size).toBe(5)
    expect((await fetch(`${platform().apiUrl}/recover/${accountId}/store_none`)).status).toBe(404)
  })
})
