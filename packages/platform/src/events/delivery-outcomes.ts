import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { failuresOf } from '../runtime/index.ts'
import type { Database, Statement, Value } from '../storage/index.ts'
import type { Outcome, TriedDelivery, Verdict } from './attempt-delivery.ts'
import { type Claim, lockEvent } from './claim-deliveries.ts'
import { type CountedEvent, countProcessed } from './counts.ts'
import { withTry } from './deliveries.ts'
import { countTries } from './delivery-counts.ts'

/**
 * Returns the transaction that records outcomes: the deliveries, the events that become processed, and the endpoints'
 * health. An outcome whose claim has expired changes no delivery.
 */
export function outcomeWrites(
  outcomes: readonly Outcome[],
  { nowMs, engine }: { nowMs: number; engine: Database['engine'] },
): Statement[] {
  const events = eventsOf(outcomes.filter(isAcknowledged))
  const keys = events.map(({ accountId, id }) => [accountId, id])
  // Of two transactions that acknowledge the last two deliveries of an event, one must see the other's change.
  const locks = engine === 'postgres' ? keys.map((params) => ({ sql: lockEvent, params })) : []
  const recorded = outcomes.map((outcome) => deliveryWrite(outcome, nowMs))
  const counted = events.length > 0 ? [countProcessed(events)] : []
  const processed = keys.map((key) => ({ sql: finishEvent, params: [nowMs, ...key] }))
  return [
    ...locks,
    ...recorded,
    ...counted,
    ...processed,
    ...endpointWrites(outcomes, nowMs),
    ...countTries(outcomes, nowMs),
  ]
}

function isAcknowledged(outcome: Outcome): outcome is TriedDelivery {
  return outcome.kind === 'tried' && outcome.verdict.outcome === 'delivered'
}

/** The events of deliveries, each once and in order. */
function eventsOf(tried: readonly TriedDelivery[]): CountedEvent[] {
  const byKey = new Map(tried.map(({ event }) => [`${event.accountId} ${event.id}`, event]))
  return inOrder(byKey)
}

/** Must have the same condition as `countProcessed`, which runs first. */
const finishEvent = `UPDATE events SET processed_at = ?
  WHERE account_id = ? AND id = ? AND processed_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM webhook_deliveries d
    WHERE d.account_id = events.account_id AND d.event_id = events.id AND d.state <> 'delivered')`

/** A claim is valid as long as `next_attempt_at` has not been changed since. */
const standing = `WHERE account_id = ? AND event_id = ? AND endpoint_id = ?
  AND state = 'pending' AND next_attempt_at = ?`

/** A receiver's response may name the customer: once their erasure has begun, it is not kept. */
const isErased = `EXISTS (SELECT 1 FROM events e
    JOIN customers c ON c.account_id = e.account_id AND c.id = e.customer_id AND c.erased_at IS NOT NULL
    WHERE e.account_id = webhook_deliveries.account_id AND e.id = webhook_deliveries.event_id)`

const recordTry = `UPDATE webhook_deliveries
  SET state = ?, attempts = ?, next_attempt_at = ?, last_status = ?,
    last_response = CASE WHEN ${isErased} THEN NULL ELSE ? END, attempt_log = ?, holder = NULL
  ${standing}`
const failDelivery = `UPDATE webhook_deliveries SET state = 'failed', holder = NULL ${standing}`
const releaseDelivery = `UPDATE webhook_deliveries SET next_attempt_at = ?, holder = NULL ${standing}`

function deliveryWrite(outcome: Outcome, nowMs: number): Statement {
  const { accountId, eventId, endpointId, leaseUntilMs }: Claim = outcome.claim
  const claim = [accountId, eventId, endpointId, leaseUntilMs]
  switch (outcome.kind) {
    case 'unwanted':
      return { sql: failDelivery, params: claim }
    case 'released':
      return { sql: releaseDelivery, params: [nowMs, ...claim] }
    case 'tried':
      return { sql: recordTry, params: [...triedAs(outcome, nowMs), ...claim] }
  }
}

/** The values of `recordTry`. */
function triedAs({ claim, verdict, answer, logged }: TriedDelivery, nowMs: number): Value[] {
  const [status, response] = 'status' in answer ? [answer.status, answer.excerpt] : [null, answer.failure]
  const nextMs = verdict.outcome === 'retry' ? verdict.atMs : nowMs
  return [stateAfter(verdict), claim.attempts + 1, nextMs, status, response, withTry(claim.attemptLog, logged)]
}

function stateAfter({ outcome }: Verdict): 'pending' | 'delivered' | 'failed' {
  switch (outcome) {
    case 'delivered':
      return 'delivered'
    case 'retry':
      return 'pending'
    case 'failed':
    case 'gone':
      return 'failed'
  }
}

const recover = 'UPDATE webhook_endpoints SET failing_since = NULL WHERE account_id = ? AND id = ?'
const blame = `UPDATE webhook_endpoints SET failing_since = COALESCE(failing_since, ?) WHERE account_id = ? AND id = ?`

/** At most one statement for an endpoint; none for one that simply works. */
function endpointWrites(outcomes: readonly Outcome[], nowMs: number): Statement[] {
  return triesByEndpoint(outcomes).flatMap(({ accountId, endpointId, tries }): Statement[] => {
    const key = [accountId, endpointId]
    const isGone = tries.some(({ verdict }) => verdict.outcome === 'gone')
    if (isGone || !tries.some(isAcknowledged)) return [{ sql: blame, params: [nowMs, ...key] }]
    return tries.some(({ failingSinceMs }) => failingSinceMs !== null) ? [{ sql: recover, params: key }] : []
  })
}

/** The tries of an endpoint. */
interface EndpointTries {
  accountId: string
  endpointId: string
  tries: TriedDelivery[]
}

/** The tries of each endpoint, in the order of accounts. */
export function triesByEndpoint(outcomes: readonly Outcome[]): EndpointTries[] {
  const byKey = new Map<string, EndpointTries>()
  for (const outcome of outcomes) {
    if (outcome.kind !== 'tried') continue
    const { accountId, endpointId } = outcome.claim
    const key = `${accountId} ${endpointId}`
    const known = byKey.get(key) ?? { accountId, endpointId, tries: [] }
    known.tries.push(outcome)
    byKey.set(key, known)
  }
  return inOrder(byKey)
}

/** Returns values in the order of their keys, so that transactions that lock several rows cannot deadlock. */
function inOrder<Item>(byKey: ReadonlyMap<string, Item>): Item[] {
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
}

/** How a worker lives with a database that cannot serve. */
export interface Backoff {
  /** Notes a failure, logs the first of an outage, and waits: 100 ms, then twice as long each time, up to 5 s. */
  failed(error: unknown): Promise<void>
  /** Notes that the database serves. */
  over(): void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/**
 * @param worker Names the worker in the log.
 * @param signal Ends a pause immediately. Pauses use the machine's time, because an outage does not depend on a frozen
 *   platform clock.
 */
export function backoff(worker: string, log: Logger, signal: AbortSignal): Backoff {
  let pauseMs = FIRST_PAUSE_MS
  const failures = failuresOf(log, { worker, message: 'the database does not serve a worker; it keeps trying' })
  return {
    async failed(error) {
      failures.onError(error)
      const waitMs = pauseMs
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      await delay(waitMs, undefined, { signal }).catch(() => {}) // rejects only when aborted
    },
    over() {
      failures.onOver()
      pauseMs = FIRST_PAUSE_MS
    },
  }
}
