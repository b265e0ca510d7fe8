import type { RateLimit } from '@tillwright/contract'
import type { Clock } from '../runtime/index.ts'
import { type Database, pick, rowReader, type Statement } from '../storage/index.ts'
import { rateBucketsTable } from './tables.ts'

/** The state of a bucket after a request for a token. Times are whole seconds, rounded up. */
export interface Quota {
  allowed: boolean
  left: number
  /** Until the next token returns. */
  nextTokenS: number
  /** Until a token is there: 0 unless refused. */
  retryAfterS: number
}

/** Buckets that all processes of a deployment share. */
export interface RateLimiter {
  /** @param subject Identifies the bucket: `account:<id>`, `address:<ip>`. */
  take(subject: string, limit: RateLimit): Promise<Quota>
}

/**
 * This process's share of a bucket. A bucket is the time at which it will be full again (GCRA, ITU-T I.371); each token
 * moves that time one interval on. A lease is a stretch of it taken in advance, so that requests far from the limit
 * cost no write; `spentUntil` moves through the lease and never lags behind the present, so unused tokens expire as
 * they would in the bucket. `refusedUntil` spares the database while the bucket is known to be empty.
 */
interface Lease {
  spentUntilUs: number
  endUs: number
  refusedUntilUs: number
}

/** A lease is this share of what is left, so that near the bound tokens are taken one at a time. */
const LEASE_SHARE = 8
/** Subjects remembered at a time; the longest remembered goes first. */
const LEASES_MAX = 100_000

/** Token buckets in the database, exact where they bind. */
export function rateLimiter({ db, clock }: { db: Database; clock: Clock }): RateLimiter {
  const leases = new Map<string, Lease>()
  const leasing = new Map<string, Promise<void>>()

  function leaseOf(subject: string): Lease {
    const known = leases.get(subject)
    if (known !== undefined) return known
    const fresh = { spentUntilUs: 0, endUs: 0, refusedUntilUs: 0 }
    leases.set(subject, fresh)
    for (const oldest of leases.keys()) {
      if (leases.size <= LEASES_MAX) break
      leases.delete(oldest)
    }
    return fresh
  }

  async function take(subject: string, limit: RateLimit): Promise<Quota> {
    const bucket = bucketOf(limit)
    const lease = leaseOf(subject)
    for (;;) {
      const nowUs = clock.now() * 1_000
      const spentUntilUs = Math.max(lease.spentUntilUs, nowUs) + bucket.intervalUs
      if (spentUntilUs <= lease.endUs) {
        lease.spentUntilUs = spentUntilUs
        return quota(lease, bucket, nowUs)
      }
      if (nowUs < lease.refusedUntilUs) return refusal(lease, nowUs)
      let renewal = leasing.get(subject)
      if (renewal === undefined) {
        renewal = renew({ subject, lease, bucket, nowUs, db }).finally(() => leasing.delete(subject))
        leasing.set(subject, renewal)
      }
      await renewal
    }
  }
  return { take }
}

interface Bucket {
  intervalUs: number
  capacityUs: number
}

function bucketOf({ perMinute, burst }: RateLimit): Bucket {
  const intervalUs = Math.round(60_000_000 / perMinute)
  return { intervalUs, capacityUs: burst * intervalUs }
}

interface Renewal {
  subject: string
  lease: Lease
  bucket: Bucket
  nowUs: number
  db: Database
}

/** Takes the next stretch of the bucket, or learns that it is empty. */
async function renew({ subject, lease, bucket, nowUs, db }: Renewal): Promise<void> {
  for (const { lengthUs, statement } of stretches({ subject, lease, bucket, nowUs })) {
    const outcome = await db.write([statement])
    const [taken] = outcome.outcome === 'committed' ? readBuckets(outcome.returned[0] ?? []) : []
    if (taken === undefined) continue
    moveLease(lease, { startUs: taken.full_at_us - lengthUs, endUs: taken.full_at_us })
    return
  }
  const [row] = readBuckets(await db.read('SELECT full_at_us FROM rate_buckets WHERE subject = ?', [subject]))
  const fullAtUs = row?.full_at_us ?? nowUs
  moveLease(lease, { startUs: fullAtUs, endUs: fullAtUs })
  lease.refusedUntilUs = lease.spentUntilUs + bucket.intervalUs - bucket.capacityUs
}

