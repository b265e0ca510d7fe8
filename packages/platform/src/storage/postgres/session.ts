import type pg from 'pg'
import { batch, type BatchResult, type BatchStatement, type Prepared } from './batch.ts'
import { breakOff, clientFor, inTime } from './client.ts'
import type { Host } from './database-url.ts'
import { NotPrimary, UnsafeDatabase } from './failures.ts'

/** Use of a connection, on which its settings and checks depend. */
export type Purpose = 'write' | 'read' | 'read from a replica'

/** One connection to one server, ready for use. Runs one batch at a time. */
export interface Session {
  host: Host
  /** The server's timeline, counted up by each promotion of a replica; 0 if it does not report one. */
  timeline: number
  /**
   * Runs statements as one transaction. If it fails, it is rolled back.
   *
   * @param untilMs Of `performance.now()`: whatever is not answered by then breaks the connection off.
   */
  run(statements: readonly BatchStatement[], untilMs: number): Promise<BatchResult>
  /** Whether the server is at a statement of another connection; `true` behind a pooler, where it is unknown. */
  isAtWork(processId: number | null, untilMs: number): Promise<boolean>
  /** Says goodbye, and does not wait for long. */
  end(): Promise<void>
  /** Breaks the connection off at once. */
  destroy(): void
}

/** The server cancels a statement slightly before we give its connection up. */
const STATEMENT_MS = 5_000
const IDLE_IN_TRANSACTION_MS = 8_000
/**
 * Lock waits time out well before the second after which the server checks for deadlocks: a wait may be a deadlock,
 * because a group locks rows of several transactions, and retrying is cheap.
 */
const LOCK_WAIT_MS = 100
/** Without an answer to it, the connection is broken off, which rolls back, too. */
const ROLLBACK_MS = 1_000
const GOODBYE_MS = 500

/**
 * Batch counts at which a connection's statements are planned again. The server keeps the plan of a prepared statement,
 * and a plan made while a table was almost empty may read an account's whole index to find one row once the table has
 * grown. The server's own statistics correct this only after minutes.
 */
const PLANNED_ANEW_AT = new Set([100, 1_000, 10_000])

/** How a server is spoken to, found out when a connection opens. */
interface Way {
  /** Whether a pooler hands each transaction to another connection of its own, so that no setting outlives one. */
  pooled: boolean
  /** Whether statements stay prepared under their names; otherwise each batch prepares its own. */
  named: boolean
  /** The server's `synchronous_commit`, to be kept whatever other clients of a pooler have left behind. */
  synchronousCommit: string
  /** Which of `PLANNER_OFF` it has. */
  plannerOff: readonly string[]
}

/**
 * What the planner does not need. Each statement finds its rows by an index, so that reading a whole table is the mistake of a
 * plan that was made while it was small (1e10 is added to its cost, PostgreSQL, "Planner Method Configuration"); and a table
 * without an index would then seem worth compiling code for.
 */
const PLANNER_OFF = ['enable_seqscan', 'jit']

/**
 * Opens a connection: connects, checks that the server's commits are durable, finds out whether there is a pooler in
 * between, and limits how long the server works at something.
 *
 * @param options `untilMs`: of `performance.now()`; a step that is not answered by then breaks the connection off.
 *   `lost` is called once the connection has ended in whatever way.
 * @throws {NotPrimary} {UnsafeDatabase} {MissedDeadline}
 */
export async function openSession(
  host: Host,
  { purpose, untilMs, lost }: { purpose: Purpose; untilMs: number; lost: () => void },
): Promise<Session> {
  const client = clientFor(host, 'tillwright')
  client.on('error', lost)
  client.on('end', lost)
  const within = <T>(step: string, work: Promise<T>) => inTime(work, { client, host: host.name, step, untilMs })
  try {
    await within('the connection', client.connect())
    const server = await within('the check of its settings', checkServer(client, purpose))
    const prepared: Prepared = new Map()
    const way: Way = { ...server, named: true }
    if (server.pooled) way.named = await within('a prepared statement', keepsNames(client))
    else await within('its settings', client.query(settingsOf(purpose, way)))
    return session(client, { host, timeline: server.timeline, purpose, way, prepared })
  } catch (error) {
    breakOff(client)
    throw error
  }
}

