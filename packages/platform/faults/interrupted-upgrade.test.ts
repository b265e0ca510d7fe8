import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, copyFileSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { copyDatabase, dropDatabase, queryPostgres } from '../../../.ci/postgres-database.ts'
import { soaks } from '../../../.ci/soaks.ts'
import { readConfig } from '../src/config.ts'
import { manageSchema } from '../src/operator/index.ts'
import { type Database, openDatabase, type SchemaLog, workOnSchema } from '../src/storage/index.ts'
import { readSchema } from '../test/storage/schema.ts'
import type { DeathAt } from './die-at-statement.ts'
import { addPayments, paymentIds } from './many-payments.ts'
import { engines, newPlace } from './new-place.ts'
import { type Place, settingsOf } from './place.ts'
import { canMountDisk, smallDisk } from './small-disk.ts'
import { seriesOf } from './upgrade-series.ts'

type Engine = Database['engine']
type Release = 'now' | 'next' | 'after'

const log: SchemaLog = { info() {}, error() {}, fatal() {} }
/** More than a backfill's first batch takes. */
const PAYMENTS = 1_100

const open = ({ home, databaseUrl }: Place, release: Release, schemaStatementMs = 0) =>
  openDatabase(
    { folder: home, schemaStatementMs, ...(databaseUrl !== null && { url: databaseUrl }) },
    { migrations: seriesOf(release), log },
  )

/** A database of this release with payments, to be copied. */
async function template(engine: Engine, payments = PAYMENTS): Promise<Place> {
  const place = await emptyPlace(engine, inject('postgresTemplate'))
  const database = await open(place, 'now')
  await addPayments(database, paymentIds(payments))
  await database.close()
  return place
}

async function emptyPlace(engine: Engine, databaseUrl: string | null): Promise<Place> {
  const { home } = await newPlace('sqlite')
  if (engine === 'sqlite') return { home, databaseUrl: null }
  const server = inject('postgresUrl') ?? ''
  const url = await copyDatabase(server, databaseUrl ?? '')
  onTestFinished(() => dropDatabase(server, url))
  return { home, databaseUrl: url }
}

async function copyOf(original: Place): Promise<Place> {
  const copy = await emptyPlace(original.databaseUrl === null ? 'sqlite' : 'postgres', original.databaseUrl)
  if (copy.databaseUrl === null) copyFileSync(fileOf(original), fileOf(copy))
  return copy
}

const fileOf = ({ home }: Place) => join(home, 'tillwright.db')

