import { contract } from '@tillwright/contract'
import { describe, expect, it } from 'vitest'
import {
  codeToken,
  encryptedCard,
  encryptedCode,
  encryptedForm,
  newInstrument,
  requestPayment,
  serviceToken,
} from '../../test/pay-with-card.ts'
import { newFlow } from '../../test/payments/new-flow.ts'
import { payThrough } from '../../test/payments/pay-through.ts'
import { scriptedDrivers } from '../../test/payments/scripted-drivers.ts'
import { secondAccount } from '../../test/second-account.ts'
import { ruleTest, sharedPlatform, testableEngines, type TestPlatform } from '../../test/test-platform.ts'
import { testCodes } from '../../test/vault/test-codes.ts'
import { revokeApiKey } from '../accounts/api-keys.ts'
import { commit } from '../http/operations/commit.ts'
import { keepCode, takeCode, verifySecurityCodeToken } from '../vault/sealed-codes.ts'

describe.each(testableEngines())('on %s', (engine) => {
  const test = ruleTest(engine)
  const platform = sharedPlatform({ engine })
  const sendCode = (jwe: string, shop = platform()) =>
    shop.vaultRequest('POST', contract.vault.createSecurityCode.path, { body: { jwe } })

  test('a saved card is paid with its security code, once', async () => {
    const { id } = await newInstrument(platform())
    const answer = await sendCode(await encryptedCode(platform(), id))
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      securityCodeToken: expect.stringMatching(/^[\w-]+$/),
      paymentInstrumentId: id,
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2040, funding: 'credit' },
      expiresAt: new Date(platform().clock.now() + 15 * 60_000).toISOString(),
    })
    const { securityCodeToken } = contract.vault.createSecurityCode.response.parse(answer.body)
    const pay = () => requestPayment(platform(), { paymentInstrumentId: id, securityCodeToken })
    expect((await pay()).status).toBe(201)
    expect((await pay()).error).toMatchObject({ code: 'token_used', param: 'securityCodeToken' })
  })

  test('the code that waits under the id of its token is what the processor gets, in that payment alone', async () => {
    const { services, clock, local } = platform()
    const { flow, processorIds } = await newFlow(platform(), 0)
    const scripts = processorIds.map((processor) => [processor, { outcome: 'succeeded', reference: 'ref' }] as const)
    const { driverOf, sent } = scriptedDrivers(new Map(scripts))
    const { id } = await newInstrument(platform())
    const securityCodeToken = await codeToken(platform(), id)
    const { jti: codeId } = verifySecurityCodeToken(securityCodeToken, services.secrets, clock.now())
    const codes = testCodes(services)
    const { accountId } = local
    const [row] = await services.db.read('SELECT card_id FROM payment_instruments WHERE id = ?', [id])
    const sealed = await codes.seal('987', { accountId, cardId: String(row?.['card_id']) })
    const place = { accountId, codeId }
    const typedWithCard = takeCode({ accountId, codeId: String(row?.['card_id']) })
    await commit([typedWithCard, takeCode(place), keepCode(place, sealed)], services)
    for (const code of [{}, { securityCodeToken }, {}]) {
      const key = `code-${engine}-${sent.length}`
      const order = { paymentFlowId: flow.id, ...code }
      expect((await payThrough({ ...platform(), driverOf, codes, paymentInstrumentId: id, key, order })).status).toBe(
        201,
      )
    }
    expect(sent.map(({ method }) => (method.type === 'card' ? method.card : null))).toMatchObject([
      { cvc: null },
      { cvc: '987' },
      { cvc: null },
    ])
    expect(
      await services.db.read('SELECT id FROM security_codes WHERE account_id = ? AND id = ?', [accountId, codeId]),
    ).toEqual([])
  })

  it('of many payments at once with one security code one is made, and no other leaves anything behind', async () => {
    const { id } = await newInstrument(platform())
    const securityCodeToken = await codeToken(platform(), id)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => requestPayment(platform(), { paymentInstrumentId: id, securityCodeToken })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status, text }) => status === 400 && text.includes('token_used'))).toHaveLength(7)
    const made = await platform().services.db.read('SELECT id FROM payments WHERE payment_instrument_id = ?', [id])
    expect(made).toHaveLength(1)
  })

  test('a security code pays with its own card alone, within 15 minutes, in its own account', async () => {
    const [one, other] = [await newInstrument(platform()), await newInstrument(platform())]
    const securityCodeToken = await codeToken(platform(), one.id)
    const pay = (paymentInstrumentId: string) => requestPayment(platform(), { paymentInstrumentId, securityCodeToken })
    expect((await pay(other.id)).error).toMatchObject({ code: 'token_invalid', param: 'securityCodeToken' })
    const stranger = await secondAccount(platform())
    const foreign = await newInstrument(stranger)
    const stolen = await requestPayment(stranger, { paymentInstrumentId: foreign.id, securityCodeToken })
    expect(stolen.error).toMatchObject({ code: 'token_invalid', param: 'securityCodeToken' })
    platform().clock.advance(15 * 60_000)
    expect((await pay(one.id)).error).toMatchObject({ code: 'token_expired', param: 'securityCodeToken' })
  })

  test('an encrypted security code is taken once, and its message is no card’s', async () => {
    const { id } = await newInstrument(platform())
    const jwe = await encryptedCode(platform(), id)
    expect((await sendCode(jwe)).status).toBe(201)
    expect((await sendCode(jwe)).error).toMatchObject({ code: 'token_used', param: 'jwe' })
    expect((await sendCode(await encryptedCard(platform()))).error.code).toBe('token_invalid')
    const asCard = await platform().vaultRequest('POST', contract.vault.createToken.path, {
      body: { jwe: await encryptedCode(platform(), id) },
    })
    expect(asCard.error.code).toBe('token_invalid')
  })

  test('the card of another account does not exist for a form', async () => {
    const stranger = await secondAccount(platform())
    const { id } = await newInstrument(platform())
    const refused = await sendCode(await encryptedCode(stranger, id), stranger)
    expect([refused.status, refused.error.code]).toEqual([404, 'resource_missing'])
  })

  test('a card that is no longer active, and one that has expired, get no token', async () => {
    const { services, local } = platform()
    const { id } = await newInstrument(platform())
    const expire =
      'UPDATE cards SET exp_year = 2028 WHERE account_id = ? AND id = (SELECT card_id FROM payment_instruments WHERE id = ?)'
    await commit([{ sql: expire, params: [local.accountId, id] }], services)
    expect((await sendCode(await encryptedCode(platform(), id))).error).toMatchObject({ code: 'expired_card' })
    const end = 'UPDATE payment_instruments SET is_active = 0 WHERE account_id = ? AND id = ?'
    await commit([{ sql: end, params: [local.accountId, id] }], services)
    expect((await sendCode(await encryptedCode(platform(), id))).status).toBe(404)
  })

  test('a security code is as long as the brand of its card wants it', async () => {
    const visa = await newInstrument(platform())
    const amex = await newAmex(platform())
    const codes = async (id: string, cvc: string) => (await sendCode(await encryptedCode(platform(), id, cvc))).status
    expect(await Promise.all([codes(visa.id, '123'), codes(visa.id, '1234'), codes(visa.id, '12a')])).toEqual([
      201, 400, 400,
    ])
    expect(await Promise.all([codes(amex.id, '123'), codes(amex.id, '1234')])).toEqual([400, 201])
    const refused = await sendCode(await encryptedCode(platform(), amex.id, '777'))
    expect(refused.error).toMatchObject({ code: 'parameter_invalid', param: 'cvc' })
    // A request id may hold these digits by chance, but never alone.
    expect(refused.text).not.toMatch(/\b777\b/)
  })

  test('neither kind of token stands for the other', async () => {
    const { id } = await newInstrument(platform())
    const code = await codeToken(platform(), id)
    const body = { serviceToken: code, storeId: platform().local.storeId }
    const redeemed = await platform().request('POST', contract.paymentInstruments.createFromToken.path, { body })
    expect(redeemed.error).toMatchObject({ code: 'token_invalid', param: 'serviceToken' })
    const paid = await requestPayment(platform(), {
      paymentInstrumentId: id,
      securityCodeToken: await serviceToken(platform()),
    })
    expect(paid.error).toMatchObject({ code: 'token_invalid', param: 'securityCodeToken' })
  })
})

