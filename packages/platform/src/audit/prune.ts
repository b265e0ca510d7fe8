import type { Services } from '../request-context.ts'
import { pick, rowReader } from '../storage/index.ts'
import { readChain, readSealsAfter, moveChain, type StoredSeal } from './chain.ts'
import { recordNow, worker } from './record.ts'
import { auditSealsTable } from './tables.ts'

const DAY_MS = 86_400_000

/** Seals of an account in one go, of a worker that comes every minute. */
const SEALS_AT_ONCE = 500

type Pruning = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets' | 'log'>

/**
 * Deletes entries whose time is over, whole days and whole seals at a time. The chain notes the last seal that is gone,
 * under the platform's key, so that `verify` begins there; and the deletion has an entry of its own.
 */
export async function pruneAudit(until: number, pruning: Pruning): Promise<void> {
  const before = Math.floor(until / DAY_MS) * DAY_MS
  const rows = readOld(await pruning.db.read(selectOld, [before]))
  for (const { account_id: accountId } of rows) await pruneOne(accountId, before, pruning)
}

/** Every account whose first seal is old: one whose log is altered, of which nothing is deleted, must hold up no other. */
const selectOld = `SELECT c.account_id FROM audit_chains c WHERE (
    SELECT s.created_at FROM audit_seals s WHERE s.account_id = c.account_id ORDER BY s.sequence LIMIT 1) < ?`
const readOld = rowReader(pick(auditSealsTable, 'account_id'))

async function pruneOne(accountId: string, before: number, pruning: Pruning): Promise<void> {
  const { db, clock, secrets, log } = pruning
  const from = await readChain(accountId, pruning)
  if (from === null || !from.fits) {
    log.error({ accountId }, 'the audit log was changed, and nothing of it is deleted')
    return
  }
  const { sequence: after } = from.pruned
  const old = oldOnes(await readSealsAfter({ accountId, after, limit: SEALS_AT_ONCE }, db), before)
  const last = old.at(-1)
  if (last === undefined) return
  const entries = old.flatMap((seal) => seal.entries)
  const pruned = { sequence: last.sequence, hash: last.hash }
  const recorded = recordNow(
    {
      accountId,
      actor: worker('retention'),
      operation: 'audit.prune',
      resource: { type: 'audit', id: null },
      after: { entries: entries.length, fromSeal: after + 1, toSeal: last.sequence },
    },
    pruning,
  )
  await db.write([
    moveChain({ ...from, pruned }, { from, nowMs: clock.now(), secrets }),
    {
      sql: 'DELETE FROM audit_entries WHERE account_id = ? AND id IN (SELECT item.value ->> 0 FROM {items})',
      params: [accountId, JSON.stringify(entries)],
    },
    { sql: 'DELETE FROM audit_seals WHERE account_id = ? AND sequence <= ?', params: [accountId, last.sequence] },
    ...recorded,
  ])
}

/** Up to the first that is still to be kept. */
function oldOnes(seals: readonly StoredSeal[], before: number): StoredSeal[] {
  const kept = seals.findIndex(({ createdAtMs }) => createdAtMs >= before)
  return kept === -1 ? [...seals] : seals.slice(0, kept)
}
