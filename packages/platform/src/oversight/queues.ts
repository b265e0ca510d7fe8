import type { PlatformQueue, PlatformState } from '@tillwright/contract'
import { unsealedEntries } from '../audit/index.ts'
import { type Backlog, BACKLOG_MAX, type ListedProcess } from '../cluster/index.ts'
import { webhookBacklog } from '../events/index.ts'
import { unresolvedPayments } from '../payments/index.ts'
import { unresolvedPostAuthorizations } from '../post-authorization/index.ts'
import { pendingErasures } from '../privacy/index.ts'
import { renewalBacklog } from '../renewals/index.ts'
import type { Database } from '../storage/index.ts'
import { lastRound } from './rounds.ts'

/** `waiting` is `null` where nothing is counted. */
type Counted = Backlog | { waiting: null; sinceMs: null }

const backlogs: Readonly<Record<PlatformQueue, (db: Database, nowMs: number) => Promise<Backlog> | Counted>> = {
  async webhooks(db, nowMs) {
    const { pending, firstDueMs } = await webhookBacklog(db)
    // A claim that ends, or a try that comes later, is not due yet.
    return { waiting: pending, sinceMs: firstDueMs !== null && firstDueMs <= nowMs ? firstDueMs : null }
  },
  payments: unresolvedPayments,
  post_authorizations: unresolvedPostAuthorizations,
  renewals: renewalBacklog,
  erasures: pendingErasures,
  sealing: unsealedEntries,
  // Each account has a log of its own, so that only rounds can be told without looking at all of them.
  statistics: () => ({ waiting: null, sinceMs: null }),
  sweeping: () => ({ waiting: null, sinceMs: null }),
}

/** The queues, the most important first, with counts that stop at 10,000. */
export async function readQueues(
  db: Database,
  { nowMs, processes }: { nowMs: number; processes: readonly ListedProcess[] },
): Promise<PlatformState['queues']> {
  // The keys are those of the record above.
  const names = Object.keys(backlogs) as PlatformQueue[]
  return Promise.all(
    names.map(async (queue) => {
      const { waiting, sinceMs } = await backlogs[queue](db, nowMs)
      return {
        queue,
        waiting,
        hasMore: waiting !== null && waiting >= BACKLOG_MAX,
        dueSince: waiting === 0 ? null : timeOf(sinceMs),
        workedAt: timeOf(lastRound(queue, processes)),
      }
    }),
  )
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
