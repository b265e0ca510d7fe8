import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { money } from './0017-money.ts'

const server = inject('postgresUrl')

describe.each(server === null ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (engine) => {
  test('payments that succeeded before have a capture, a reference and a ledger, and others nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'money-'))
    const url = engine === 'sqlite' || server === null ? null : await createDatabase(server)
    const db = url === null ? await openSqlite({ file: join(folder, 'money.db') }) : await openPostgres({ url })
    onTestFinished(async () => {
      await db.close()
      await rm(folder, { recursive: true })
      if (server !== null && url !== null) await dropDatabase(server, url)
    })
    const before = migrations.slice(0, migrations.indexOf(money))
    await migrate(db, before)
    await db.write([payment('pay_1', 'succeeded'), payment('pay_2', 'declined'), attempt('att_1', 'pay_1')])

    await migrate(db, [...before, money])

    expect(await db.read('SELECT captured_amount, refunded_amount FROM payments ORDER BY id', [])).toEqual([
      { captured_amount: 1_999, refunded_amount: 0 },
      { captured_amount: 0, refunded_amount: 0 },
    ])
    expect(await db.read('SELECT id, payment_id, kind, status, amount FROM payment_follow_ups', [])).toEqual([
      { id: 'cap_1', payment_id: 'pay_1', kind: 'capture', status: 'succeeded', amount: 1_999 },
    ])
    expect(await db.read('SELECT ledger_account, amount FROM ledger_entries ORDER BY ledger_account', [])).toEqual([
      { ledger_account: 'processor', amount: 1_999 },
      { ledger_account: 'sales', amount: -1_999 },
    ])
    expect(await db.read('SELECT reference FROM payment_attempts', [])).toEqual([{ reference: 'simulated_att_1' }])
  })
})

function payment(id: string, status: string) {
  return {
    sql: `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id,
        status, amount, currency, lease_until, created_at, updated_at)
      VALUES ('acc_1', ?, 'order_1', 'store_1', 'cus_1', 'pi_1', 'flow_1', ?, 1999, 'USD', 0, 1, 2)`,
    params: [id, status],
  }
}

function attempt(id: string, paymentId: string) {
  return {
    sql: `INSERT INTO payment_attempts (account_id, id, payment_id, processor_id, status, decision, created_at)
      VALUES ('acc_1', ?, ?, 'processor_1', 'succeeded', '{}', 1)`,
    params: [id, paymentId],
  }
}
