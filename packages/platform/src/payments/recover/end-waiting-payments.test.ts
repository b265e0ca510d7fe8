import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { newAuthenticatedPayment, newWaitingPayment } from '../../../test/threeds-payment.ts'
import { sharedPlatform, testableEngines } from '../../../test/test-platform.ts'

const MINUTE_MS = 60_000

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const statusOf = async (paymentId: string) =>
    (await platform().call(contract.payments.get, { params: { paymentId } })).status

  /** As many rows as that one of another account, with what `change` says. */
  async function copies(
    { table, id }: { table: string; id: string },
    {
      count,
      accountId,
      change,
    }: { count: number; accountId: string; change: Readonly<Record<string, string | number | null>> },
  ) {
    const { db } = platform().services
    const [row = {}] = await db.read(`SELECT * FROM ${table} WHERE id = ?`, [id])
    const rows = Array.from({ length: count }, (_, n): typeof row => ({
      ...row,
      ...change,
      account_id: accountId,
      id: `${accountId}_${n}`,
      ...('external_session_id' in row && { external_session_id: `${accountId}_${n}` }),
    }))
    await db.write(
      rows.map((each) => ({
        sql: `INSERT INTO ${table} (${Object.keys(each).join(', ')}) VALUES (${Object.keys(each)
          .map(() => '?')
          .join(', ')})`,
        params: Object.values(each),
      })),
    )
  }

  test('a payment whose buyer has left is ended in time, however many sessions of another account lapse at once', async () => {
    const { clock } = platform()
    const { payment, sessionId } = await newWaitingPayment(platform())
    const change = { payment_id: null, expires_at: clock.now() + MINUTE_MS, session_data: '' }
    await copies({ table: 'threeds_sessions', id: sessionId }, { count: 350, accountId: 'acc_many', change })
    clock.advance(31 * MINUTE_MS)
    await expect.poll(() => statusOf(payment.id), { timeout: 20_000 }).toBe('declined')
  })

  test('a payment that was never continued is ended, also behind rows that cannot be', async () => {
    const { clock, services } = platform()
    const { payment, sessionId } = await newAuthenticatedPayment(platform())
    const broken = { result: '{', payment_id: null, ended_at: 1 }
    await copies({ table: 'threeds_sessions', id: sessionId }, { count: 1, accountId: 'acc_broken', change: broken })
    const waits = { lease_until: 1, threeds_session_id: 'acc_broken_0' }
    await copies({ table: 'payments', id: payment.id }, { count: 120, accountId: 'acc_broken', change: waits })
    clock.advance(41 * MINUTE_MS)
    await expect.poll(() => statusOf(payment.id), { timeout: 20_000 }).toBe('declined')
    await services.db.write([{ sql: `DELETE FROM payments WHERE account_id = 'acc_broken'`, params: [] }])
  })
})