function session(client: pg.Client, { host, timeline, purpose, way, prepared }: SessionParts): Session {
  let batches = 0
  return {
    host,
    timeline,
    async run(statements, untilMs) {
      const within = <T>(step: string, work: Promise<T>) => inTime(work, { client, host: host.name, step, untilMs })
      if (PLANNED_ANEW_AT.has(++batches) && way.named) {
        // Servers that only speak the protocol may not know it, and keep no such plans.
        await within(
          'DISCARD PLANS',
          client.query('DISCARD PLANS').catch(() => {}),
        )
      }
      const { before, after } = frameOf(purpose, way)
      const framed = [...before, ...statements, ...after]
      // A batch goes to one connection of the pooler, but it is unknown to which, and what that one has prepared.
      const known: Prepared = way.named ? prepared : new Map()
      const result = await within('a statement', runBatch(client, framed, known))
      // If the connection is lost this fails too, and there is nothing to roll back.
      if (result.outcome === 'failed') {
        const rollback = { client, host: host.name, step: 'ROLLBACK', untilMs: performance.now() + ROLLBACK_MS }
        await inTime(client.query('ROLLBACK'), rollback).catch(() => {})
      }
      return unframed(result, before.length, statements.length)
    },
    async isAtWork(processId, untilMs) {
      if (way.pooled) return true
      const sql = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active'`
      const look = client.query(sql, [processId])
      return (await inTime(look, { client, host: host.name, step: 'a look at its work', untilMs })).rows.length > 0
    },
    async end() {
      const goodbye = {
        client,
        host: host.name,
        step: 'the end of the connection',
        untilMs: performance.now() + GOODBYE_MS,
      }
      await inTime(client.end(), goodbye).catch(() => {})
    },
    destroy: () => breakOff(client),
  }
}

interface SessionParts {
  host: Host
  timeline: number
  purpose: Purpose
  way: Way
  prepared: Prepared
}

function runBatch(client: pg.Client, statements: readonly BatchStatement[], prepared: Prepared): Promise<BatchResult> {
  return new Promise((resolve) => void client.query(batch(statements, prepared, resolve)))
}

/** `transaction_read_only` is on for everything that a standby does. */
const CHECK = `SELECT name, setting, source, pg_backend_pid() AS pid FROM pg_settings
  WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit', 'transaction_read_only', '${PLANNER_OFF.join("', '")}')`
const TIMELINE = `SELECT CAST(('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)) AS bit(32))::int AS timeline`

/**
 * Checks the settings effective for this connection, which may come from the server, the database or the role.
 *
 * A pooler gives itself away by its process id: the one that it names at the handshake is not that of the server's
 * process which answers.
 */
async function checkServer(client: pg.Client, purpose: Purpose): Promise<Omit<Way, 'named'> & { timeline: number }> {
  const { rows } = await client.query<{ name: string; setting: string; source: string; pid: number }>(CHECK)
  const valueOf = (name: string) => rows.find((row) => row.name === name)?.setting
  const { processID } = client as pg.Client & { processID: number | null } // from the handshake; missing in the types
  const pooled = rows[0]?.pid !== processID
  const synchronousCommit = valueOf('synchronous_commit') ?? 'on'
  const plannerOff = PLANNER_OFF.filter((name) => valueOf(name) !== undefined)
  const way = { pooled, synchronousCommit, plannerOff }
  if (purpose === 'read from a replica') return { ...way, timeline: 0 }
  if (valueOf('transaction_read_only') === 'on') throw new NotPrimary('takes no writes: it is a standby or read-only')
  for (const row of rows) refuseUnsafe(row)
  // Unknown to servers that only speak PostgreSQL's protocol.
  const timeline = await client.query<{ timeline: number }>(TIMELINE).catch(() => null)
  return { ...way, timeline: timeline?.rows[0]?.timeline ?? 0 }
}

