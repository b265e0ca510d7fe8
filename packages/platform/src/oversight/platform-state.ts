import type { Contract, PlatformState } from '@tillwright/contract'
import { listProcesses, type ListedProcess } from '../cluster/index.ts'
import { type Ring, rings, newestKeys, ringStatus, type SealedColumn } from '../keys/index.ts'
import type { RetentionConfig } from '../privacy/index.ts'
import type { Handlers, RequestContext } from '../request-context.ts'
import {
  type Database,
  lastBackup,
  type Migration,
  schemaStatus,
  int,
  nullable,
  oneOf,
  rowReader,
  text,
} from '../storage/index.ts'
import { newestJweKeyMs } from '../vault/index.ts'
import { alertsOf } from './alerts.ts'
import { readKept } from './kept.ts'
import { readQueues } from './queues.ts'

/** Sources of a platform's state besides its database. */
export interface Overseen extends RetentionConfig {
  /** The steps of the schema that this process knows. */
  steps: readonly Migration[]
  /** Every column that holds sealed values. */
  columns: readonly SealedColumn[]
}

/** Reads the state of the platform, for its operator. */
export function platformState(overseen: Overseen): Handlers<Contract['platform']> {
  return { get: async (_, context) => ({ body: await readState(overseen, context) }) }
}

async function readState(
  { steps, columns, retention }: Overseen,
  { services, nowMs }: RequestContext,
): Promise<PlatformState> {
  const { db, cluster, environment } = services
  const { self } = cluster
  // This process's own state is newer than its last beat.
  const processes = (await listProcesses(db)).map((each) => (each.id === self.id ? { ...each, ...self } : each))
  const [queues, recovery, retained, schema, keys, backup] = await Promise.all([
    readQueues(db, { nowMs, processes }),
    readUnresolved(db, { nowMs, processes }),
    readKept(db, { nowMs, retention }),
    schemaStatus(db, steps),
    readKeys(db, { nowMs, columns }),
    lastBackup(db),
  ])
  const state = {
    at: iso(nowMs),
    processId: self.id,
    environment,
    engine: db.engine,
    processes: processes.map(toProcess),
    queues,
    recovery,
    retention: retained,
    schema: {
      known: schema.schema,
      oldest: schema.oldest,
      steps: schema.steps.map(({ id, phase, state: reached, rows }) => ({ id, phase, state: reached, rows })),
      newer: [...schema.newer],
    },
    keys,
    backup: backup && {
      takenAt: iso(backup.takenAtMs),
      version: backup.version,
      missingFiles: backup.missingBlobs,
      provedAt: isoOrNull(backup.verifiedAtMs),
    },
  }
  return { ...state, alerts: alertsOf(state) }
}

function toProcess({ report, ...process }: ListedProcess): PlatformState['processes'][number] {
  const { id, name, roles, version, schema, heartbeatAgeMs, clockOffsetMs } = process
  const { takenOver, givenBack, disk } = report
  const [startedAt, heartbeatAt] = [iso(process.startedAtMs), iso(process.heartbeatAtMs)]
  return {
    id,
    name,
    roles: [...roles],
    version,
    schema,
    startedAt,
    heartbeatAt,
    heartbeatAgeMs,
    clockOffsetMs,
    takenOver,
    givenBack,
    disk,
  }
}

async function readKeys(
  db: Database,
  { nowMs, columns }: { nowMs: number; columns: readonly SealedColumn[] },
): Promise<PlatformState['keys']> {
  const ringOf = async (ring: Ring) => {
    const [{ dataMs, masterMs }, { masterKeys, reseals }] = await Promise.all([
      newestKeys(ring, db),
      ringStatus(ring, { db, nowMs, columns }),
    ])
    return {
      ring,
      dataKeyAt: isoOrNull(dataMs),
      masterKeyAt: isoOrNull(masterMs),
      masterKeys: masterKeys.length,
      columns: reseals.length,
      resealedColumns: reseals.filter(({ isDone }) => isDone).length,
      resealedRows: reseals.reduce((sum, { resealed }) => sum + resealed, 0),
    }
  }
  const [open, cardForm] = await Promise.all([Promise.all(rings.map(ringOf)), newestJweKeyMs(db)])
  return { rings: open, cardFormAt: isoOrNull(cardForm) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms)
}

/** Younger ones almost always have an outcome by the next look. */
const RESOLVED_WITHIN_MS = 10_000
const SHOWN_MAX = 20
/** How much is looked through for the oldest. */
const COUNTED_MAX = 10_000

/** The payments, captures, refunds and voids of all accounts that have had no outcome for ten seconds, the oldest first. */
async function readUnresolved(
  db: Database,
  { nowMs, processes }: { nowMs: number; processes: readonly ListedProcess[] },
): Promise<PlatformState['recovery']> {
  const before = nowMs - RESOLVED_WITHIN_MS
  const queries = [selectPayments, selectFollowUps].map((sql) => db.read(sql, [before, COUNTED_MAX, SHOWN_MAX + 1]))
  const rows = (await Promise.all(queries)).flatMap((found) => readRows(found)).toSorted((a, b) => a.since - b.since)
  const living = new Set(processes.map(({ id }) => id))
  const underWay = rows.slice(0, SHOWN_MAX).map((row) => ({
    kind: row.kind,
    accountId: row.account_id,
    paymentId: row.payment_id,
    since: new Date(row.since).toISOString(),
    processId: row.holder !== null && living.has(row.holder) ? row.holder : null,
  }))
  return { underWay, hasMore: rows.length > SHOWN_MAX }
}

const selectPayments = `SELECT 'payment' AS kind, account_id, payment_id, since, holder FROM (
    SELECT account_id, id AS payment_id, updated_at AS since, holder FROM payments
    WHERE status = 'processing' AND expires_at IS NULL AND account_id > '' AND lease_until > 0 AND updated_at <= ? LIMIT ?) AS counted
  ORDER BY since LIMIT ?`
const selectFollowUps = `SELECT kind, account_id, payment_id, since, holder FROM (
    SELECT kind, account_id, payment_id, created_at AS since, holder FROM payment_follow_ups
    WHERE status = 'pending' AND reference IS NULL AND account_id > '' AND lease_until > 0 AND created_at <= ? LIMIT ?) AS counted
  ORDER BY since LIMIT ?`
const readRows = rowReader({
  kind: oneOf(['payment', 'capture', 'refund', 'void']),
  account_id: text,
  payment_id: text,
  since: int,
  holder: nullable(text),
})
