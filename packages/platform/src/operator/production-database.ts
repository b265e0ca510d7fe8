import { CLOCK_OFF_MS, listProcesses } from '../cluster/index.ts'
import type { Config } from '../config.ts'
import { flag, int, nullable, type Pooler, poolerOf, readDatabaseUrl, rowReader, text } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'
import { fail, ok, type ProductionFinding, warn } from './production-finding.ts'

const sqlite = warn(
  'the database is a file on this machine: one process serves, and the machine is a single point of failure',
  'set DATABASE_URL to a PostgreSQL with a synchronous standby, or accept it and copy backups elsewhere',
)

const OLDEST_POSTGRES = 14

/** Settings of the server, as rows of name and value, so that one query reads them all. */
const SERVER = `SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'synchronous_standby_names',
  'archive_mode', 'archive_command', 'archive_library', 'max_connections', 'autovacuum')`
/** Of several privileges in one call any is enough, so each has its own. */
const RIGHTS = `SELECT has_schema_privilege(current_user, current_schema(), 'CREATE')::int AS create_tables,
  (SELECT bool_and(has_table_privilege(t.oid, 'SELECT') AND has_table_privilege(t.oid, 'INSERT')
      AND has_table_privilege(t.oid, 'UPDATE') AND has_table_privilege(t.oid, 'DELETE'))::int
    FROM pg_class t JOIN pg_class payments ON payments.oid = 'payments'::regclass
    WHERE t.relnamespace = payments.relnamespace AND t.relowner = payments.relowner AND t.relkind = 'r') AS write_rows,
  (SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user) AS superuser,
  coalesce((SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()), 0) AS tls,
  coalesce(inet_client_addr() = inet_server_addr(), true)::int AS client_beside`
/** Whether the newest attempt to archive a piece of the WAL has failed. */
const ARCHIVER = `SELECT coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)::int AS fails
  FROM pg_stat_archiver`

/** What fills a server's disk, or stops it, when nobody looks after it for months. */
const UPKEEP = `SELECT (SELECT max(age(datfrozenxid)) FROM pg_database)::bigint AS unfrozen,
  (SELECT string_agg(slot_name::text, ', ') FROM pg_replication_slots WHERE NOT active) AS idle_slots`

const readSettings = rowReader({ name: text, setting: text })
const readRights = rowReader({ create_tables: flag, write_rows: flag, superuser: flag, tls: flag, client_beside: flag })
const readArchiver = rowReader({ fails: flag })
const readUpkeep = rowReader({ unfrozen: int, idle_slots: nullable(text) })
const readNow = rowReader({ now: int })

/** Checks the server, the rights of its user, what is in between, the clocks, and the processes that share it. */
export async function databaseFindings(services: OperatorServices, config: Config): Promise<ProductionFinding[]> {
  return services.db.engine === 'postgres' ? ofPostgres(services, config) : [sqlite]
}

async function ofPostgres({ db, clock }: OperatorServices, { databaseUrl = '' }: Config): Promise<ProductionFinding[]> {
  const server = new Map(readSettings(await db.read(SERVER, [])).map(({ name, setting }) => [name, setting]))
  const sentMs = clock.machineNow()
  const [time] = readNow(await db.read('SELECT {now} AS now', []))
  const offsetMs = (sentMs + clock.machineNow()) / 2 - (time?.now ?? sentMs)
  const rights = await rightsIn(db)
  const pooler = await poolerOf(databaseUrl).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  return [
    versionFinding(server.get('server_version') ?? ''),
    // A server that takes no writes, or whose settings are unsafe, has not been opened at all.
    ok('DATABASE_URL leads to a primary whose commits are durable'),
    ...rightsFindings(rights),
    ...wayFindings({ rights, pooler, databaseUrl }),
    (server.get('synchronous_standby_names') ?? '') === ''
      ? warn(
          'no standby is synchronous: a lost disk loses acknowledged payments',
          'set synchronous_standby_names on the server',
        )
      : ok('a synchronous standby has every commit'),
    archiveFinding(server, readArchiver(await db.read(ARCHIVER, []))[0]?.fails === true),
    ...upkeepFindings(server.get('autovacuum') === 'on', readUpkeep(await db.read(UPKEEP, []))[0]),
    poolerFinding(pooler),
    clockFinding("this machine's clock", offsetMs),
    ...(await ofProcesses(db, { maxConnections: Number(server.get('max_connections')), pooler })),
  ]
}

