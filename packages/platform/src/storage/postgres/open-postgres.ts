import pg from 'pg'
import pgPackage from 'pg/package.json' with { type: 'json' }
import { type Database, DatabaseUnavailable, type Row, type SchemaAccess, type Value } from '../database.ts'
import { type Answer, type BatchResult, requireInternals, rowsOf } from './batch.ts'
import { type Link, link } from './connection.ts'
import { type DatabaseUrl, readDatabaseUrl } from './database-url.ts'
import { explainStart, failureOf, isCutOff, unavailable } from './failures.ts'
import { type GroupLimits, Groups, type Waiting } from './groups.ts'
import { hostsOf } from './hosts.ts'
import { openSchemaConnection } from './schema-connection.ts'
import { type Fence, settleTransactions, type WaitingTransaction } from './transactions.ts'
import { type Translate, translator } from './translate.ts'

/** Several, so that one group can fill while another waits for the server's disk. */
const OF_PLATFORM = { writers: 4, readers: 2 }
/** Fewer connections make larger groups: the others are for when one of these takes long. */
const EAGER = { writers: 2, readers: 1 }
const GATHER_MS = 5
/** Connections of a command next to a platform, or of a single look: each costs the server a process. */
const OF_COMMAND = { writers: 1, readers: 1 }
const READERS_OF_REPLICA = 2

/** Limits how long a group holds its locks. */
const MAX_TRANSACTIONS = 64
/** A slow read delays the reads behind it. */
const MAX_READS = 32

/** How long a replica is waited for before the primary is asked instead. */
const REPLICA_ANSWER_MS = 4_500

/** How long a start looks for a server that takes writes. */
const START_MS = 9_000

/**
 * Opens PostgreSQL, or a server that speaks its protocol, for platforms of many processes.
 *
 * @param options `url`: `postgres://user:password@host:port/database`, with several hosts if a replica may take over; the
 *   database must exist. `replicaUrl`: servers for reads that may be a little behind. `schemaStatementMs`: how long a
 *   statement that changes the schema may take; as long as it takes unless given. `isCommand`: two connections instead of six.
 * @throws {OperatorError} If an incompatible version of `pg` is installed, or a URL is wrong.
 * @throws {UnsafeDatabase} If the server's settings do not make commits durable.
 * @throws {DatabaseUnavailable} If the server cannot be reached.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, replicaUrl, schemaStatementMs: statementMs = 0, isCommand = false } = options
  requireInternals(pg, pgPackage.version)
  const primary = readDatabaseUrl(url, { setting: 'DATABASE_URL', role: 'primary' })
  const hosts = hostsOf(primary)
  const connections = isCommand ? OF_COMMAND : OF_PLATFORM
  const writers = Array.from({ length: connections.writers }, () => link(hosts, 'write'))
  const readers = Array.from({ length: connections.readers }, () => link(hosts, 'read'))
  const replicas = replicaUrl === undefined ? [] : linksToReplica(replicaUrl)
  await start([...writers, ...readers], primary)
  return database({ writers, readers, replicas }, () => openSchemaConnection({ hosts, statementMs }))
}

interface PostgresOptions {
  url: string
  replicaUrl?: string
  schemaStatementMs?: number
  /** Whether a few connections are enough, because a command has the database to itself or works next to a platform. */
  isCommand?: boolean
}

function linksToReplica(url: string): readonly Link[] {
  const hosts = hostsOf(readDatabaseUrl(url, { setting: 'TILLWRIGHT_REPLICA_URL', role: 'replica' }))
  return Array.from({ length: READERS_OF_REPLICA }, () => link(hosts, 'read from a replica'))
}

/** Opens all connections, so that a wrong setting shows at the start. A replica may be away: its reads have the primary. */
async function start(links: readonly Link[], url: DatabaseUrl): Promise<void> {
  const untilMs = performance.now() + START_MS
  try {
    await Promise.all(links.map((each) => each.run([], untilMs)))
  } catch (error) {
    await Promise.all(links.map((each) => each.close()))
    throw explainStart(error, url)
  }
}

interface Links {
  writers: readonly Link[]
  readers: readonly Link[]
  replicas: readonly Link[]
}

