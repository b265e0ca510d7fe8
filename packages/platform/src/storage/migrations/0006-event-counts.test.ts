import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase } from '../../../../../.ci/postgres-database.ts'
import type { Statement } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openPostgres } from '../postgres/open-postgres.ts'
import { openSqlite } from '../sqlite/open-sqlite.ts'
import { moneyPath } from './0001-money-path.ts'
import { eventCounts } from './0006-event-counts.ts'

const server = inject('postgresUrl')
const DAY_MS = 86_400_000

describe.each(server === null ? ['sqlite'] : ['sqlite', 'postgres'])('on %s', (engine) => {
  test('events that were there before are counted by the hour, the day and 32 days', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'counts-'))
    const url = engine === 'sqlite' || server === null ? null : await createDatabase(server)
    const db = url === null ? await openSqlite({ file: join(folder, 'events.db') }) : await openPostgres({ url })
    onTestFinished(async () => {
      await db.close()
      await rm(folder, { recursive: true })
      if (server !== null && url !== null) await dropDatabase(server, url)
    })
    await migrate(db, [moneyPath])
    await db.write([
      event('evt_1', { storeId: 'store_1', createdMs: 10 * DAY_MS, processedMs: 5 }),
      event('evt_2', { storeId: 'store_1', createdMs: 11 * DAY_MS - 1, processedMs: null }),
      event('evt_3', { storeId: null, createdMs: 10 * DAY_MS, processedMs: null }),
    ])
    await migrate(db, [moneyPath, eventCounts])
    const rows = await db.read(
      'SELECT span_ms, starts_at, store_id, total, processed FROM event_counts ORDER BY span_ms, starts_at, store_id',
      [],
    )
    expect(rows.map((row) => Object.values(row))).toEqual([
      [3_600_000, 10 * DAY_MS, '', 1, 0],
      [3_600_000, 10 * DAY_MS, 'store_1', 1, 1],
      [3_600_000, 11 * DAY_MS - 3_600_000, 'store_1', 1, 0],
      [DAY_MS, 10 * DAY_MS, '', 1, 0],
      [DAY_MS, 10 * DAY_MS, 'store_1', 2, 1],
      [32 * DAY_MS, 0, '', 1, 0],
      [32 * DAY_MS, 0, 'store_1', 2, 1],
    ])
  })
})

function event(
  id: string,
  { storeId, createdMs, processedMs }: { storeId: string | null; createdMs: number; processedMs: number | null },
): Statement {
  return {
    sql: `INSERT INTO events
      (account_id, id, store_id, customer_id, event_type, properties, draft, created_at, processed_at)
      VALUES ('acc_1', ?, ?, NULL, 's_order_paid', '{}', 0, ?, ?)`,
    params: [id, storeId, createdMs, processedMs],
  }
}
