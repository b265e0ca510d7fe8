import type { Site } from '../world/platforms.ts'
import { leftBlobs } from './deployments.ts'

/** How often to look, and how long a world must have been still. */
const LOOK_EVERY_MS = 1_000
const STILL_FOR_MS = 3_000

/** Queries for work that a process has still to do. A world is at rest when none of them finds a row. */
export const waiting: Readonly<Record<string, string>> = {
  'payments that are processing': `SELECT id FROM payments WHERE status IN ('processing', 'created')`,
  'captures, refunds and voids': `SELECT id FROM payment_follow_ups WHERE status = 'pending'`,
  'claims of keys': `SELECT idempotency_key AS id FROM idempotency_keys WHERE status IS NULL AND holder IS NOT NULL`,
  'entries that no seal covers': 'SELECT id FROM audit_unsealed',
  'deliveries of webhooks': `SELECT event_id AS id FROM webhook_deliveries WHERE state = 'pending'`,
  'renewals under way': 'SELECT id FROM subscriptions WHERE holder IS NOT NULL OR renewal_payment_id IS NOT NULL',
}

/** @returns A function that tells whether the world has been at rest for a while. */
export function restWatch({ world, server, bank }: Site): () => boolean {
  let lookedMs = 0
  let stillSinceMs: number | null = null
  let sinceMs = 0
  return () => {
    const { nowMs } = world.scheduler
    // Starts again after a jump in time.
    if (nowMs - lookedMs > 60_000) {
      stillSinceMs = null
      sinceMs = nowMs
    }
    if (nowMs - lookedMs < LOOK_EVERY_MS) return false
    lookedMs = nowMs
    const [due] = server.rows(
      `SELECT id FROM subscriptions WHERE status IN ('trialing', 'active', 'past_due') AND due_at <= ?
        UNION ALL SELECT id FROM threeds_sessions WHERE ended_at IS NULL AND expires_at <= ?
        UNION ALL SELECT id FROM payments WHERE status = 'requires_action' AND lease_until <= ?`,
      [Math.floor(nowMs), Math.floor(nowMs), Math.floor(nowMs)],
    )
    const isStill =
      due === undefined && bank.left() === 0 && Object.values(waiting).every((sql) => server.rows(sql, []).length === 0)
    if (!isStill) stillSinceMs = null
    else stillSinceMs ??= nowMs
    return stillSinceMs !== null && nowMs - stillSinceMs >= STILL_FOR_MS && nowMs - sinceMs >= 2 * STILL_FOR_MS
  }
}

/** @returns A function that tells whether bytes that belong to no deployment have been cleared away. */
export function sweeping(site: Site): () => boolean {
  let lookedMs = 0
  return () => {
    const { nowMs } = site.world.scheduler
    if (nowMs - lookedMs < LOOK_EVERY_MS) return false
    lookedMs = nowMs
    return leftBlobs(site).length === 0
  }
}

/** Whether payments still wait for buyers who have left, until their time is over. */
export function isBuyerAwaited({ server }: Site): boolean {
  return (
    server.rows(
      `SELECT 1 FROM payments WHERE status = 'requires_action' UNION ALL
    SELECT 1 FROM threeds_sessions WHERE ended_at IS NULL`,
      [],
    ).length > 0
  )
}