const readBuckets = rowReader(pick(rateBucketsTable, 'full_at_us'))

/** A stretch that follows the last one directly is joined to it: the odd rest of an interval is not lost. */
function moveLease(lease: Lease, { startUs, endUs }: { startUs: number; endUs: number }): void {
  if (startUs !== lease.endUs) lease.spentUntilUs = startUs
  lease.endUs = endUs
}

/** Stretches to try, in order: a lease, the part of a token missing from the lease's remainder, a whole token. */
function stretches({
  subject,
  lease,
  bucket: { intervalUs, capacityUs },
  nowUs,
}: Omit<Renewal, 'db'>): { lengthUs: number; statement: Statement }[] {
  const bound = { nowUs, capacityUs }
  const tokens = Math.floor((capacityUs - Math.max(lease.endUs - nowUs, 0)) / intervalUs / LEASE_SHARE)
  const restUs = Math.max(lease.endUs - Math.max(lease.spentUntilUs, nowUs), 0)
  const lackingUs = intervalUs - restUs
  const leased = { lengthUs: tokens * intervalUs, statement: takeStretch(subject, tokens * intervalUs, bound) }
  const completed = {
    lengthUs: lackingUs,
    statement: extendStretch(subject, { endUs: lease.endUs, lengthUs: lackingUs }, bound),
  }
  const single = { lengthUs: intervalUs, statement: takeStretch(subject, intervalUs, bound) }
  return [...(tokens > 1 ? [leased] : []), ...(restUs > 0 ? [completed] : []), single]
}

interface Bound {
  nowUs: number
  capacityUs: number
}

function takeStretch(subject: string, lengthUs: number, { nowUs, capacityUs }: Bound): Statement {
  const from = 'CASE WHEN rate_buckets.full_at_us > ? THEN rate_buckets.full_at_us ELSE ? END'
  return {
    sql: `INSERT INTO rate_buckets (subject, full_at_us) VALUES (?, ?)
      ON CONFLICT (subject) DO UPDATE SET full_at_us = ${from} + ? WHERE ${from} + ? <= ?
      RETURNING full_at_us`,
    params: [subject, nowUs + lengthUs, nowUs, nowUs, lengthUs, nowUs, nowUs, lengthUs, nowUs + capacityUs],
  }
}

/** A partial token is useful only directly after the lease it completes, if no other process has taken one since. */
function extendStretch(
  subject: string,
  { endUs, lengthUs }: { endUs: number; lengthUs: number },
  { nowUs, capacityUs }: Bound,
): Statement {
  const extendedUs = endUs + lengthUs
  return {
    sql: 'UPDATE rate_buckets SET full_at_us = ? WHERE subject = ? AND full_at_us = ? AND full_at_us <= ? RETURNING full_at_us',
    params: [extendedUs, subject, endUs, nowUs + capacityUs - lengthUs],
  }
}

function quota(lease: Lease, bucket: Bucket, nowUs: number): Quota {
  const usedUs = lease.spentUntilUs - nowUs
  return {
    allowed: true,
    left: Math.floor((bucket.capacityUs - usedUs) / bucket.intervalUs),
    nextTokenS: Math.ceil((usedUs % bucket.intervalUs || bucket.intervalUs) / 1_000_000),
    retryAfterS: 0,
  }
}

function refusal(lease: Lease, nowUs: number): Quota {
  const retryAfterS = Math.max(1, Math.ceil((lease.refusedUntilUs - nowUs) / 1_000_000))
  return { allowed: false, left: 0, nextTokenS: retryAfterS, retryAfterS }
}