function versionFinding(version: string): ProductionFinding {
  return Number.parseInt(version, 10) >= OLDEST_POSTGRES
    ? ok(`PostgreSQL ${version} answers, and its tables have what this version needs`)
    : fail(`PostgreSQL ${version} is too old`, `upgrade the server to PostgreSQL ${OLDEST_POSTGRES} or newer`)
}

type Rights = ReturnType<typeof readRights>[number]

async function rightsIn(db: OperatorServices['db']): Promise<Rights> {
  const [rights] = readRights(await db.read(RIGHTS, []))
  if (rights === undefined) throw new Error('A query without a table has one row.')
  return rights
}

function rightsFindings({ write_rows: writes, create_tables: migrates, superuser }: Rights): ProductionFinding[] {
  return [
    writes
      ? ok('the database user may read and write the tables')
      : fail(
          'the database user may not write the tables',
          'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public',
        ),
    migrates
      ? ok('the database user may migrate')
      : warn(
          'the database user may not create tables',
          'run migrations as the owner of the schema, before each new version',
        ),
    superuser
      ? warn('the database user is a superuser', 'give the platform a user that owns its database and nothing else')
      : ok('the database user is no superuser'),
  ]
}

/** Each part of the way to the database is encrypted, or does not leave a machine. */
function wayFindings({
  rights,
  pooler,
  databaseUrl,
}: {
  rights: Rights
  pooler: Pooler | string
  databaseUrl: string
}): ProductionFinding[] {
  const { hosts } = readDatabaseUrl(databaseUrl, { setting: 'DATABASE_URL', role: 'primary' })
  const isHere = hosts.every(({ name }) => /^(localhost|127\.0\.0\.1|\[::1\]|\/.*):\d+$/.test(name))
  if (typeof pooler === 'string' || pooler.mode === 'none') {
    return [
      isHere || rights.tls
        ? ok(isHere ? 'the database is on this machine' : 'the connection to the database is encrypted')
        : warn('the connection to the database is not encrypted', 'add sslmode=verify-full to DATABASE_URL'),
    ]
  }
  return [
    isHere || pooler.isEncrypted
      ? ok(isHere ? 'the pooler is on this machine' : 'the connection to the pooler is encrypted')
      : warn('the connection to the pooler is not encrypted', 'add sslmode=verify-full to DATABASE_URL'),
    rights.client_beside || rights.tls
      ? ok(
          rights.client_beside
            ? 'the pooler is on the machine of the database'
            : 'the connection of the pooler to the database is encrypted',
        )
      : warn(
          'the connection of the pooler to the database is not encrypted',
          'set server_tls_sslmode = verify-full in pgbouncer.ini',
        ),
  ]
}

function archiveFinding(server: ReadonlyMap<string, string>, fails: boolean): ProductionFinding {
  if (server.get('archive_mode') === 'off') {
    return warn(
      'archive_mode is off: the database cannot be brought back to a point in time',
      'archive the WAL, for example with pgBackRest or WAL-G',
    )
  }
  if ((server.get('archive_command') ?? '') + (server.get('archive_library') ?? '') === '') {
    return warn(
      'archive_mode is on without an archive_command: the WAL is kept until the disk is full, and archived nowhere',
      'set archive_command or archive_library, for example for pgBackRest or WAL-G',
    )
  }
  return fails
    ? warn(
        'the newest WAL could not be archived, and is kept until it can or the disk is full',
        "read why in the server's log, and mend archive_command",
      )
    : ok('the WAL is archived')
}

/** Of the two billion transactions after which a server takes no more writes until all tables are vacuumed. */
const UNFROZEN_WARN = 1_000_000_000