const platform = sharedPlatform()

it('a security code falls with the publishable key that it was sent with', async () => {
  const shop = await secondAccount(platform())
  const { id } = await newInstrument(shop)
  const securityCodeToken = await codeToken(shop, id)
  const { services, clock } = platform()
  const { accountId } = shop.local
  const [row] = await services.db.read("SELECT id FROM api_keys WHERE account_id = ? AND kind = 'publishable'", [
    accountId,
  ])
  await commit([revokeApiKey(accountId, String(row?.['id']), clock.now())], services)
  const refused = await requestPayment(shop, { paymentInstrumentId: id, securityCodeToken })
  expect(refused.error.code).toBe('token_invalid')
  expect(refused.text).toContain('has been revoked')
})

it('a payment that is refused before it begins leaves the security code as good as it was', async () => {
  const { id } = await newInstrument(platform())
  const securityCodeToken = await codeToken(platform(), id)
  const bad = { paymentInstrumentId: id, securityCodeToken, paymentFlowId: 'flow_none' }
  expect((await requestPayment(platform(), bad)).status).toBe(404)
  expect((await requestPayment(platform(), { paymentInstrumentId: id, securityCodeToken })).status).toBe(201)
})

async function newAmex(shop: TestPlatform) {
  const body = { jwe: await encryptedForm(shop, { number: '378282246310005', cvc: '1234' }) }
  const { serviceToken: token } = await shop.call(contract.vault.createToken, { body })
  const made = await shop.call(contract.paymentInstruments.createFromToken, {
    body: { serviceToken: token, storeId: shop.local.storeId },
  })
  return made.paymentInstrument
}
