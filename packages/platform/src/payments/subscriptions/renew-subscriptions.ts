import { startWorker } from '../../ambient/start-worker.ts'
import { CLAIM_LEASE_MS } from '../../accounts/idempotency-keys.ts'
import { ApiError } from '../../ambient/api-error.ts'
import type { Write } from '../../call.ts'
import { emitterAt } from '../../events/emitter-at.ts'
import type { Database, Row } from '../../storage/database.ts'
import { chargeAndSettle } from '../charge-and-settle.ts'
import type { Charging } from '../routing/charging.ts'
import { payNothing } from '../orders/pay-nothing.ts'
import { declineUntried } from '../settle-payment.ts'
import { startPayment } from '../build-payment.ts'
import { type PreparedPayment } from '../start-payment.ts'
import { amountDue } from './amount-due.ts'
import { cancelAtEnd, postpone } from './end-subscription.ts'
import { failTry } from './fail-try.ts'
import { prepareRenewal } from './prepare-renewal.ts'
import { findSubscription, type SubscriptionRecord } from './subscription-record.ts'
import { withoutErrors } from '../without-errors.ts'

/** How often subscriptions whose period is over are looked for. */
const LOOK_EVERY_MS = 5_000

/** How many are renewed at once. */
const AT_ONCE = 16

/**
 * Renews subscriptions whose period is over, and tries those again that were declined. Any number of processes share the
 * work; after an outage one period follows the other.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startRenewals(charging: Charging): () => Promise<void> {
  const { clock, log } = charging.parts
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    async look(stopping) {
      while ((await renewDue(charging)) > 0 && !stopping.aborted);
    },
    onError: (error) => log.error({ err: error }, 'subscriptions could not be looked for; trying again'),
  })
}

/**
 * Renews subscriptions that are due, a few of them and each by one period.
 *
 * @returns How many there were.
 */
export async function renewDue(charging: Charging): Promise<number> {
  const claimed = await claimDue(charging.parts.db, charging.parts.clock.now())
  await Promise.all(claimed.map((row) => tryToRenew(row, charging)))
  return claimed.length
}

/** Takes the lease of subscriptions that are due. It spares work alone: `holdSubscription` is what keeps others away. */
async function claimDue(db: Database, nowMs: number): Promise<readonly Row[]> {
  // Most looks find nothing, and a read costs no commit.
  const [due] = await db.read(selectDue, [nowMs, nowMs])
  if (due === undefined) return []
  const sql = db.engine === 'postgres' ? claimSkippingLocked : claim
  const outcome = await db.write([{ sql, params: [nowMs, nowMs, AT_ONCE, nowMs + CLAIM_LEASE_MS] }])
  return outcome.outcome === 'committed' ? (outcome.returned[0] ?? []) : []
}

const isDue = `status IN ('trialing', 'active', 'past_due') AND due_at <= ? AND renewal_payment_id IS NULL AND lease_until < ?`

const selectDue = `SELECT 1 AS due FROM subscriptions WHERE ${isDue} LIMIT 1`

/** Materialised, because a planner that runs the inner query twice would claim more than the limit. */
const claimWith = (locking: string): string => `WITH due AS MATERIALIZED (
    SELECT account_id, id FROM subscriptions
    WHERE ${isDue}
    ORDER BY due_at LIMIT ? ${locking})
  UPDATE subscriptions SET lease_until = ? WHERE (account_id, id) IN (SELECT account_id, id FROM due)
  RETURNING account_id, id`

const claim = claimWith('')
const claimSkippingLocked = claimWith('FOR UPDATE SKIP LOCKED')

/** One that cannot be renewed now must not hold up the others. Its lease brings it back. */
async function tryToRenew(row: Row, charging: Charging): Promise<void> {
  const { db, log } = charging.parts
  const id = String(row['id'])
  try {
    const record = await findSubscription(id, String(row['account_id']), db)
    if (record !== null) await renewOne(record, charging)
  } catch (error) {
    log.error({ err: error, subscriptionId: id }, 'a subscription could not be renewed; trying again')
  }
}

async function renewOne(record: SubscriptionRecord, charging: Charging): Promise<void> {
  const { parts } = charging
  const emitter = emitterAt(record.accountId, parts)
  const { id: subscriptionId, accountId, customerId, tries, terms } = record
  const amount = amountDue(terms, record.period)
  const owesNothing = terms.billingTiming === 'in_advance' || amount === 0
  if (record.cancelAtPeriodEnd && owesNothing) return void (await commit(cancelAtEnd(record, emitter), parts.db))
  if (amount > 0 && record.refusedInstrumentId === record.paymentInstrumentId) {
    const { storeId } = terms
    const skipped = failTry({ subscriptionId, accountId, storeId, customerId, tries, heldBy: null }, emitter)
    return void (await commit(skipped, parts.db))
  }
  const call = { ...emitter, parts, idempotencyKey: null }
  try {
    await pay(await prepareRenewal({ record, amount }, call, charging), call, charging)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    parts.log.warn({ err: error, subscriptionId }, 'a renewal could not begin; trying again in an hour')
    await commit([postpone(record, emitter)], parts.db)
  }
}

/** What is tried is on record before it is tried; whoever was faster with the same period keeps it. */
async function pay(
  prepared: PreparedPayment,
  call: Parameters<typeof startPayment>[2],
  charging: Charging,
): Promise<void> {
  const { db, log } = charging.parts
  if (prepared.next === null) return void (await commit(payNothing(prepared, call).writes, db))
  const { stopped, ...started } = startPayment(prepared, [], call)
  if (!(await commit(started.writes, db))) return
  const reply =
    stopped === null
      ? await chargeAndSettle({ ...started, threeds: null, authenticator: null }, charging)
      : declineUntried({ ...started, stopped }, call)
  if (await commit(reply.writes ?? [], db)) return
  log.warn({ paymentId: started.payment.id }, 'a renewal was settled elsewhere while it was under way')
}

async function commit(writes: readonly Write[], db: Database): Promise<boolean> {
  const outcome = await db.write(withoutErrors(writes))
  return outcome.outcome === 'committed'
}
