import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import { steadyClock } from '../runtime/index.ts'
import type { Database, Row, Statement } from '../storage/index.ts'
import { type Cluster, joinCluster } from './membership.ts'
import { holderIsGone } from './claims.ts'

const EVERY_MS = 50

async function join(db: Database): Promise<{ cluster: Cluster; clock: ReturnType<typeof steadyClock> }> {
  const clock = steadyClock()
  const cluster = await joinCluster({ db, clock, log: pino({ level: 'silent' }), everyMs: EVERY_MS })
  onTestFinished(() => cluster.leave())
  return { cluster, clock }
}

/** A database that can be taken away from one process. */
function severable(db: Database): { db: Database; sever: () => void; mend: () => void } {
  let isAway = false
  const refuse = () => Promise.reject(new Error('away'))
  const write = (transaction: readonly Statement[]) => (isAway ? refuse() : db.write(transaction))
  const read: Database['read'] = (sql, params) => (isAway ? refuse() : db.read(sql, params))
  return {
    db: { engine: db.engine, read, write, load: () => db.load(), close: () => db.close() },
    sever: () => void (isAway = true),
    mend: () => void (isAway = false),
  }
}

/** A database as it is for a machine whose clock is two minutes ahead. */
function twoMinutesBehind(db: Database): Database {
  return {
    ...db,
    async write(transaction) {
      const outcome = await db.write(transaction)
      if (outcome.outcome === 'refused') return outcome
      const at = (value: unknown) => Number(value) - 120_000
      const late = (rows: readonly Row[]) => rows.map((row) => ('ahead' in row ? { ...row, at: at(row['at']) } : row))
      return { ...outcome, returned: outcome.returned.map(late) }
    },
  }
}

const run = (db: Database, sql: string, params: readonly (string | number)[] = []) => db.write([{ sql, params }])

describe.each(testableEngines().filter((engine) => engine === 'postgres'))('several processes on %s', (engine) => {
  test('see each other come and go', async () => {
    const { services, elsewhere } = await openEvents(engine)
    const { cluster: one } = await join(services.db)
    const { cluster: other } = await join((await elsewhere()).db)
    await expect.poll(() => one.isAlive(other.self.id)).toBe(true)
    expect(one.peers().map(({ id }) => id)).toContain(other.self.id)
    await other.leave()
    await expect.poll(() => one.isAlive(other.self.id)).toBe(false)
  })

  test('learn from each other which processors are left alone', async () => {
    const { services, elsewhere } = await openEvents(engine)
    const { cluster: one } = await join(services.db)
    const { cluster: other } = await join((await elsewhere()).db)
    const circuits = { processor_north: { failures: 5, lastMs: 1_000 } }
    other.tellCircuits(() => circuits)
    await expect.poll(() => one.peerCircuits()).toContainEqual(circuits)
    other.tellCircuits(() => ({}))
    await expect.poll(() => one.peerCircuits()).not.toContainEqual(circuits)
  })

  test('one that no longer beats is dead for the others and knows it, and comes back as another', async () => {
    const { services, elsewhere } = await openEvents(engine)
    const { cluster: one } = await join(services.db)
    const { db, sever, mend } = severable((await elsewhere()).db)
    const { cluster: other } = await join(db)
    const former = other.self.id
    const held = async () =>
      (await services.db.read(`SELECT 1 AS one WHERE ${holderIsGone('?')}`, [former])).length === 0
    await expect.poll(() => one.isAlive(former)).toBe(true)
    expect(await held()).toBe(true)
    const noticed = Promise.withResolvers<void>()
    one.onPeers(() => one.isAlive(former) || noticed.resolve())
    sever()
    await noticed.promise
    expect([one.isAlive(former), other.isMember(), await held()]).toEqual([false, false, false])
    await expect(other.certain()).rejects.toThrow('does not confirm')
    mend()
    await other.certain()
    expect(other.isMember()).toBe(true)
    expect(other.self.id).not.toBe(former)
    expect(other.snapshot().rejoined).toBe(1)
  })

  test('one whose machine has the wrong clock leads nothing while another has the right one, and leads when it is alone', async () => {
    const { services, elsewhere } = await openEvents(engine)
    await run(services.db, 'DELETE FROM processes')
    const { cluster: wrong } = await join(twoMinutesBehind((await elsewhere()).db))
    await expect.poll(() => wrong.snapshot().clockOffsetMs).toBeGreaterThan(100_000)
    expect(wrong.mayLead()).toBe(true)
    const { cluster: right } = await join(services.db)
    await expect.poll(() => wrong.mayLead()).toBe(false)
    expect([wrong.isMember(), right.mayLead()]).toEqual([true, true])
    await right.leave()
    await expect.poll(() => wrong.mayLead()).toBe(true)
  })

  test('no process is taken for dead because the database was unreachable for all', async () => {
    const { services, elsewhere } = await openEvents(engine)
    const [first, second] = [severable(services.db), severable((await elsewhere()).db)]
    const { cluster: one } = await join(first.db)
    const { cluster: other } = await join(second.db)
    const ids = [one.self.id, other.self.id]
    await expect.poll(() => one.isAlive(other.self.id)).toBe(true)
    first.sever()
    second.sever()
    await expect.poll(() => one.isMember() || other.isMember()).toBe(false)
    first.mend()
    second.mend()
    await Promise.all([one.certain(), other.certain()])
    await expect.poll(() => one.isAlive(other.self.id) && other.isAlive(one.self.id)).toBe(true)
    expect([one.self.id, other.self.id]).toEqual(ids)
  })
})

