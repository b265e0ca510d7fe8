import { type Contract, idsFrom, type ProcessorHealth } from '@tillwright/contract'
import type { Circuits } from '../cluster/index.ts'
import { paymentAttemptsTable } from '../ledger/index.ts'
import { liveProcessors } from '../processors/index.ts'
import type { Handler } from '../request-context.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { type CircuitBreaker, circuitState, openUntilMs } from './circuit-breaker.ts'

/** How far back attempts are looked at. */
const RECENT_MS = 15 * 60_000
/** How many attempts are looked at, the newest. */
const ATTEMPTS_MAX = 5_000

/**
 * The health of the account's processors: whether payments are kept from them, and the outcomes of the latest attempts.
 * Each process has circuits of its own; those of the others are as they told with their last beat.
 */
export function processorHealth(circuit: CircuitBreaker): Handler<Contract['processors']['health']> {
  return async (_, { caller: { accountId }, services: { db, cluster }, nowMs }) => {
    const [ids, attempts] = await Promise.all([
      liveProcessors(accountId, db),
      readRecent({ accountId, sinceMs: nowMs - RECENT_MS }, db),
    ])
    const circuits = [circuit.tripped(), ...cluster.peerCircuits()]
    const byProcessor = Map.groupBy(attempts, ({ processor_id: processorId }) => processorId)
    const data = [...ids].toSorted().map((processorId) => ({
      processorId,
      ...circuitOf(processorId, circuits, nowMs),
      ...sumOf(byProcessor.get(processorId) ?? []),
    }))
    const oldest = attempts.length < ATTEMPTS_MAX ? undefined : attempts.at(-1)
    return { body: { since: isoTime(oldest?.created_at ?? nowMs - RECENT_MS), data } }
  }
}

type Health = ProcessorHealth['data'][number]

/** The circuit of the process that fares worst. */
function circuitOf(
  processorId: string,
  circuits: readonly Circuits[],
  nowMs: number,
): Pick<Health, 'circuit' | 'circuitOpenUntil' | 'circuitOpenIn'> {
  const own = circuits.flatMap((each) => each[processorId] ?? [])
  const open = own.filter((each) => circuitState(each, nowMs) === 'open')
  const untilMs = Math.max(...open.map(openUntilMs))
  return {
    circuit: open.length > 0 ? 'open' : own.length > 0 ? 'half_open' : 'closed',
    circuitOpenUntil: open.length > 0 ? isoTime(untilMs) : null,
    circuitOpenIn: open.length,
  }
}

/** Newest first, because the ids of attempts tell their time. A preview says nothing of a processor. */
const selectRecent = `SELECT a.processor_id, a.status, a.outcome, a.created_at, a.finished_at FROM payment_attempts a
  JOIN payments p ON p.account_id = a.account_id AND p.id = a.payment_id
  WHERE a.account_id = ? AND a.id >= ? AND p.preview IS NULL ORDER BY a.id DESC LIMIT ${ATTEMPTS_MAX}`
const recentColumns = pick(paymentAttemptsTable, 'processor_id', 'status', 'outcome', 'created_at', 'finished_at')
const readRecents = rowReader(recentColumns)
type Recent = RowOf<typeof recentColumns>

async function readRecent({ accountId, sinceMs }: { accountId: string; sinceMs: number }, db: Database) {
  return readRecents(await db.read(selectRecent, [accountId, idsFrom('att', sinceMs)]))
}

function sumOf(attempts: readonly Recent[]): Pick<Health, 'attempts' | 'approved' | 'declined' | 'failed' | 'latency'> {
  const countOf = (is: (attempt: Recent) => boolean) => attempts.filter(is).length
  return {
    attempts: attempts.length,
    approved: countOf(({ status }) => status === 'succeeded'),
    declined: countOf(({ status }) => status === 'declined'),
    failed: countOf(({ status, outcome }) => status === 'failed' || (status === 'processing' && outcome === 'unknown')),
    latency: latencyOf(attempts),
  }
}

/** By the nearest rank; `null` where nothing was answered. */
function latencyOf(attempts: readonly Recent[]): Health['latency'] {
  const sorted = attempts
    .flatMap(({ created_at: createdAt, finished_at: finishedAt }) =>
      finishedAt === null ? [] : [finishedAt - createdAt],
    )
    .toSorted((a, b) => a - b)
  const rank = (part: number) => sorted[Math.ceil(part * sorted.length) - 1]
  const [medianMs, p95Ms] = [rank(0.5), rank(0.95)]
  return medianMs === undefined || p95Ms === undefined ? null : { medianMs, p95Ms }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
