import { describe, expect, test } from 'vitest'
import { newInstrument, pay } from '../test/pay-with-card.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'

// The attacker holds the secret key of another account, and knows the ids and revisions of a shop's customer, card and
// order. They want to change what is not theirs, or to learn from the answers that it exists.

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('nothing of another account is changed, and each answer is that of an id that does not exist', async () => {
    const { addAccount, request } = platform()
    const { id, customerId } = await newInstrument(platform())
    const { orderId } = await pay(platform(), id)
    const { apiKey: key } = await addAccount()
    const attempts = [
      ['PATCH', `/api/payments/v1/customers/${customerId}`, { firstName: 'Mallory', revision: 1 }],
      ['POST', `/api/payments/v1/customers/${customerId}/archive`, { revision: 1 }],
      ['POST', `/api/payments/v1/customers/${customerId}/unarchive`, { revision: 1 }],
      ['PATCH', `/api/payments/v1/payment-instruments/${id}`, { isActive: false, revision: 1 }],
      ['PATCH', `/api/payments/v1/orders/${orderId}`, { metadata: { cart: 'mine' }, revision: 1 }],
    ] as const
    for (const [method, path, body] of attempts) {
      const foreign = await request(method, path, { body, key })
      expect([path, foreign.status, foreign.error.code]).toEqual([path, 404, 'resource_missing'])
      // A wrong revision must not show the object either.
      const guessed = await request(method, path, { body: { ...body, revision: 7 }, key })
      expect([guessed.status, guessed.error.code, guessed.text.includes('current')]).toEqual([
        404,
        'resource_missing',
        false,
      ])
    }
    const rows = await platform().services.db.read(
      'SELECT c.revision AS customer, i.revision AS card FROM customers c JOIN payment_instruments i ON i.customer_id = c.id WHERE i.id = ?',
      [id],
    )
    expect(rows).toEqual([{ customer: 1, card: 1 }])
    expect((await pay(platform(), id)).status).toBe('succeeded')
  })
})
