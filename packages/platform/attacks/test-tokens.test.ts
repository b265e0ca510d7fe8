/**
 * The attacker has read the documentation: test tokens such as `tok_visa` are charged without a card. They send them to
 * a shop that takes money, from its page or with a server's key, and hope for goods.
 */
import { contract, testTokens } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { buyersPage, filledPage } from '../test/buyer-session.ts'
import { sharedPlatform, ruleEngines } from '../test/test-platform.ts'

const INSTRUMENTS = '/api/public/v1/payment-instruments/create-from-token'

describe.each(ruleEngines())('in production on %s', (engine) => {
  const platform = sharedPlatform({ engine, environment: 'production' })

  const stored = async () => {
    const [row] = await platform().services.db.read('SELECT count(*) AS cards FROM cards', [])
    return Number(row?.['cards'])
  }

  test.for([...Object.keys(testTokens), 'tok_nothing'])(
    '%s is refused for a live key, and no card is stored',
    async (serviceToken) => {
      const before = await stored()
      const body = { serviceToken, storeId: platform().local.storeId }
      const answer = await platform().request('POST', INSTRUMENTS, { body })
      expect(answer.status).toBe(400)
      expect(answer.error).toMatchObject({ code: 'token_invalid', param: 'serviceToken' })
      expect(answer.error.message).toBe(
        'Test tokens are accepted in local and development only. Pass on what card.tokenize() returned.',
      )
      expect(await stored()).toBe(before)
    },
  )

  test('a buyer’s page gets nothing for one', async () => {
    const page = await filledPage(platform())
    const body = { serviceToken: 'tok_visa', expectedAmount: page.session.order.amount }
    const answer = await page.send('POST', '/pay', { body })
    expect(answer.error).toMatchObject({ code: 'token_invalid' })
    const { session } = await buyersPage(platform(), page.token)
    expect(session.payment).toBeNull()
  })

  test('a test key is refused, whatever it would bring', async () => {
    const body = { serviceToken: 'tok_visa', storeId: platform().local.storeId }
    const answer = await platform().request('POST', INSTRUMENTS, { body, key: `test_sk_${'0'.repeat(32)}` })
    expect(answer.status).toBe(401)
    expect(contract.paymentInstruments.createFromToken.path).toBe(INSTRUMENTS)
  })
})
