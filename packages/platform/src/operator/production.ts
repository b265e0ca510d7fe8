import { createHash, randomBytes } from 'node:crypto'
import { CLOCK_OFF_MS } from '../cluster/index.ts'
import type { Config } from '../config.ts'
import { webhookEndpointsTable } from '../events/index.ts'
import { openProcessorSecret, type ProcessorRegistry, processorsTable, refuseSimulators } from '../processors/index.ts'
import { isAnyPort, OperatorError } from '../runtime/index.ts'
import { defineTable, flag, int, json, openBlobs, pick, readDatabaseUrl, rowReader, text } from '../storage/index.ts'
import type { OperatorServices } from './operator-services.ts'

/** The result of a check of what production rests on. */
export interface ProductionFinding {
  level: 'ok' | 'warn' | 'fail'
  /** One sentence that names the setting or the thing. */
  what: string
  /** `null` if there is nothing to fix. */
  fix: string | null
}

/** Checks before and while a platform takes real payments. Nothing is changed but one blob, which is removed again. */
export interface ProductionChecks {
  /** Of the database, the keys, the store of files and what accounts have set. */
  findings(): Promise<ProductionFinding[]>
  /** The domains that plugins were promoted to, in alphabetical order. */
  domains(): Promise<string[]>
}

const ok = (what: string): ProductionFinding => ({ level: 'ok', what, fix: null })
const warn = (what: string, fix: string): ProductionFinding => ({ level: 'warn', what, fix })
const fail = (what: string, fix: string): ProductionFinding => ({ level: 'fail', what, fix })

export function productionChecks(
  services: OperatorServices,
  { config, registry }: { config: Config; registry: ProcessorRegistry },
): ProductionChecks {
  const { db } = services
  return {
    async findings() {
      const groups = [
        db.engine === 'postgres' ? await ofPostgres(services, config) : [sqlite],
        [await ofBlobs(config, services)],
        await ofProcessors(services, registry),
        await ofAccounts(services),
      ]
      return groups.flat()
    },
    async domains() {
      return readHostnames(await db.read('SELECT hostname FROM domain_hostnames ORDER BY hostname', [])).map(
        ({ hostname }) => hostname,
      )
    },
  }
}

const readHostnames = rowReader(defineTable('domain_hostnames', { hostname: text }))

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
    clockFinding(offsetMs),
    ...(await ofProcesses(db, Number(server.get('max_connections')))),
  ]
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

/** Writes, reads and removes a blob. */
async function ofBlobs(config: Config, { clock }: OperatorServices): Promise<ProductionFinding> {
  const place = config.blobs === undefined ? `TILLWRIGHT_HOME (${config.home}/blobs)` : 'TILLWRIGHT_BLOBS'
  const bytes = randomBytes(64)
  try {
    const name = createHash('sha256').update(bytes).digest('hex')
    const blobs = await openBlobs(config, clock)
    await blobs.put(name, bytes)
    const read = await blobs.get(name)
    await blobs.remove(name)
    if (read === null || !bytes.equals(read))
      return fail(`${place} gives back other bytes`, 'check the disk or the bucket')
    const isShared = config.blobs !== undefined || config.databaseUrl === undefined
    return isShared
      ? ok(`${place} stores files and gives them back`)
      : warn(
          `${place} works, but is a folder: every process has to share it`,
          'set TILLWRIGHT_BLOBS to an S3 bucket, or mount one folder everywhere',
        )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return fail(
      `${place} cannot be written: ${reason}`,
      'correct TILLWRIGHT_BLOBS and its credentials, or the owner of the folder',
    )
  }
}

