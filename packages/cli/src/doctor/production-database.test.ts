import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatformLog, readConfig, setUpOperator, startPlatform, withKeys } from '@tillwright/platform'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type PgBouncer, startPgBouncer } from '../../../../.ci/pgbouncer.ts'
import { copyDatabase, dropDatabase, queryPostgres } from '../../../../.ci/postgres-database.ts'
import { startPostgresPair } from '../../../../.ci/postgres-pair.ts'
import { postgresTls } from '../../../../.ci/postgres-tls.ts'
import { type PostgresServer, startPostgres } from '../../../../.ci/postgres.ts'
import { localCertificate } from '../../../plugin-dev/src/serve/endpoints.ts'
import { productionSettings, testedDoctor } from '../testing/diagnose-production.ts'

const { diagnosed, diagnosedApart, unseen } = testedDoctor()
/** Debian's faketime. */
const FAKETIME = globSync('/usr/lib/*/faketime/libfaketime.so.1')[0] ?? ''

describe.skipIf(inject('postgresUrl') === null)('the database of a production platform, on a server of its own', () => {
  let home = ''
  let server: PostgresServer
  let settings: Record<string, string> & { DATABASE_URL: string }
  const query = (sql: string) => queryPostgres(server.url, sql)

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'production-database-'))
    const certificate = await localCertificate(home, ['localhost'], Date.now())
    const files = await postgresTls({ ...certificate, rules: 'host all all 127.0.0.0/8 trust\n' })
    const started = await startPostgres({ settings: { max_connections: '29', archive_mode: 'on', ...files } })
    if ('missing' in started) throw new Error(started.missing)
    server = started
    settings = {
      ...productionSettings(home),
      TILLWRIGHT_HOST: '127.0.0.1',
      TILLWRIGHT_PORT: '0',
      TILLWRIGHT_VAULT_PORT: '0',
      TILLWRIGHT_DRAIN_SECONDS: '0',
      DATABASE_URL: server.url,
    }
    await (await setUpOperator(readConfig(settings))).close()
  })
  afterAll(async () => {
    await server.stop()
    await rm(home, { recursive: true })
  })

  /** Names and values of the server's configuration, for as long as a test takes. */
  async function reload(changes: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(changes)) await query(`ALTER SYSTEM SET ${name} = ${value}`)
    await query('SELECT pg_reload_conf()')
    const shown = Object.entries(changes).map(
      ([name, value]) => `current_setting('${name}') = '${value.replaceAll("'", '')}'`,
    )
    await expect.poll(() => query(`SELECT 1 WHERE ${shown.join(' AND ')}`)).toHaveLength(1)
    onTestFinished(async () => {
      for (const name of Object.keys(changes)) await query(`ALTER SYSTEM RESET ${name}`)
      await query('SELECT pg_reload_conf()')
    })
  }

  test.each([{ fsync: 'off' }, { full_page_writes: 'off' }, { synchronous_commit: 'local' }])(
    'a server with %o cannot be used, and the fix names the setting',
    async (unsafe) => {
      await reload(unsafe)
      const [name = ''] = Object.keys(unsafe)
      const { code, findings } = await diagnosed(settings)
      expect(code).toBe(1)
      expect(findings.find(({ what }) => what === 'DATABASE_URL: the database cannot be used')?.fix).toContain(
        `Set ${name} = on`,
      )
    },
  )

  test('a standby cannot be used, and its primary has every commit', async () => {
    const pair = await startPostgresPair()
    if ('missing' in pair) throw new Error(pair.missing)
    onTestFinished(() => pair.stop())
    const primary = { ...settings, DATABASE_URL: pair.primary.url }
    await (await setUpOperator(readConfig(primary))).close()
    expect((await diagnosed(primary)).oks).toEqual(
      expect.arrayContaining([
        'DATABASE_URL leads to a primary whose commits are durable',
        'a synchronous standby has every commit',
      ]),
    )
    const { findings } = await diagnosed({ ...settings, DATABASE_URL: pair.replica.url })
    expect(findings.find(({ what }) => what === 'DATABASE_URL: the database cannot be used')?.fix).toContain(
      'Name the primary',
    )
  })

  test('a server that is older than PostgreSQL 14 fails', async () => {
    // There is none here, so this one is made to say so.
    await query(`CREATE VIEW pg_settings AS SELECT name, CASE name WHEN 'server_version' THEN '13.22' ELSE setting END AS setting,
      source FROM pg_catalog.pg_settings`)
    await query('ALTER DATABASE postgres SET search_path = public, pg_catalog')
    onTestFinished(async () => {
      await query('ALTER DATABASE postgres RESET search_path')
      await query('DROP VIEW public.pg_settings')
    })
    expect((await diagnosed(settings)).fails).toContain('PostgreSQL 13.22 is too old')
  })

  test('tables to which a newer version has added are not said to be those of this version', async () => {
    await query(`INSERT INTO migrations (id, state, actions, filled) VALUES ('9999-newer', 'done', 0, 0)`)
    onTestFinished(async () => void (await query(`DELETE FROM migrations WHERE id = '9999-newer'`)))
    const { oks } = await diagnosed(settings)
    expect(oks).toContainEqual(
      expect.stringMatching(/^PostgreSQL [\d.]+.* answers, and its tables have what this version needs$/),
    )
  })

  test('a user who lacks one privilege at one table fails, and one who may do all but migrate is warned', async () => {
    await query('CREATE ROLE shop LOGIN; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO shop')
    const url = new URL(server.url)
    url.username = 'shop'
    const asShop = { ...settings, DATABASE_URL: url.href }
    const may = await diagnosed(asShop)
    expect(may.oks).toEqual(
      expect.arrayContaining(['the database user may read and write the tables', 'the database user is no superuser']),
    )
    expect(may.warns).toContain('the database user may not create tables')
    await query('REVOKE DELETE ON api_keys FROM shop')
    expect((await diagnosed(asShop)).fails).toContain('the database user may not write the tables')
    await query('REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM shop')
    expect((await diagnosed(asShop)).fails).toContain('DATABASE_URL: the database cannot be used')
    expect((await diagnosed(settings)).warns).toContain('the database user is a superuser')
  })

  test('WAL that is archived nowhere, cannot be archived, or is not to be archived is a warning', async () => {
    expect((await diagnosed(settings)).warns).toContainEqual(expect.stringMatching(/^archive_mode is on without an/))
    await reload({ archive_command: `'false'` })
    await query('SELECT pg_switch_wal()')
    await expect.poll(() => query('SELECT 1 FROM pg_stat_archiver WHERE failed_count > 0')).toHaveLength(1)
    expect((await diagnosed(settings)).warns).toContainEqual(
      expect.stringMatching(/^the newest WAL could not be archived/),
    )
    await reload({ archive_command: `'true'` })
    const caughtUp = 'SELECT 1 FROM pg_stat_archiver WHERE last_archived_time > last_failed_time'
    await expect.poll(() => query(caughtUp)).toHaveLength(1)
    expect((await diagnosed(settings)).oks).toContain('the WAL is archived')
    const shared = inject('postgresUrl') ?? ''
    const without = await copyDatabase(shared, inject('postgresTemplate'))
    onTestFinished(() => dropDatabase(shared, without))
    const { warns } = await diagnosed({ ...settings, DATABASE_URL: without })
    expect(warns).toContainEqual(expect.stringMatching(/^archive_mode is off/))
  })

  test('a way to the database that leaves the machine has to be encrypted', async () => {
    const relay = await startRelay(new URL(server.url))
    const far = relay(server.url)
    expect((await diagnosed(settings)).oks).toContain('the database is on this machine')
    expect((await diagnosed({ ...settings, DATABASE_URL: far })).warns).toContain(
      'the connection to the database is not encrypted',
    )
    expect((await diagnosed({ ...settings, DATABASE_URL: `${far}?sslmode=no-verify` })).oks).toContain(
      'the connection to the database is encrypted',
    )
  })

  async function pooler(serverUrl: string, its: Readonly<Record<string, string>>): Promise<PgBouncer> {
    const started = await startPgBouncer(serverUrl, { settings: its })
    if ('missing' in started) throw new Error(started.missing)
    onTestFinished(() => started.stop())
    return started
  }

  test('a pooler is found out with its mode, with what it keeps, and with both of its connections', async () => {
    const far = (await startRelay(new URL(server.url)))(server.url)
    const plain = await pooler(far, { server_tls_sslmode: 'disable' })
    const keeps = Number(plain.version.split('.')[1]) >= 21
    const one = await diagnosed({ ...settings, DATABASE_URL: plain.through(server.url) })
    expect(one.warns).toContain('the connection of the pooler to the database is not encrypted')
    expect(one.oks).toContain('the pooler is on this machine')

    const without = keeps ? { max_prepared_statements: '0' } : {}
    const other = await pooler(far, { ...without, server_tls_sslmode: 'require' })
    const farPooler = (await startRelay(new URL(other.through(server.url))))(server.url)
    const two = await diagnosed({ ...settings, DATABASE_URL: farPooler })
    expect(two.oks).toContain('the connection of the pooler to the database is encrypted')
    const mode = 'a pooler in transaction mode is between the platform and its database'
    expect(two.warns).toEqual(
      expect.arrayContaining([
        'the connection to the pooler is not encrypted',
        `${mode} that does not keep prepared statements, so that each is planned anew`,
      ]),
    )
    expect(one.oks.includes(`${mode}, and keeps prepared statements`)).toBe(keeps)
  })

  test('a pooler in session mode is a warning, and so is one without a connection for the doctor', async () => {
    const session = await pooler(server.url, { pool_mode: 'session' })
    const { warns, oks } = await diagnosed({ ...settings, DATABASE_URL: session.through(server.url) })
    expect(warns).toContainEqual(expect.stringMatching(/^a pooler in session mode .* saves none$/))
    expect(oks).toContain('the pooler is on the machine of the database')
    const full = await pooler(server.url, { pool_mode: 'session', default_pool_size: '2' })
    const { warns: ofFull } = await diagnosed({ ...settings, DATABASE_URL: full.through(server.url) })
    expect(ofFull).toContainEqual(expect.stringMatching(/^whether a pooler is in between could not be found out/))
  })

  test('a server on which tables and WAL grow without end is warned of', async () => {
    const seen = async () => (await diagnosed(settings)).warns
    const grows = /^(autovacuum is off|the oldest rows are|nobody reads the replication slots)/
    expect(await seen()).not.toContainEqual(expect.stringMatching(grows))
    await reload({ autovacuum: 'off' })
    await query(`SELECT pg_create_physical_replication_slot('gone_standby', true)`)
    onTestFinished(async () => void (await query(`SELECT pg_drop_replication_slot('gone_standby')`)))
    // As a database is that nobody has vacuumed for 1,200,000,000 transactions.
    const [{ frozen } = {}] = await query(`SELECT datfrozenxid AS frozen FROM pg_database WHERE datname = 'template0'`)
    const freeze = (xid: unknown) =>
      query(`UPDATE pg_database SET datfrozenxid = '${String(xid)}' WHERE datname = 'template0'`)
    await freeze(3_094_967_296)
    onTestFinished(async () => void (await freeze(frozen)))
    expect(await seen()).toEqual(
      expect.arrayContaining([
        'autovacuum is off: tables grow without end, and the server stops one day',
        expect.stringMatching(/^the oldest rows are 12\d{8} transactions old: at two billion/),
        'nobody reads the replication slots gone_standby: the WAL is kept for them until the disk is full',
      ]),
    )
  })

  /** A row as a process writes it with a beat; one of the future is not late in a slow run. */
  const beat = (id: string, { version = '1.0.0', offsetMs = 0, agoMs = -600_000, roles = '["all"]' }) =>
    query(`INSERT INTO processes (id, name, roles, version, schema_number, beats, clock_offset, started_at, heartbeat_at, report)
      VALUES ('${id}', '${id}', '${roles}', '${version}', 1, 1, ${offsetMs}, 0, extract(epoch FROM now()) * 1000 - ${agoMs},
        '{"rounds":{},"takenOver":0,"givenBack":0,"disk":null}')`)

  test('processes of several versions, with wrong clocks, or too many for the server are named; dead ones are not counted', async () => {
    onTestFinished(async () => void (await query('DELETE FROM processes')))
    await beat('dead:1', { agoMs: 11_000 })
    expect((await diagnosed(settings)).warns).toContain('no process is at work')
    await beat('a:1', { offsetMs: -2_001 })
    const one = await diagnosed(settings)
    expect(one.warns).toEqual(
      expect.arrayContaining(['a:1 is the only process at work', "the clock of a:1 is 2001 ms behind the database's"]),
    )
    expect(one.warns).not.toContainEqual(expect.stringContaining('max_connections'))
    await beat('b:1', { version: '1.0.1', offsetMs: 5_001 })
    const two = await diagnosed(settings)
    expect(two.oks).toContain('2 processes are at work: a:1, b:1')
    expect(two.fails).toContain("the clock of b:1 is 5001 ms ahead of the database's")
    expect(two.warns).toEqual(
      expect.arrayContaining(['processes of 2 versions are at work', 'max_connections is 29, with 2 processes']),
    )
    const shared = await pooler(server.url, {})
    const { warns } = await diagnosed({ ...settings, DATABASE_URL: shared.through(server.url) })
    expect(warns).not.toContainEqual(expect.stringContaining('max_connections'))
  })

  test('processes among which none does the work of workers, or has the cards, are a failure', async () => {
    onTestFinished(async () => void (await query('DELETE FROM processes')))
    await beat('a:1', { roles: '["api","plugins"]' })
    await beat('b:1', { roles: '["api"]' })
    expect((await diagnosed(settings)).fails).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^no process has the role worker: no webhook is sent/),
        'no process has the role vault: no card can be typed or charged',
      ]),
    )
    await beat('c:1', { roles: '["vault","worker"]' })
    expect((await diagnosed(settings)).fails).not.toContainEqual(expect.stringContaining('has the role'))
  })

  test('a process that beats is at work', async () => {
    const config = readConfig(settings)
    const platform = await startPlatform(withKeys(config), {
      log: createPlatformLog(config, join(home, 'platform.log')),
    })
    onTestFinished(() => platform.stop())
    expect((await diagnosed(settings)).warns).toContainEqual(expect.stringMatching(/ is the only process at work$/))
  })

  test.skipIf(FAKETIME === '')(
    "this machine's clock may be two seconds off, is warned of, and fails beyond five (faketime)",
    { timeout: 240_000 },
    async () => {
      const said = async (offset: string) => {
        const clock = {
          LD_PRELOAD: FAKETIME,
          FAKETIME: offset,
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          DONT_FAKE_MONOTONIC: '1',
        }
        const { findings } = await diagnosedApart({ ...settings, ...clock })
        const found = findings.find(({ what }) => what.startsWith("this machine's clock"))
        return [found?.level, found?.what.replace(/\d+ ms/, '')]
      }
      expect(await Promise.all([said('-3s'), said('+8s')])).toEqual([
        ['warn', "this machine's clock is  behind the database's"],
        ['fail', "this machine's clock is  ahead of the database's"],
      ])
    },
  )

  test.skipIf(FAKETIME === '')(
    'every check of the database and of the processes on it has warned or failed above',
    () => {
      const sqlite = 'Database, warns: SQLite' // of the tests of settings
      expect(unseen('Database', 'Pooler', 'Clocks', 'Processes')).toEqual([sqlite])
    },
  )
})

/** Stands for another machine in between: neither side sees the other at its own address. */
async function startRelay({ port }: URL): Promise<(url: string) => string> {
  const relay = createServer((client) => {
    const onward = connect({ host: '127.0.0.1', port: Number(port), localAddress: '127.0.0.2' })
    client.pipe(onward).pipe(client)
    client.on('error', () => onward.destroy())
    onward.on('error', () => client.destroy())
  })
  await once(relay.listen(0, '127.0.0.2'), 'listening')
  onTestFinished(() => void relay.close())
  return (url) => {
    const through = new URL(url)
    through.hostname = '127.0.0.2'
    through.port = String((relay.address() as AddressInfo).port) // it listens on TCP
    return through.href
  }
}
