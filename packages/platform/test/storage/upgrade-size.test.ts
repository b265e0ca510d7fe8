import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { soaks } from '../../../../.ci/soaks.ts'
import { seriesOf } from '../../faults/upgrade-series.ts'
import { type Database, migrate, openDatabase, type SchemaLog, workOnSchema } from '../../src/storage/index.ts'
import { testableEngines } from '../test-platform.ts'

const ROWS = soaks ? 1_000_000 : 4_000
const LONGEST_MS = 1_000
const log: SchemaLog = { info() {}, error() {}, fatal() {} }

async function opened(engine: Database['engine']): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-size-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (engine === 'sqlite') {
    const database = await openDatabase({ folder })
    onTestFinished(() => database.close())
    return database
  }
  const server = inject('postgresUrl') ?? ''
  const url = await copyDatabase(server, inject('postgresTemplate'))
  const database = await openDatabase({ folder, url })
  onTestFinished(async () => {
    await database.close()
    await dropDatabase(server, url)
  })
  return database
}

async function fill(database: Database): Promise<void> {
  const number = database.engine === 'sqlite' ? 'item.value' : "(item.value #>> '{}')"
  const sql = `INSERT INTO payments (account_id, id, order_id, store_id, customer_id, payment_instrument_id, payment_flow_id,
      status, currency, amount, captured_amount, lease_until, created_at, updated_at)
    SELECT 'acc_1', 'pay_' || ${number}, 'order_' || ${number}, 'store_1', 'cus_1', 'pi_1', 'flow_1',
      'succeeded', 'USD', 500, 500, 0, 0, 0 FROM {items}`
  for (let from = 0; from < ROWS; from += 2_000) {
    const numbers = Array.from({ length: 2_000 }, (_, at) => String(from + at).padStart(9, '0'))
    await database.write([{ sql, params: [JSON.stringify(numbers)] }])
  }
}

/** Changes one payment after the other. @returns Ends it, and tells how long the slowest took, in milliseconds. */
function startWriter(database: Database): () => Promise<number> {
  let [isOn, longestMs, number] = [true, 0, 0]
  const sql = 'UPDATE payments SET updated_at = updated_at + 1 WHERE account_id = ? AND id = ?'
  const ended = (async () => {
    while (isOn) {
      const begun = performance.now()
      number = (number + 7_919) % ROWS
      await database.write([{ sql, params: ['acc_1', `pay_${String(number).padStart(9, '0')}`], expect: 1 }])
      longestMs = Math.max(longestMs, performance.now() - begun)
      await setImmediate()
    }
  })()
  return async () => {
    isOn = false
    await ended
    return longestMs
  }
}

describe.each(testableEngines())('on %s', (engine) => {
  test(
    `${ROWS} payments get two columns, an index and a fill, and no payment waits for a second`,
    { timeout: 1_200_000 },
    async () => {
      const database = await opened(engine)
      await fill(database)
      const took: Record<string, number> = {}
      const measured = async (name: string, work: () => Promise<void>) => {
        const begun = performance.now()
        await work()
        took[name] = Math.round(performance.now() - begun)
      }
      // What an embedded database gets before it serves, nobody can wait for.
      const expand = () => measured('expand', () => migrate(database, seriesOf('next')))
      if (engine === 'sqlite') await expand()
      const end = startWriter(database)
      if (engine === 'postgres') await expand()
      await measured('fill', () => workOnSchema(database, seriesOf('next'), { contractAfterMs: 0, log, share: 0.5 }))
      if (engine === 'postgres') {
        await measured('rely', () => migrate(database, seriesOf('after')))
        await measured('contract', () => workOnSchema(database, seriesOf('after'), { contractAfterMs: 0, log }))
      }
      took['longest write'] = Math.round(await end())
      if (soaks) console.info(`${engine}, ${ROWS} payments, in ms: ${JSON.stringify(took)}`)
      expect(took['longest write']).toBeLessThan(LONGEST_MS)
      expect(await database.read('SELECT count(note) AS filled FROM payments', [])).toEqual([{ filled: ROWS }])
    },
  )
})
