import { CLOCK_OFF_MS } from '../cluster/index.ts'
import type { Config } from '../config.ts'
import { flag, int, type Pooler, poolerOf, readDatabaseUrl, rowReader, text } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

const sqlite = warn(
  'the database is a file on this machine: one process serves, and the machine is a single point of failure',
  'set DATABASE_URL to a PostgreSQL with a synchronous standby, or accept it and copy backups elsewhere',
)

const OLDEST_POSTGRES = 14
const MACHINE_TIME_FAIL_MS = 60_000
/** What each process of the platform opens. */
const CONNECTIONS_PER_PROCESS = 10

/** Settings of the server, as rows of name and value, so that one query reads them all. */
const SERVER = `SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit',
  'full_page_writes', 'synchronous_standby_names', 'archive_mode', 'max_connections')`
const RIGHTS = `SELECT has_schema_privilege(current_user, current_schema(), 'CREATE')::int AS create_tables,
  has_table_privilege(current_user, 'payments', 'SELECT, INSERT, UPDATE, DELETE')::int AS write_rows,
  (SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user) AS superuser, pg_is_in_recovery()::int AS standby,
  coalesce((SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()), 0) AS tls`

const readSettings = rowReader({ name: text, setting: text })
const readRights = rowReader({ create_tables: flag, write_rows: flag, superuser: flag, standby: flag, tls: flag })
const readNow = rowReader({ now: int })

/** Checks the server, the rights of its user, what is in between, the clocks, and the processes that share it. */
export async function databaseFindings(services: OperatorServices, config: Config): Promise<ProductionFinding[]> {
  return services.db.engine === 'postgres' ? ofPostgres(services, config) : [sqlite]
}

async function ofPostgres({ db, clock }: OperatorServices, { databaseUrl = '' }: Config): Promise<ProductionFinding[]> {
  const server = new Map(readSettings(await db.read(SERVER, [])).map(({ name, setting }) => [name, setting]))
  const [rights] = readRights(await db.read(RIGHTS, []))
  const sentMs = clock.machineNow()
  const [time] = readNow(await db.read('SELECT {now} AS now', []))
  const offsetMs = (sentMs + clock.machineNow()) / 2 - (time?.now ?? sentMs)
  const version = server.get('server_version') ?? ''
  const { hosts } = readDatabaseUrl(databaseUrl, { setting: 'DATABASE_URL', role: 'primary' })
  const isHere = hosts.every(({ name }) => /^(localhost|127\.0\.0\.1|\[::1\]|\/.*):\d+$/.test(name))
  const isSynchronous = server.get('synchronous_standby_names') !== ''
  return [
    Number.parseInt(version, 10) >= OLDEST_POSTGRES
      ? ok(`PostgreSQL ${version} answers, and its tables are those of this version`)
      : fail(`PostgreSQL ${version} is too old`, `upgrade the server to PostgreSQL ${OLDEST_POSTGRES} or newer`),
    ...['fsync', 'full_page_writes'].map((name) =>
      server.get(name) === 'on'
        ? ok(`${name} is on`)
        : fail(`${name} is ${server.get(name)}`, `set ${name} = on in postgresql.conf: a crash may lose payments`),
    ),
    rights?.standby === true
      ? fail(
          'DATABASE_URL leads to a standby, which takes no writes',
          'name the primary, or all hosts with target_session_attrs=read-write',
        )
      : ok('DATABASE_URL leads to a primary'),
    rights?.write_rows === true
      ? ok('the database user may read and write the tables')
      : fail(
          'the database user may not write the tables',
          'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public',
        ),
    rights?.create_tables === true
      ? ok('the database user may migrate')
      : warn(
          'the database user may not create tables',
          'run migrations as the owner of the schema, before each new version',
        ),
    rights?.superuser === true
      ? warn('the database user is a superuser', 'give the platform a user that owns its database and nothing else')
      : ok('the database user is no superuser'),
    isHere || rights?.tls === true
      ? ok(isHere ? 'the database is on this machine' : 'the connection to the database is encrypted')
      : warn('the connection to the database is not encrypted', 'add sslmode=verify-full to DATABASE_URL'),
    isSynchronous
      ? ok('a synchronous standby has every commit')
      : warn(
          'no standby is synchronous: a lost disk loses acknowledged payments',
          'set synchronous_standby_names on the server',
        ),
    server.get('archive_mode') === 'off'
      ? warn(
          'archive_mode is off: the database cannot be brought back to a point in time',
          'archive the WAL, for example with pgBackRest or WAL-G',
        )
      : ok('the WAL is archived'),
    poolerFinding(await poolerOf(databaseUrl)),
    clockFinding(offsetMs),
    ...(await ofProcesses(db, Number(server.get('max_connections')))),
  ]
}

function poolerFinding({ mode, keepsStatements }: Pooler): ProductionFinding {
  if (mode === 'none') return ok('no pooler is between the platform and its database')
  const what = `a pooler in ${mode} mode is between the platform and its database`
  if (mode === 'session') {
    return warn(
      `${what}, which keeps a connection of the server for each of ours and saves none`,
      'set pool_mode = transaction in pgbouncer.ini',
    )
  }
  return keepsStatements
    ? ok(`${what}, and keeps prepared statements`)
    : warn(
        `${what} that does not keep prepared statements, so that each is planned anew`,
        'use PgBouncer 1.21 or newer with max_prepared_statements = 200',
      )
}

function clockFinding(offsetMs: number): ProductionFinding {
  const what = `this machine's clock is ${Math.round(Math.abs(offsetMs))} ms ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`
  const fix = 'enable NTP on both machines'
  if (Math.abs(offsetMs) > MACHINE_TIME_FAIL_MS) return fail(what, fix)
  return Math.abs(offsetMs) > CLOCK_OFF_MS ? warn(what, fix) : ok(what)
}

const readProcesses = rowReader({ name: text, version: text, clock_offset: int })

/** Of the processes that run now. */
async function ofProcesses(db: OperatorServices['db'], maxConnections: number): Promise<ProductionFinding[]> {
  const rows = readProcesses(await db.read('SELECT name, version, clock_offset FROM processes', []))
  const names = rows.map(({ name }) => name)
  const versions = new Set(rows.map(({ version }) => version))
  const off = rows.filter((row) => Math.abs(row.clock_offset) > CLOCK_OFF_MS)
  const room = Math.floor(maxConnections / CONNECTIONS_PER_PROCESS)
  return [
    rows.length >= 2
      ? ok(`${rows.length} processes are at work: ${names.join(', ')}`)
      : warn(
          rows.length === 0 ? 'no process is at work' : `${names.join()} is the only process at work`,
          'run two at least, on different machines, so that one may fail or restart',
        ),
    ...(versions.size > 1 ? [warn(`processes of ${versions.size} versions are at work`, 'finish the upgrade')] : []),
    ...off.map((row) =>
      fail(`the clock of ${row.name} is off by ${Math.round(row.clock_offset / 1_000)} s`, 'enable NTP there'),
    ),
    ...(rows.length + 1 > room
      ? [
          warn(
            `max_connections is ${maxConnections}, with ${rows.length} processes`,
            `allow ${(rows.length + 2) * CONNECTIONS_PER_PROCESS}, or put PgBouncer in between`,
          ),
        ]
      : []),
  ]
}