function database({ writers, readers, replicas }: Links, connect: SchemaAccess['connect']): Database {
  const fence: Fence = { schema: null }
  const translate = translator()
  const transactions = new Groups<WaitingTransaction>(writers, {
    maxGroup: MAX_TRANSACTIONS,
    eager: EAGER.writers,
    gatherMs: GATHER_MS,
    settle: (free, group, limits) => settleTransactions(free, group, { translate, fence, ...limits }),
  })
  const readsOver = (links: readonly Link[], answerMs?: number) =>
    new Groups<WaitingRead>(links, {
      maxGroup: MAX_READS,
      eager: EAGER.readers,
      gatherMs: GATHER_MS,
      ...(answerMs !== undefined && { answerMs }),
      settle: (free, group, limits) => settleReads(free, group, { translate, ...limits }),
    })
  const reads = readsOver(readers)
  const staleReads = replicas.length === 0 ? null : readsOver(replicas, REPLICA_ANSWER_MS)
  let closed: Promise<void> | null = null
  async function close(): Promise<void> {
    await Promise.all([transactions.idle(), reads.idle(), staleReads?.idle()])
    await Promise.all([...writers, ...readers, ...replicas].map((each) => each.close()))
  }
  return {
    engine: 'postgres',
    async read(sql, params, { stale = false } = {}) {
      if (closed !== null) throw new DatabaseUnavailable('The database is closed.')
      return readFrom(stale && staleReads !== null ? [staleReads, reads] : [reads], { sql, params })
    },
    write(transaction) {
      if (closed !== null) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
      return new Promise((resolve, reject) => transactions.add({ transaction, resolve, reject }))
    },
    load: () => [
      { pool: 'writes', ...transactions.load() },
      { pool: 'reads', ...reads.load() },
    ],
    schema: { connect, isAlone: () => false, fence: (schema) => void (fence.schema = schema) },
    close: () => (closed ??= close()),
  }
}

/** Asks the first of these, and the next one where that is away. */
async function readFrom(
  [first, ...others]: readonly Groups<WaitingRead>[],
  query: Pick<WaitingRead, 'sql' | 'params'>,
  sinceMs: number = performance.now(),
): Promise<readonly Row[]> {
  try {
    return await new Promise((resolve, reject) => first?.add({ ...query, resolve, reject }, sinceMs))
  } catch (error) {
    if (others.length === 0 || !(error instanceof DatabaseUnavailable)) throw error
    return readFrom(others, query, sinceMs)
  }
}

/** A read and its caller's promise. */
interface WaitingRead extends Waiting {
  sql: string
  params: readonly Value[]
  resolve(rows: readonly Row[]): void
}

const MAX_ATTEMPTS = 3

/** Answers reads in one round trip; reads after a failed one are sent again. Never rejects. */
async function settleReads(
  connection: Link,
  reads: readonly WaitingRead[],
  { translate, ...limits }: GroupLimits & { translate: Translate },
): Promise<void> {
  let rest = reads
  let attempts = 0
  while (rest.length > 0) {
    const result = await runReads(connection, rest, { translate, ...limits })
    for (const [i, answer] of result.answers.entries()) settle(rest[i], answer)
    rest = rest.slice(result.answers.length)
    if (result.outcome === 'done') return
    if (result.answers.length > 0) attempts = 0
    const failure = failureOf(result.error, false)
    if (failure === 'transient' && ++attempts < MAX_ATTEMPTS) continue
    const failed = failure === 'unavailable' && !isCutOff(result.error) ? rest : rest.slice(0, 1)
    for (const { reject } of failed) reject(failure === 'mistake' ? result.error : unavailable(result.error))
    rest = rest.slice(failed.length)
    attempts = 0
  }
}

async function runReads(
  connection: Link,
  reads: readonly WaitingRead[],
  { translate, untilMs }: GroupLimits & { translate: Translate },
): Promise<BatchResult> {
  try {
    const statements = reads.map(({ sql, params }) => ({ ...translate({ sql }), params }))
    return await connection.run(statements, untilMs)
  } catch (error) {
    return { outcome: 'failed', answers: [], statement: 0, error: unavailable(error) }
  }
}

function settle(read: WaitingRead | undefined, answer: Answer): void {
  try {
    read?.resolve(rowsOf(answer))
  } catch (error) {
    read?.reject(error instanceof Error ? error : new Error(String(error)))
  }
}
