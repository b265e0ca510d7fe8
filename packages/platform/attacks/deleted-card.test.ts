import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { codeToken, encryptedCard, encryptedCode, newInstrument, pay, requestPayment } from '../test/pay-with-card.ts'
import { subscribe } from '../test/subscribe.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

// The attacker holds a secret key of a shop, and all that ever passed its page: the message of a card form, the service
// token, the token of a security code, ids. A buyer had the card deleted; the attacker wants to charge it again, or to
// see whose it was. Another attacker holds the key of another account and deletes cards that are not its own.

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const pathOf = (id: string) => `/api/payments/v1/payment-instruments/${id}`
  const CREATE = contract.paymentInstruments.createFromToken.path

  test('nothing that led to a deleted card leads to it again', async () => {
    const { call, request, vaultRequest, local } = platform()
    const { storeId } = local
    const jwe = await encryptedCard(platform())
    const { serviceToken } = await call(contract.vault.createToken, { body: { jwe } })
    const customerData = { email: `deleted-${engine}@example.com` }
    const { paymentInstrument } = await call(contract.paymentInstruments.createFromToken, {
      body: { serviceToken, storeId, customerData },
    })
    const { id: paymentInstrumentId, customerId } = paymentInstrument
    const payment = await pay(platform(), paymentInstrumentId)
    const securityCodeToken = await codeToken(platform(), paymentInstrumentId)
    const sealedCode = await encryptedCode(platform(), paymentInstrumentId)
    const subscription = await subscribe(platform())
    expect((await request('DELETE', pathOf(paymentInstrumentId))).status).toBe(200)

    const threeds = { storeId, paymentInstrumentId, provider: 'vendor_a' }
    const subscriptionPath = `/api/payments/v1/subscriptions/${subscription.id}/update`
    const refusals = [
      await requestPayment(platform(), { paymentInstrumentId }),
      await requestPayment(platform(), { paymentInstrumentId, securityCodeToken }),
      await request('GET', `/api/public/v1/payment-instruments/${paymentInstrumentId}`),
      await request('DELETE', pathOf(paymentInstrumentId)),
      await request('POST', contract.threeds.createSession.path, { body: threeds }),
      await request('POST', subscriptionPath, { body: { paymentInstrumentId } }),
      await vaultRequest('POST', contract.vault.createSecurityCode.path, { body: { jwe: sealedCode } }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404))
    const again = await request('POST', CREATE, { body: { serviceToken, storeId, customerData } })
    expect([again.status, again.error.code]).toEqual([400, 'token_invalid'])
    const sentAgain = await vaultRequest('POST', contract.vault.createToken.path, { body: { jwe } })
    expect([sentAgain.status, sentAgain.error.code]).toEqual([400, 'token_used'])
    for (const query of [{ customerId }, { q: paymentInstrumentId }, { customerId, q: 'visa 4242' }])
      expect((await call(contract.paymentInstruments.list, { query })).data).toEqual([])
    const paid = await call(contract.payments.list, { query: { customerId } })
    expect(paid.data.map(({ id }) => id)).toEqual([payment.id])
  })

  test('the key of another account, and a role without the scope, delete no card', async () => {
    const instrument = await newInstrument(platform())
    const other = await platform().addAccount()
    const foreign = await platform().request('DELETE', pathOf(instrument.id), { key: other.apiKey })
    expect([foreign.status, foreign.error.code]).toEqual([404, 'resource_missing'])
    expect((await pay(platform(), instrument.id)).status).toBe('succeeded')
  })

  test('of deletions at once one deletes, and a payment at the same time has an end that its client learns', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => platform().request('DELETE', pathOf(paymentInstrumentId))),
      requestPayment(platform(), { paymentInstrumentId }),
      requestPayment(platform(), { paymentInstrumentId }),
    ])
    expect(
      answers
        .slice(0, 3)
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual([200, 404, 404])
    for (const answer of answers.slice(3)) {
      if (answer.status === 201) continue // won: it has no error to read
      expect([
        [404, 'resource_missing'],
        [402, 'card_declined'],
      ]).toContainEqual([answer.status, answer.error.code])
    }
    const { data } = await platform().call(contract.payments.list, { query: { status: 'processing' } })
    expect(data).toEqual([])
    const cards = await platform().services.db.read(
      'SELECT 1 AS kept FROM payment_instruments WHERE account_id = ? AND id = ?',
      [platform().local.accountId, paymentInstrumentId],
    )
    expect(cards).toEqual([])
  })

  test('the record of a deletion names the card and holds nothing secret of it', async () => {
    const { services, local, request } = platform()
    const { id } = await newInstrument(platform())
    const held = `SELECT c.sealed_card, c.sealed_key, c.fingerprint FROM cards c JOIN payment_instruments i
      ON i.account_id = c.account_id AND i.card_id = c.id WHERE i.account_id = ? AND i.id = ?`
    const [card] = await services.db.read(held, [local.accountId, id])
    await request('DELETE', pathOf(id))
    const sql = 'SELECT changes FROM audit_entries WHERE account_id = ? AND resource_id = ? AND operation = ?'
    const [entry] = await services.db.read(sql, [local.accountId, id, 'paymentInstruments.delete'])
    const changes = String(entry?.['changes'])
    expect(JSON.parse(changes)).toMatchObject({ before: { id, brand: 'visa', last4: '4242' } })
    for (const secret of Object.values(card ?? {})) expect(changes).not.toContain(String(secret))
  })
})
