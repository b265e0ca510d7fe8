import { forgetExpiredKeys } from '../accounts/index.ts'
import { pruneAudit } from '../audit/index.ts'
import { foldEventCounts } from '../events/index.ts'
import { forgetIdleSessions, forgetReplacedTokens } from '../funnels/index.ts'
import { forgetHookAnswers } from '../hooks/index.ts'
import { forgetEndedSessions } from '../members/index.ts'
import { blobSweeper, sweepRemoved } from '../plugins/index.ts'
import { expireRequests } from '../post-authorization/index.ts'
import type { RetentionConfig } from '../privacy/index.ts'
import { forgetFailedRequests } from '../requests/index.ts'
import type { Services } from '../request-context.ts'
import { forgetVelocities } from '../routing/index.ts'
import { asWarnings, failuresOf } from '../runtime/index.ts'
import { pruneEvents } from '../statistics/index.ts'
import { type Blobs, DELETED_MAX, deleteSome } from '../storage/index.ts'
import { forgetLowValueLocks, forgetTranscripts } from '../threeds/index.ts'
import {
  forgetCodeKeys,
  forgetCodes,
  forgetFormerJweKeys,
  forgetPasses,
  forgetSenders,
  forgetUnusedCards,
  forgetUnusedTokens,
} from '../vault/index.ts'

/** How often rows are looked for whose time is over. */
const SWEEP_EVERY_MS = 60_000

type Sweeping = Pick<Services, 'db' | 'clock' | 'log' | 'randomness' | 'secrets' | 'cluster'> & RetentionConfig

/**
 * Deletes expired data: old idempotency keys, full rate buckets, idle funnel sessions, dead session tokens, counters of
 * abuse detection, former keys of card forms, cards that nobody has redeemed, where cards were sent from, challenges that
 * were solved, files of removed deployments and unreferenced bytes, messages of 3-D Secure, answers of hooks, requests
 * that failed, entries of the audit log, and events if their time is limited. Merges counters of events that rarely change
 * any more, and ends requests for refunds that were not decided in time.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startSweeper(services: Sweeping, blobs: Blobs): () => Promise<void> {
  const stopping = new AbortController()
  const done = run(services, blobSweeper(services, blobs), stopping.signal)
  return () => {
    stopping.abort()
    return done
  }
}

async function run(services: Sweeping, sweepBlobs: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const { db, clock, log, cluster, retention } = services
  const message = 'what has expired could not be swept; trying again'
  const { onError, onOver } = failuresOf(asWarnings(log), { worker: 'sweeping', message })
  while (!signal.aborted) {
    await clock.until(clock.now() + SWEEP_EVERY_MS, signal)
    if (signal.aborted) return
    const nowMs = clock.now()
    try {
      while ((await sweepSome(nowMs, services)) && !signal.aborted);
      await expireRequests(services)
      await foldEventCounts(db, nowMs)
      await pruneAudit(nowMs - retention.auditMs, services)
      const { eventsMs } = retention
      if (eventsMs !== null) {
        await pruneEvents({ db, clock, beforeMs: nowMs - eventsMs, untilMs: clock.now() + SWEEP_EVERY_MS })
      }
      // Last: a store of files that is away holds up nothing that is in the database.
      await sweepBlobs()
      cluster.finished('sweeping')
      onOver()
    } catch (error) {
      onError(error)
    }
  }
}

/** Deletes a limited number of what there may be much of. @returns Whether there is more of it. */
async function sweepSome(nowMs: number, services: Sweeping): Promise<boolean> {
  const { db, retention } = services
  const idleSinceMs = nowMs - retention.sessionsMs
  const swept = await db.write([
    forgetExpiredKeys(nowMs),
    ...(await forgetIdleSessions(idleSinceMs, services)),
    forgetReplacedTokens(nowMs),
    ...forgetEndedSessions(nowMs),
    forgetFormerJweKeys(nowMs),
    ...forgetVelocities(nowMs),
    forgetLowValueLocks(nowMs),
    forgetUnusedCards(nowMs),
    forgetUnusedTokens(nowMs),
    forgetSenders(nowMs),
    forgetPasses(nowMs),
    forgetCodes(nowMs),
    ...forgetCodeKeys(nowMs),
    ...(await sweepRemoved(services)),
    forgetTranscripts(nowMs - retention.threedsMessagesMs),
    forgetHookAnswers(nowMs),
    forgetFailedRequests(nowMs),
    deleteSome({ table: 'rate_buckets', key: 'subject', where: 'full_at_us < ?' }, [nowMs * 1_000]),
  ])
  // What another process has swept meanwhile is looked for again in a minute.
  if (swept.outcome === 'refused') return false
  if (swept.returned.some((rows) => rows.length >= DELETED_MAX)) return true
  return (await db.read(selectLeft, [idleSinceMs])).length > 0
}

const selectLeft = 'SELECT 1 AS due FROM funnel_sessions WHERE last_activity_at <= ? LIMIT 1'