/** Upgrades from this release to the one after the next, in a process of its own. */
function startUpgrade(place: Place, death: DeathAt | null): ChildProcess {
  const preload = death === null ? [] : ['--import', new URL('./die-at-statement.ts', import.meta.url).href]
  const child = spawn(process.execPath, [fileURLToPath(new URL('./upgrade-alone.ts', import.meta.url))], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: preload.join(' '),
      STANDS_FOR: 'after',
      ...settingsOf(place),
      ...(death !== null && { DIE_AT: JSON.stringify(death) }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The state of a database that was upgraded without an incident. */
async function wanted(original: Place): Promise<string> {
  const database = await open(await copyOf(original), 'after')
  await workOnSchema(database, seriesOf('after'), { contractAfterMs: 0, log })
  const schema = await readSchema(database)
  await database.close()
  return schema
}

/** Ten seconds later: a killed process does not hold the schema any more. */
async function letGo(place: Place): Promise<void> {
  const sql = 'UPDATE schema_state SET held_until = 0'
  if (place.databaseUrl !== null) return void (await queryPostgres(place.databaseUrl, sql))
  const file = new DatabaseSync(fileOf(place))
  file.exec(sql)
  file.close()
}

/** Starts both versions: the old one may be refused in one line, the new one completes everything. */
async function startsAgain(place: Place, before: { schema: string; payments?: number }): Promise<void> {
  await letGo(place)
  let { payments = PAYMENTS } = before
  const old = await open(place, 'now').catch((error: unknown) => error)
  if (old instanceof Error) expect(old.message).toMatch(/changed for schema \d and later, and this version knows/)
  else {
    const database = old as Database // what `open` resolves with
    await addPayments(database, ['pay_of_the_old_version'])
    await database.close()
    payments += 1
  }
  const starters = place.databaseUrl === null ? [1] : [1, 2]
  const started = await Promise.all(starters.map(() => open(place, 'after')))
  await Promise.all(started.map((one) => workOnSchema(one, seriesOf('after'), { contractAfterMs: 0, log })))
  const [database] = started
  const [row] = (await database?.read('SELECT count(*) AS payments, count(note) AS noted FROM payments', [])) ?? []
  const states = await database?.read('SELECT DISTINCT state FROM migrations', [])
  expect([row, states]).toEqual([{ payments, noted: payments }, [{ state: 'done' }]])
  if (database) expect(await readSchema(database)).toBe(before.schema)
  await Promise.all(started.map((one) => one.close()))
}

/** In the middle of a step: the change is made, the mark of it is not. In the middle of a batch: likewise. */
const deathsOn = (engine: Engine): DeathAt[] => [
  { match: 'UPDATE migrations SET actions', nth: 2, thread: 'main' },
  { match: 'UPDATE migrations SET position', nth: 1, thread: engine === 'sqlite' ? 'writer' : 'main' },
]

describe.each(engines)('on %s', (engine) => {
  test.each(deathsOn(engine))(
    'kill -9 before $match, number $nth: both versions start, and nothing is lost',
    async (death) => {
      const original = await template(engine)
      const place = await copyOf(original)
      expect(await once(startUpgrade(place, death), 'exit')).toEqual([null, 'SIGKILL'])
      await startsAgain(place, { schema: await wanted(original) })
    },
  )

  test.runIf(soaks)('kill -9 before each statement of an upgrade', { timeout: 3_600_000 }, async () => {
    const original = await template(engine)
    const schema = await wanted(original)
    let deaths = 0
    for (const thread of engine === 'sqlite' ? (['main', 'writer'] as const) : (['main'] as const)) {
      for (let nth = 1; ; nth += 1) {
        const place = await copyOf(original)
        const [code] = await once(startUpgrade(place, { match: '.', nth, thread }), 'exit')
        if (code === 0) break
        expect([thread, nth, code]).toEqual([thread, nth, null])
        await startsAgain(place, { schema })
        deaths += 1
      }
    }
    console.info(`${engine}: ${deaths} deaths, and both versions started after each.`)
    expect(deaths).toBeGreaterThan(20)
  })

  test('two commands that migrate at once do everything once', async () => {
    const original = await template(engine)
    const place = await copyOf(original)
    const config = readConfig(settingsOf(place))
    const commands = await Promise.all([1, 2].map(() => manageSchema(config, seriesOf('after'))))
    await Promise.all(commands.map((command) => command.migrate(log)))
    const { steps } = (await commands[0]?.status()) ?? { steps: [] }
    await Promise.all(commands.map((command) => command.close()))
    expect(steps.map(({ state }) => state)).toEqual(seriesOf('after').map(() => 'done'))
    await startsAgain(place, { schema: await wanted(original) })
  })
})

/** A report whose transaction was left open: an index that is made concurrently waits for its end. */
async function heldOpen(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await client.query('SELECT id FROM accounts')
  return async () => void (await client.query('COMMIT'))
}

/** The server's process that makes the index, as soon as it waits. */
async function indexMaker(url: string): Promise<number> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(CREATE|DROP) INDEX'
    AND wait_event_type = 'Lock'`
  async function find(): Promise<number> {
    const [row] = await queryPostgres(url, sql)
    if (row === undefined) throw new Error('Nobody is at an index.')
    return Number(row['pid'])
  }
  return vi.waitFor(find, { timeout: 60_000 })
}

describe.skipIf(!engines.includes('postgres'))('an index that PostgreSQL is at', () => {
  test('may be cut off by whatever limit: the message says which, and the next start makes it whole', async () => {
    const original = await template('postgres')
    const place = await copyOf(original)
    const url = place.databaseUrl ?? ''
    const end = await heldOpen(url)
    const ours = open(place, 'next', 200)
    await expect(ours).rejects.toThrow(/took longer than 0.2 s: raise TILLWRIGHT_MIGRATE_STATEMENT_SECONDS/)

    const child = startUpgrade(place, null)
    const atWork = await indexMaker(url)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await queryPostgres(url, `SELECT pg_terminate_backend(${atWork}, 10000)`)
    await letGo(place)

    const theirs = open(place, 'next').catch(String)
    await queryPostgres(url, `SELECT pg_cancel_backend(${await indexMaker(url)})`)
    expect(await theirs).toMatch(/A limit of the server or of a pooler.*DATABASE_URL that leads to PostgreSQL itself/)
    const invalid = "SELECT count(*)::int AS n FROM pg_index WHERE NOT indisvalid AND indrelid = 'payments'::regclass"
    expect(await queryPostgres(url, invalid)).toEqual([{ n: 1 }])
    await end()
    const database = await open(place, 'next')
    await database.close()
    expect(await queryPostgres(url, invalid)).toEqual([{ n: 0 }])
    await startsAgain(place, { schema: await wanted(original) })
  })
})

const diskIsHere = canMountDisk()
if (!diskIsHere) console.warn('A disk that is full in the middle of an upgrade is not tested: only root may mount one.')

describe.skipIf(!diskIsHere)('a disk that is full in the middle of a step', () => {
  const FULL = /Migration "\d+-note" was not completed\. The database's disk is full: make room\..*start again/
  /** Their index does not fit into what is left. */
  const MANY = 4_000

  /** @returns Makes room again. */
  function fillUp(disk: string, leaveBytes: number): () => void {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(bavail * bsize - leaveBytes))
    return () => rmSync(join(disk, 'ballast'))
  }

  test('of an embedded database leaves what was done before, and the next start goes on', async () => {
    const original = await template('sqlite', MANY)
    const place = { home: smallDisk(8), databaseUrl: null }
    copyFileSync(fileOf(original), fileOf(place))
    const makeRoom = fillUp(place.home, 200_000)
    await expect(open(place, 'next')).rejects.toThrow(FULL)
    makeRoom()
    await startsAgain(place, { schema: await wanted(original), payments: MANY })
  })

  test.runIf(engines.includes('postgres'))(
    'of PostgreSQL leaves what was done before, and the next start goes on',
    async () => {
      const server = inject('postgresUrl') ?? ''
      const [found] = await queryPostgres(server, 'SHOW data_directory')
      const disk = smallDisk(1)
      const { uid, gid } = statSync(String(found?.['data_directory']))
      const folder = join(disk, 'tablespace')
      mkdirSync(folder)
      for (const path of [disk, folder]) chownSync(path, uid, gid)
      await queryPostgres(server, `CREATE TABLESPACE little LOCATION '${folder}'`)
      onTestFinished(async () => void (await queryPostgres(server, 'DROP TABLESPACE little')))
      const original = await template('postgres', MANY)
      const place = await copyOf(original)
      const schema = await wanted(original)
      const url = place.databaseUrl ?? ''
      await queryPostgres(server, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_tablespace = little`)
      const makeRoom = fillUp(disk, 100_000)
      await expect(open(place, 'next')).rejects.toThrow(FULL)
      makeRoom()
      await startsAgain(place, { schema, payments: MANY })
    },
  )
})