/**
 * With any of these off, a crash can lose a payment that was already confirmed, or corrupt the tables. A commit that
 * waits for less than the disks of the synchronous standbys (`local`, `remote_write`) is lost when one of them takes
 * over; without such standbys these values do no harm, but standbys are named by a reload that is not seen here.
 */
const SAFE: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_apply'],
}

function refuseUnsafe({ name, setting, source }: { name: string; setting: string; source: string }): void {
  if (!SAFE[name] || SAFE[name].includes(setting)) return
  const loss = setting === 'off' ? 'a crash' : 'a failover to a synchronous standby'
  throw new UnsafeDatabase(
    `PostgreSQL runs with ${name} = ${setting} (set by: ${source}), so ${loss} would lose confirmed payments. ` +
      `Set ${name} = on, reload or restart the server, and start again.`,
  )
}

/**
 * Whether a pooler keeps the prepared statements of clients apart (PgBouncer does from 1.21 on, with
 * max_prepared_statements): then the server knows ours by another name. The batch is one transaction, and so at one
 * server.
 */
export async function keepsNames(client: pg.Client): Promise<boolean> {
  const name = 'tillwright_probe'
  const result = await runBatch(
    client,
    [
      { name: '', text: 'BEGIN', params: [] },
      { name, text: 'SELECT 1', params: [] },
      { name: '', text: 'SELECT count(*) FROM pg_prepared_statements WHERE name = $1', params: [name] },
      { name: '', text: 'COMMIT', params: [] },
    ],
    new Map(),
  )
  if (result.outcome === 'done') return result.answers[2]?.lines[0]?.[0] === '0'
  await client.query('ROLLBACK')
  return false
}

/** For a connection of our own. */
function settingsOf(purpose: Purpose, { synchronousCommit, plannerOff }: Way): string {
  const settings = {
    statement_timeout: STATEMENT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    lock_timeout: LOCK_WAIT_MS,
    synchronous_commit: synchronousCommit,
    ...(purpose !== 'write' && { default_transaction_read_only: 'on' }),
    ...Object.fromEntries(plannerOff.map((name) => [name, 'off'])),
  }
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ')
}

interface Frame {
  before: readonly BatchStatement[]
  after: readonly BatchStatement[]
}

const NO_FRAME: Frame = { before: [], after: [] }
const BEGIN: BatchStatement = { name: 'begin', text: 'BEGIN', params: [] }
const COMMIT: BatchStatement = { name: 'commit', text: 'COMMIT', params: [] }

/**
 * The statements around a transaction. Behind a pooler they set each time what a connection of our own has set once.
 * Reads need no BEGIN: everything that is sent in one piece is one transaction.
 */
function frameOf(purpose: Purpose, way: Way): Frame {
  if (!way.pooled) return purpose === 'write' ? { before: [BEGIN], after: [COMMIT] } : NO_FRAME
  const limits = limitsOf(way)
  if (purpose !== 'write') {
    return { before: [{ name: 'limits_of_reads', text: `${limits}, ${READ_ONLY}`, params: [] }], after: [] }
  }
  const text = `${limits}, ${OF_TRANSACTION}`
  const ofTransaction = { name: 'limits_of_transaction', text, params: [way.synchronousCommit] }
  return { before: [BEGIN, ofTransaction], after: [COMMIT] }
}

function limitsOf({ plannerOff }: Way): string {
  const planner = plannerOff.map((name) => `, set_config('${name}', 'off', true)`).join('')
  return `SELECT set_config('statement_timeout', '${STATEMENT_MS}', true), set_config('lock_timeout', '${LOCK_WAIT_MS}', true)${planner}`
}

const READ_ONLY = `set_config('transaction_read_only', 'on', true)`
const OF_TRANSACTION = `set_config('synchronous_commit', $1, true),
  set_config('idle_in_transaction_session_timeout', '${IDLE_IN_TRANSACTION_MS}', true)`

/** The result for the caller's statements alone; one that failed outside them has a number outside their range. */
function unframed(result: BatchResult, before: number, count: number): BatchResult {
  const answers = result.answers.slice(before, before + count)
  return result.outcome === 'done'
    ? { outcome: 'done', answers }
    : { ...result, answers, statement: result.statement - before }
}
