import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type PostgresNode, type PostgresPair, startPostgresPair } from '../../../../../.ci/postgres-pair.ts'
import { inSoak, soaks } from '../../../../../.ci/soaks.ts'
import { startFaultyProxy } from '../../../test/storage/faulty-proxy.ts'
import { type Database, DatabaseUnavailable } from '../database.ts'
import { openPostgres } from './open-postgres.ts'

/** From the promotion of a replica until a write is acknowledged again, where the old primary is gone. */
const AFTER_KILL_MS = 10_000
/** The same where it says nothing at all, which is known when a statement has not been answered. */
const AFTER_PAUSE_MS = 20_000
const CLIENTS = 8

describe.skipIf(inject('postgresUrl') === null)('a PostgreSQL with a synchronous replica', () => {
  test(
    'that loses its primary goes on with the replica, and nothing that was acknowledged is missing',
    { timeout: 300_000 },
    async () => {
      const pair = await startedPair()
      const database = await openPostgres({ url: pair.url })
      onTestFinished(() => database.close())
      await database.write([{ sql: 'CREATE TABLE n (id BIGINT PRIMARY KEY)', params: [] }])
      await replicaAnswersStaleReads(pair)
      const load = startLoad(database)
      const tookMs: Record<string, number[]> = { killed: [], paused: [], 'read-only': [] }
      let { primary, replica } = pair
      for (let round = 0; round < (soaks ? 5 : 1); round += 1) {
        tookMs['read-only']?.push(await recoveryFrom(load, () => readOnly(primary)))

        tookMs['killed']?.push(await recoveryFrom(load, () => killed(primary, replica)))
        ;[primary, replica] = [replica, primary]
        if (!soaks) break
        await replica.rejoin()
        await primary.waitForStandby()

        tookMs['paused']?.push(await recoveryFrom(load, () => paused(primary, replica)))
        ;[primary, replica] = [replica, primary]
        // The old primary wakes up and believes that it is one: no process may write to it again.
        replica.resume()
        await load.acknowledges(50)
        expect(await replica.query('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
        await replica.rejoin()
        await primary.waitForStandby()
      }
      const { acknowledged, unknown } = await load.stop()
      const rows = await primary.query('SELECT id FROM n')
      const kept = new Set(rows.map(({ id }) => Number(id)))
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
      expect(kept.size).toBeLessThanOrEqual(acknowledged.length + unknown.length)
      expect(acknowledged.length).toBeGreaterThan(100)
      for (const ms of [...(tookMs['killed'] ?? []), ...(tookMs['read-only'] ?? [])]) {
        expect(ms).toBeLessThan(AFTER_KILL_MS)
      }
      for (const ms of tookMs['paused'] ?? []) expect(ms).toBeLessThan(AFTER_PAUSE_MS)
      if (soaks) console.info('Milliseconds until writes were acknowledged again:', tookMs)
    },
  )

  test.each(inSoak)(
    'whose primary is behind a network that has gone silent goes on with the replica, and nothing goes to the old one when the network is back',
    { timeout: 120_000 },
    async () => {
      const { primary, replica, url } = await startedPair()
      const network = await startFaultyProxy(primary.port)
      onTestFinished(() => network.stop())
      const database = await openPostgres({
        url: url.replace(`127.0.0.1:${primary.port}`, `127.0.0.1:${network.port}`),
      })
      onTestFinished(() => database.close())
      await database.write([{ sql: 'CREATE TABLE n (id BIGINT PRIMARY KEY)', params: [] }])
      const load = startLoad(database)
      const tookMs = await recoveryFrom(load, async () => {
        network.silence()
        await replica.promote()
      })
      // The old primary lives, takes what was on its way, and believes that it is one.
      network.heal()
      await load.acknowledges(50)
      const { acknowledged } = await load.stop()
      expect(await primary.query('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
      const kept = new Set((await replica.query('SELECT id FROM n')).map(({ id }) => Number(id)))
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
      expect(tookMs).toBeLessThan(AFTER_PAUSE_MS)
      console.info(`Milliseconds until writes were acknowledged again after a partition: ${Math.round(tookMs)}`)
    },
  )
})

/** Only reads that say so go to a replica, and to the primary where there is none. */
async function replicaAnswersStaleReads({ url, replica }: PostgresPair): Promise<void> {
  const standby = 'SELECT pg_is_in_recovery() AS standby'
  const away = 'postgres://postgres@127.0.0.1:1/postgres'
  const [withReplica, without] = [
    await openPostgres({ url, replicaUrl: replica.url }),
    await openPostgres({ url, replicaUrl: away }),
  ]
  expect(await withReplica.read(standby, [], { stale: true })).toEqual([{ standby: 1 }])
  expect(await withReplica.read(standby, [])).toEqual([{ standby: 0 }])
  expect(await without.read(standby, [], { stale: true })).toEqual([{ standby: 0 }])
  await Promise.all([withReplica.close(), without.close()])
}

async function startedPair(): Promise<PostgresPair> {
  const pair = await startPostgresPair()
  if ('missing' in pair) throw new Error(pair.missing)
  onTestFinished(() => pair.stop())
  return pair
}

async function killed(primary: PostgresNode, replica: PostgresNode): Promise<void> {
  await primary.kill()
  await replica.promote()
}

async function paused(primary: PostgresNode, replica: PostgresNode): Promise<void> {
  primary.pause()
  await replica.promote()
}

/** As one that is being maintained, or that lost a vote: connections stay open, and writes are refused. */
async function readOnly(primary: PostgresNode): Promise<void> {
  const set = async (value: 'on' | 'off') => {
    await primary.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await primary.query('SELECT pg_reload_conf()')
  }
  await set('on')
  await expect
    .poll(() => primary.query('SHOW default_transaction_read_only'))
    .toMatchObject([{ default_transaction_read_only: 'on' }])
  await set('off')
}

interface Load {
  /** Resolves after so many further acknowledgements. */
  acknowledges(count: number): Promise<void>
  stop(): Promise<{ acknowledged: readonly number[]; unknown: readonly number[] }>
}

/** Clients that write one row after another, each row once, whatever becomes of it. */
function startLoad(database: Database): Load {
  const acknowledged: number[] = []
  const unknown: number[] = []
  const waiting = new Set<{ at: number; resolve: () => void }>()
  let next = 0
  let isOver = false
  async function client(): Promise<void> {
    while (!isOver) {
      const id = (next += 1)
      try {
        await database.write([{ sql: 'INSERT INTO n VALUES (?)', params: [id] }])
        acknowledged.push(id)
        for (const each of waiting) {
          if (acknowledged.length >= each.at) each.resolve()
        }
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnavailable)
        unknown.push(id)
        await new Promise((resolve) => void setTimeout(resolve, 10)) // as a client would
      }
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    acknowledges: (count) => new Promise((resolve) => void waiting.add({ at: acknowledged.length + count, resolve })),
    async stop() {
      isOver = true
      await clients
      return { acknowledged, unknown }
    },
  }
}

/** @returns From the end of what happens, such as a promotion, until writes of every client are acknowledged. */
async function recoveryFrom(load: Load, happens: () => Promise<void>): Promise<number> {
  await load.acknowledges(50)
  await happens()
  const begun = performance.now()
  await load.acknowledges(CLIENTS * 2)
  return performance.now() - begun
}
