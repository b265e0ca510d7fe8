import { certificateEndMs } from '../channel/index.ts'
import { CLOCK_OFF_MS } from '../cluster/index.ts'
import type { Config } from '../config.ts'
import { newestKeys, rings, ringStatus } from '../keys/index.ts'
import { flag, int, lastBackup, type Pooler, poolerOf, readDatabaseUrl, rowReader, text } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'

/** The result of a check of what production rests on. */
export interface ProductionFinding {
  level: 'ok' | 'warn' | 'fail'
  /** One sentence that names the setting or the thing. */
  what: string
  /** `null` if there is nothing to fix. */
  fix: string | null
}

export const ok = (what: string): ProductionFinding => ({ level: 'ok', what, fix: null })
export const warn = (what: string, fix: string): ProductionFinding => ({ level: 'warn', what, fix })
export const fail = (what: string, fix: string): ProductionFinding => ({ level: 'fail', what, fix })

const sqlite = warn(
  'the database is a file on this machine: one process serves, and the machine is a single point of failure',
  'set DATABASE_URL to a PostgreSQL with a synchronous standby, or accept it and copy backups elsewhere',
)

const OLDEST_POSTGRES = 14
const MACHINE_TIME_FAIL_MS = 60_000
/** Database connections opened by each process of the platform. */
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

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A day, and the time that a job may take longer than the day before. */
const BACKUP_WARN_MS = 26 * HOUR_MS
const BACKUP_FAIL_MS = 7 * DAY_MS
/** A year, and a month in which it is done. */
const KEY_WARN_DAYS = 400
const CERTIFICATE_WARN_DAYS = 21
const CERTIFICATE_FAIL_DAYS = 3

/** Checks what grows old: backups, encryption keys, and the certificates of the channel between roles. */
export async function agesFindings(services: OperatorServices, config: Config): Promise<ProductionFinding[]> {
  return [...(await ofBackups(services)), ...(await ofKeys(services)), ...ofChannel(config, Date.now())]
}

async function ofBackups({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const backup = await lastBackup(db)
  if (backup === null) {
    return [
      warn(
        'no whole backup of this database was ever taken by "tillwright backup"',
        'run "tillwright backup --to PLACE" every day, on another machine or a store of its own',
      ),
    ]
  }
  const ageMs = clock.machineNow() - backup.takenAtMs
  const what = `the newest backup is ${spanOf(ageMs)} old`
  const fix = 'see why its job does not run, and run "tillwright backup --to PLACE"'
  const recency = ageMs > BACKUP_FAIL_MS ? fail(what, fix) : ageMs > BACKUP_WARN_MS ? warn(what, fix) : ok(what)
  return [
    recency,
    backup.verifiedAtMs === null
      ? warn('the newest backup was never proved', 'run "tillwright restore --from PLACE --verify"')
      : ok('the newest backup was proved: it can be restored'),
    ...(backup.missingBlobs > 0
      ? [
          warn(
            `the newest backup lacks ${backup.missingBlobs} files of plugins that the store no longer had`,
            'publish these plugins again; "tillwright backup" lists the files',
          ),
        ]
      : []),
  ]
}

async function ofKeys({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const nowMs = clock.now()
  const perRing = rings.map(async (ring) => {
    const { dataMs, masterMs } = await newestKeys(ring, db)
    const { masterKeys } = await ringStatus(ring, { db, nowMs, columns: [] })
    const days = (sinceMs: number | null) => Math.floor((nowMs - (sinceMs ?? nowMs)) / DAY_MS)
    return [
      ofAge(`the data key of ${ring}`, days(dataMs), `tillwright keys rotate ${ring}`),
      ofAge(`the master key of ${ring}`, days(masterMs), `tillwright keys rotate ${ring} --to NEW`),
      ...(masterKeys.length > 1
        ? [
            warn(
              `the ${ring} open under ${masterKeys.length} master keys: a replacement is not finished`,
              `restart every process with the new key, then "tillwright keys rotate ${ring} --finish"`,
            ),
          ]
        : []),
    ]
  })
  return (await Promise.all(perRing)).flat()
}

function ofAge(key: string, days: number, command: string): ProductionFinding {
  const what = `${key} is ${days} days old`
  return days > KEY_WARN_DAYS ? warn(what, `make a new one with "${command}"; nothing has to stop`) : ok(what)
}

function ofChannel({ channel }: Config, nowMs: number): ProductionFinding[] {
  if (channel === undefined) return []
  return [
    certificateFinding('TILLWRIGHT_CHANNEL_CERT', channel.tls.cert, nowMs),
    certificateFinding('TILLWRIGHT_CHANNEL_CA', channel.tls.ca, nowMs),
  ]
}

function certificateFinding(setting: string, pem: string, nowMs: number): ProductionFinding {
  let endMs: number
  try {
    endMs = certificateEndMs(pem)
  } catch {
    return fail(`${setting}: holds no certificate that can be read`, 'name a file with a certificate in PEM')
  }
  const days = Math.floor((endMs - nowMs) / DAY_MS)
  const what = `${setting}: is valid for ${days} days`
  const fix = 'renew the file, and restart the processes of this role one after the other'
  if (days < CERTIFICATE_FAIL_DAYS) return fail(what, fix)
  return days < CERTIFICATE_WARN_DAYS ? warn(what, fix) : ok(what)
}

function spanOf(ms: number): string {
  const hours = Math.round(ms / HOUR_MS)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}
