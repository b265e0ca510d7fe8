import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { newAuthenticatedPayment } from '../../test/threeds-payment.ts'

const HOUR_MS = 60 * 60_000

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const rows = async (sql: string) => (await platform().services.db.read(sql, [])).length
  const transactions = () => rows('SELECT transaction_id FROM acs_transactions')
  const messages = () => rows('SELECT position FROM threeds_messages')

  test('what the simulated issuer remembers goes after a day, the messages too, and the session stays', async () => {
    const old = await newAuthenticatedPayment(platform())
    platform().clock.advance(12 * HOUR_MS)
    await newAuthenticatedPayment(platform())
    expect([await transactions(), await messages()]).toEqual([2, 4])
    platform().clock.advance(12 * HOUR_MS + 60_000)
    await expect.poll(transactions).toBe(1)
    await expect.poll(messages).toBe(2)
    const session = await platform().call(contract.threeds.get, { params: { sessionId: old.sessionId } })
    expect(session).toMatchObject({ status: 'successful', eci: '05', transcript: [] })
  })
})
