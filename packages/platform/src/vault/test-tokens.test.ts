import { contract, type TestToken, testTokens } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { filledPage } from '../../test/buyer-session.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { authenticateWaiting, threedsActionOf } from '../../test/threeds-payment.ts'

const names = Object.keys(testTokens) as TestToken[] // the table's keys are the names
/** The decline code in a token's description, or `null` if its card is charged. */
const declineOf = (name: TestToken) => /: `(\w+)`\.$/.exec(testTokens[name])?.[1] ?? null

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  async function instrumentOf(serviceToken: string) {
    const body = { serviceToken, storeId: platform().local.storeId }
    const { paymentInstrument } = await platform().call(contract.paymentInstruments.createFromToken, { body })
    return paymentInstrument
  }

  test.for(names)('a payment with %s does what the list of test tokens says', async (name) => {
    const { id: paymentInstrumentId } = await instrumentOf(name)
    const answer = await requestPayment(platform(), { paymentInstrumentId })
    const decline = declineOf(name)
    if (/^(?:R|As `tok_threeds_challenge)/.test(testTokens[name])) {
      expect(answer.body).toMatchObject({ status: 'requires_action', nextAction: { actionToken: expect.any(String) } })
    } else if (decline === null) {
      expect(answer.body).toMatchObject({ status: 'succeeded' })
    } else {
      expect(answer.status).toBe(402)
      expect(answer.error).toMatchObject({ declineCode: decline })
    }
  })

  test.for([
    ['tok_threeds_frictionless', 'authenticated'],
    ['tok_threeds_challenge', 'challenge'],
  ] as const)('the bank answers %s with %s', async ([name, outcome]) => {
    const { id: paymentInstrumentId } = await instrumentOf(name)
    const answer = await requestPayment(platform(), { paymentInstrumentId })
    const { nextAction } = contract.payments.create.response.parse(answer.body)
    const authenticated = await authenticateWaiting(platform(), {
      actionToken: threedsActionOf({ nextAction }).actionToken,
    })
    expect(authenticated.status).toBe(outcome === 'challenge' ? 'challenge_required' : 'successful')
  })

  test('a test token can be used any number of times, and each time stands for the same card as the typed number', async () => {
    const [first, second] = [await instrumentOf('tok_visa'), await instrumentOf('tok_visa')]
    const typed = await newInstrument(platform(), { number: '4242424242424242' })
    expect(second.id).not.toBe(first.id)
    expect(second.card).toEqual({ last4: '4242', brand: 'visa', expMonth: 12, expYear: 2033 })
    const rows = await platform().services.db.read(
      `SELECT DISTINCT c.fingerprint FROM payment_instruments i
        JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id WHERE i.id IN (?, ?, ?)`,
      [first.id, second.id, typed.id],
    )
    expect(rows).toHaveLength(1)
  })

  test('a request repeated under its idempotency key makes one card', async () => {
    const body = { serviceToken: 'tok_visa', storeId: platform().local.storeId }
    const send = () =>
      platform().request('POST', '/api/public/v1/payment-instruments/create-from-token', {
        body,
        headers: { 'Idempotency-Key': 'tok-visa-1' },
      })
    const [first, again] = [await send(), await send()]
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.text).toBe(first.text)
  })

  test('a buyer’s page pays with a test token, too', async () => {
    const page = await filledPage(platform())
    const body = { serviceToken: 'tok_amex', expectedAmount: page.session.order.amount }
    expect((await page.send('POST', '/pay', { body })).body).toMatchObject({ status: 'succeeded' })
    const other = await filledPage(platform())
    const asked = await other.send('POST', '/pay', { body: { ...body, serviceToken: 'tok_threeds_challenge' } })
    expect(asked.body).toMatchObject({ status: 'requires_action' })
  })

  test.for(['tok_vsa', 'tok_', 'tok_constructor', 'tok_visa '])('%j is no test token', async (serviceToken) => {
    const body = { serviceToken, storeId: platform().local.storeId }
    const answer = await platform().request('POST', '/api/public/v1/payment-instruments/create-from-token', { body })
    expect(answer.status).toBe(400)
    expect(answer.error).toMatchObject({ code: 'token_invalid', param: 'serviceToken' })
    expect(answer.error.message).toContain('`tok_visa`')
  })
})