function upkeepFindings(
  vacuums: boolean,
  { unfrozen = 0, idle_slots: slots = null }: Partial<ReturnType<typeof readUpkeep>[number]> = {},
): ProductionFinding[] {
  const warnings = [
    ...(vacuums
      ? []
      : [warn('autovacuum is off: tables grow without end, and the server stops one day', 'set autovacuum = on')]),
    ...(unfrozen <= UNFROZEN_WARN
      ? []
      : [
          warn(
            `the oldest rows are ${unfrozen} transactions old: at two billion the server takes no more writes`,
            'end transactions that have been open for days, and run vacuumdb --all --freeze',
          ),
        ]),
    ...(slots === null
      ? []
      : [
          warn(
            `nobody reads the replication slots ${slots}: the WAL is kept for them until the disk is full`,
            'start their standby, or SELECT pg_drop_replication_slot(...), and set max_slot_wal_keep_size',
          ),
        ]),
  ]
  return warnings.length > 0 ? warnings : [ok('the server vacuums its tables, and keeps no WAL for nobody')]
}

/** @param pooler Why it could not be found out, or what there is. */
function poolerFinding(pooler: Pooler | string): ProductionFinding {
  if (typeof pooler === 'string') {
    return warn(
      `whether a pooler is in between could not be found out (${pooler})`,
      'allow a few connections more than the processes of the platform take: default_pool_size, or max_connections',
    )
  }
  const { mode, keepsStatements } = pooler
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

/** As far off as the alert of clocks allows. */
const CLOCK_WARN_MS = 2_000

/** A process whose clock is off by more than `CLOCK_OFF_MS` is not ready while others are right. */
function clockFinding(clock: string, offsetMs: number): ProductionFinding {
  const what = `${clock} is ${Math.round(Math.abs(offsetMs))} ms ${offsetMs > 0 ? 'ahead of' : 'behind'} the database's`
  const fix = 'enable NTP on both machines'
  if (Math.abs(offsetMs) > CLOCK_OFF_MS) return fail(what, fix)
  return Math.abs(offsetMs) > CLOCK_WARN_MS ? warn(what, fix) : ok(what)
}

/** A process beats each second, and is forgotten by the others after six; where none is left, nobody forgets. */
const SILENT_MS = 10_000
/** Six of each process, one more while the schema changes, and those of a command beside it. */
const CONNECTIONS_PER_PROCESS = 10

/** Of the processes that run now. */
async function ofProcesses(
  db: OperatorServices['db'],
  { maxConnections, pooler }: { maxConnections: number; pooler: Pooler | string },
): Promise<ProductionFinding[]> {
  const living = (await listProcesses(db)).filter(({ heartbeatAgeMs }) => heartbeatAgeMs < SILENT_MS)
  const names = living.map(({ name }) => name).join(', ')
  const versions = new Set(living.map(({ version }) => version))
  // In transaction mode the server's connections are the pooler's, however many the processes have.
  const sharesConnections = typeof pooler !== 'string' && pooler.mode === 'transaction'
  const room = Math.floor(maxConnections / CONNECTIONS_PER_PROCESS)
  return [
    living.length >= 2
      ? ok(`${living.length} processes are at work: ${names}`)
      : warn(
          living.length === 0 ? 'no process is at work' : `${names} is the only process at work`,
          'run two at least, on different machines, so that one may fail or restart',
        ),
    ...(living.length === 0 ? [] : rolesFindings(new Set(living.flatMap(({ roles }) => roles)))),
    ...(versions.size > 1 ? [warn(`processes of ${versions.size} versions are at work`, 'finish the upgrade')] : []),
    ...living
      .map(({ name, clockOffsetMs }) => clockFinding(`the clock of ${name}`, clockOffsetMs))
      .filter(({ level }) => level !== 'ok'),
    ...(sharesConnections || living.length + 1 <= room
      ? []
      : [
          warn(
            `max_connections is ${maxConnections}, with ${living.length} processes`,
            `allow ${(living.length + 2) * CONNECTIONS_PER_PROCESS}, or put PgBouncer in between`,
          ),
        ]),
  ]
}

/** What stands still without a process of a role that no public address leads to, or that has the cards. */
const needed = {
  worker: 'no webhook is sent, no subscription renewed, and no payment without an outcome brought to its end',
  vault: 'no card can be typed or charged',
}

function rolesFindings(roles: ReadonlySet<string>): ProductionFinding[] {
  return Object.entries(needed)
    .filter(([role]) => !roles.has(role) && !roles.has('all'))
    .map(([role, then]) => fail(`no process has the role ${role}: ${then}`, `start one with TILLWRIGHT_ROLE=${role}`))
}