/** Every secret opens under TILLWRIGHT_SECRETS_KEY and is a live one; nothing is simulated. */
async function ofProcessors(services: OperatorServices, registry: ProcessorRegistry): Promise<ProductionFinding[]> {
  const sql =
    'SELECT account_id, id, driver, sealed_secret FROM processors WHERE archived_at IS NULL ORDER BY account_id, id'
  const rows = readProcessors(await services.db.read(sql, []))
  const findings = rows.flatMap((row) => secretFindings(row, { services, registry }))
  const simulated = await refuseSimulators({ ...services, environment: 'production' }, registry).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OperatorError) return fail(error.message, 'tillwright processors archive ID')
      throw error
    },
  )
  if (simulated !== null) findings.push(simulated)
  if (findings.length > 0) return findings
  return [
    rows.length === 0
      ? warn('there is no processor, so no payment can be taken', 'tillwright processors add')
      : ok(`the secrets of ${rows.length} processors open, and none is for tests`),
  ]
}

const readProcessors = rowReader(pick(processorsTable, 'account_id', 'id', 'driver', 'sealed_secret'))

function secretFindings(
  { id, account_id: account, driver: name, sealed_secret: sealed }: ReturnType<typeof readProcessors>[number],
  { services, registry }: { services: OperatorServices; registry: ProcessorRegistry },
): ProductionFinding[] {
  const driver = registry.find(name)
  const rule = driver?.secret ?? null
  if (rule === null || sealed === null) return []
  const replace = `archive it with "tillwright processors archive ${id}" and add it again`
  try {
    const problem = rule.problem(openProcessorSecret(sealed, id, services), 'production')
    return problem === null
      ? []
      : [fail(`the processor ${id} of ${account} has a secret that is not for production`, replace)]
  } catch {
    return [
      fail(
        `the secret of the processor ${id} of ${account} does not open under TILLWRIGHT_SECRETS_KEY`,
        `start with the right key, or ${replace}`,
      ),
    ]
  }
}

/** Webhooks go over HTTPS, and keys of pages are for pages that buyers can reach. */
async function ofAccounts({ db, clock }: OperatorServices): Promise<ProductionFinding[]> {
  const endpoints = readEndpoints(
    await db.read('SELECT id, url, enabled FROM webhook_endpoints ORDER BY account_id, id', []),
  )
  const plain = endpoints.filter((row) => !row.url.startsWith('https://'))
  const disabled = endpoints.filter((row) => !row.enabled)
  const keys = readKeys(
    await db.read(
      "SELECT id, allowed_origins FROM api_keys WHERE kind = 'publishable' AND revoked_at IS NULL ORDER BY account_id, id",
      [],
    ),
  )
  const local = keys.filter((row) => row.allowed_origins.some(isForDevelopers))
  const soonMs = clock.now() + 14 * 24 * 3_600_000
  const ending = readIds(
    await db.read(
      'SELECT id FROM api_keys WHERE revoked_at IS NULL AND expires_at > ? AND expires_at < ? ORDER BY account_id, id',
      [clock.now(), soonMs],
    ),
  )
  const findings = [
    ...plain.map((row) =>
      fail(
        `the webhook endpoint ${row.id} is not on https://`,
        `"tillwright webhooks remove ${row.id}", and add it with https://`,
      ),
    ),
    ...disabled.map((row) =>
      warn(
        `the webhook endpoint ${row.id} is disabled after failures`,
        `mend its server, then "tillwright webhooks enable ${row.id}"`,
      ),
    ),
    ...local.map((row) =>
      warn(
        `the publishable key ${row.id} works on pages without https://`,
        `"tillwright keys revoke ${row.id}", and create one for the shop's origin`,
      ),
    ),
    ...ending.map((row) =>
      warn(`the key ${row.id} expires within two weeks`, 'create its successor with "tillwright keys create"'),
    ),
  ]
  return findings.length > 0
    ? findings
    : [ok(`${endpoints.length} webhook endpoints and all keys are fit for production`)]
}

const readEndpoints = rowReader(pick(webhookEndpointsTable, 'id', 'url', 'enabled'))
const readKeys = rowReader({ id: text, allowed_origins: json<string[]>() })
const readIds = rowReader({ id: text })

function isForDevelopers(origin: string): boolean {
  return isAnyPort(origin) || !origin.startsWith('https://')
}
