import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { copyDatabase, dropDatabase } from '../../../../.ci/postgres-database.ts'
import { soaks } from '../../../../.ci/soaks.ts'
import { addPayments, paymentIds } from '../../faults/many-payments.ts'
import { seriesOf } from '../../faults/upgrade-series.ts'
import { type Database, migrate, openDatabase, type SchemaLog, workOnSchema } from '../../src/storage/index.ts'
import { testableEngines } from '../test-platform.ts'

const ROWS = soaks ? 1_000_000 : 4_000
/** In npm test other tests have the machine, so that only what waits for ever shows; the soak is alone. */
const LONGEST_MS = soaks ? 1_000 : 30_000
const log: SchemaLog = { info() {}, error() {}, fatal() {} }

interface Place {
  folder: string
  url?: string
}

async function newPlace(engine: Database['engine']): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'tillwright-size-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  if (engine === 'sqlite') return { folder }
  const server = inject('postgresUrl') ?? ''
  const url = await copyDatabase(server, inject('postgresTemplate'))
  onTestFinished(() => dropDatabase(server, url))
  return { folder, url }
}

/** A client that changes one payment after the other, up to two hundred a second, and adds one now and then. */
interface Writer {
  /** Goes on with the connections and the code of a later release, as a process that is replaced. */
  replaceBy(database: Database): void
  /** @returns How many writes there were, and how long the slowest took, in milliseconds. */
  end(): Promise<{ writes: number; longestMs: number }>
}

function startWriter(first: Database, nth: number, release: 'now' | 'next' = 'now'): Writer {
  let [isOn, longestMs, writes, number] = [true, 0, 0, nth]
  let [database, withNote]: [Database, boolean] = [first, release === 'next']
  const replacements: Database[] = []
  const change = 'UPDATE payments SET updated_at = updated_at + 1 WHERE account_id = ? AND id = ?'
  async function write(): Promise<void> {
    writes += 1
    number = (number + 7_919) % ROWS
    const id = paymentIds(1, number)[0] ?? ''
    if (writes % 10 === 0) return addPayments(database, [`${id}_${nth}_${writes}`], { withNote })
    const outcome = await database.write([{ sql: change, params: ['acc_1', id], expect: 1 }])
    if (outcome.outcome !== 'committed') throw new Error(`A payment was not written: ${JSON.stringify(outcome)}`)
  }
  const ended = (async () => {
    while (isOn) {
      const begun = performance.now()
      await write()
      longestMs = Math.max(longestMs, performance.now() - begun)
      const next = replacements.shift()
      if (next !== undefined) {
        await database.close()
        ;[database, withNote] = [next, true]
      }
      // Buyers do not take all of a database: without a pause the fill is measured as a race against this loop.
      await delay(5)
    }
    await Promise.all([database, ...replacements].map((each) => each.close()))
    return { writes, longestMs }
  })()
  return {
    replaceBy: (other) => void replacements.push(other),
    end() {
      isOn = false
      return ended
    },
  }
}

/**
 * Looks at what waits for locks. Sessions that wait only for the end of another transaction (`virtualxid`, as the
 * concurrent build of an index does) are left out: no other session waits behind them.
 *
 * @returns Ends it, and tells the longest wait, in milliseconds.
 */
function watchLocks(database: Database): () => Promise<number> {
  let [isOn, longestMs] = [true, 0]
  const sql = `SELECT COALESCE(max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000), 0)::bigint AS waited
    FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE a.datname = current_database() AND NOT l.granted AND l.locktype <> 'virtualxid'`
  const ended = (async () => {
    while (isOn) {
      const [row] = await database.read(sql, [])
      longestMs = Math.max(longestMs, Number(row?.['waited']))
      await delay(10)
    }
    return longestMs
  })()
  return () => {
    isOn = false
    return ended
  }
}

const EXPANDED = ROWS === 1_000_000 ? 'a million' : String(ROWS)

describe.each(testableEngines())('on %s', (engine) => {
  test(
    `${EXPANDED} payments get two columns, an index and a fill and lose an index, and no payment waits for a second`,
    { timeout: 3_000_000 },
    async () => {
      const place = await newPlace(engine)
      const open = (release: 'now' | 'next' | 'after') => openDatabase(place, { migrations: seriesOf(release) })
      const database = await open('now')
      onTestFinished(() => database.close())
      await addPayments(database, paymentIds(ROWS))
      const took: Record<string, number> = {}
      const measured = async (name: string, work: () => Promise<unknown>) => {
        const begun = performance.now()
        await work()
        took[name] = Math.round(performance.now() - begun)
      }
      const work = { contractAfterMs: 0, log }
      const next = () => workOnSchema(database, seriesOf('next'), { ...work, share: 0.5 })
      if (engine === 'sqlite') {
        // An embedded database has one process, and no client waits for what it does before it serves.
        await measured('expand', () => migrate(database, seriesOf('next')))
        const writer = startWriter({ ...database, close: async () => {} }, 0, 'next')
        await measured('fill', next)
        const { writes, longestMs } = await writer.end()
        Object.assign(took, { writes, 'longest write': Math.round(longestMs) })
      } else {
        const locks = watchLocks(database)
        const writers = await Promise.all([0, 1, 2].map(async (nth) => startWriter(await open('now'), nth)))
        const replaceAll = async (release: 'next' | 'after') => {
          for (const writer of writers) writer.replaceBy(await open(release))
        }
        await measured('expand', () => migrate(database, seriesOf('next')))
        await replaceAll('next')
        await measured('fill', next)
        await measured('rely', () => replaceAll('after'))
        await migrate(database, seriesOf('after'))
        await measured('contract', () => workOnSchema(database, seriesOf('after'), work))
        const ends = await Promise.all(writers.map((writer) => writer.end()))
        took['writes'] = ends.reduce((sum, { writes }) => sum + writes, 0)
        took['longest write'] = Math.round(Math.max(...ends.map(({ longestMs }) => longestMs)))
        took['longest wait for a lock'] = await locks()
        expect(took['longest wait for a lock']).toBeLessThan(LONGEST_MS)
      }
      if (soaks) console.info(`${engine}, ${ROWS} payments, in ms: ${JSON.stringify(took)}`)
      expect(took['longest write']).toBeLessThan(LONGEST_MS)
      const [row] = await database.read('SELECT count(*) AS payments, count(note) AS noted FROM payments', [])
      expect(row?.['noted']).toBe(row?.['payments'])
      expect(Number(row?.['payments'])).toBeGreaterThanOrEqual(ROWS)
    },
  )
})