describe.each(testableEngines())('on %s', (engine) => {
  test('a process follows the clock of the database, whatever its own machine says', async () => {
    const { services } = await openEvents(engine)
    const clock = steadyClock({ wall: () => Date.now() + 120_000, monotonic: () => performance.now() })
    const cluster = await joinCluster({ ...services, clock, everyMs: EVERY_MS })
    onTestFinished(() => cluster.leave())
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(5_000)
  })

  test('when the clock of the database goes back an hour, the shared time does not', async () => {
    const { services } = await openEvents(engine)
    const { cluster, clock } = await join(services.db)
    // The same to the statement: what it stored last was an hour later than what the clock says now.
    await run(services.db, 'UPDATE shared_time SET at = at + 3600000')
    const before = clock.now()
    await cluster.beat()
    await expect.poll(() => cluster.beat().then(() => clock.now() - before)).toBeGreaterThan(3_590_000)
    const late = steadyClock()
    const joined = await joinCluster({ ...services, db: unlocked(services.db), clock: late, everyMs: EVERY_MS })
    onTestFinished(() => joined.leave())
    expect(Math.abs(late.now() - clock.now())).toBeLessThan(1_000)
    expect(Math.abs(late.machineNow() - Date.now())).toBeLessThan(1_000)
    const [row] = await services.db.read('SELECT ahead FROM shared_time', [])
    expect(row?.['ahead']).toBeGreaterThan(3_500_000)
    expect(row?.['ahead']).toBeLessThanOrEqual(3_600_000)
  })

  test('what is ahead loses a second in twenty', async () => {
    const { services } = await openEvents(engine)
    const { cluster } = await join(services.db)
    await cluster.leave()
    // Ten seconds ago, an hour ahead.
    await run(services.db, 'UPDATE shared_time SET ahead = 3600000, at = {now} - 10000 + 3600000')
    const { clock } = await join(services.db)
    const aheadMs = clock.now() - Date.now()
    expect(aheadMs).toBeGreaterThan(3_598_500)
    expect(aheadMs).toBeLessThan(3_600_000)
  })
})

/** An embedded database empties the table for the one process that opens it, which this one is not. */
const unlocked = (db: Database): Database => ({ ...db, engine: 'postgres' })
