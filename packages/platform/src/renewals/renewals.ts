import { contentOf, recordNow, worker } from '../audit/index.ts'
import { type Backlog, backlogOf, type FairWork, holderIsGone, startFairWork, workOnce } from '../cluster/index.ts'
import { emitterAt } from '../events/index.ts'
import { withoutErrors } from '../ledger/index.ts'
import { buildPayment, chargePayment, declineUntried, payNothing } from '../payments/index.ts'
import type { Services, Write } from '../request-context.ts'
import type { Charging } from '../routing/index.ts'
import { ApiError, failuresOf } from '../runtime/index.ts'
import {
  type Database,
  DatabaseUnavailable,
  insist,
  pick,
  type RowOf,
  rowReader,
  type Statement,
} from '../storage/index.ts'
import {
  amountDue,
  backToSchedule,
  bringBack,
  cancelAtEnd,
  endsUnpaid,
  failTry,
  findSubscription,
  postpone,
  retryAfterDays,
  type SubscriptionRecord,
  subscriptionsTable,
} from '../subscriptions/index.ts'
import { prepareRenewal } from './prepare-renewal.ts'

/** How often subscriptions whose period is over are looked for. */
const LOOK_EVERY_MS = 5_000

/** Dependencies for renewing subscriptions. */
export interface Renewing extends Charging {
  /** Where the pages are that buyers are brought back to. */
  apiUrl: string
}

/** How many are renewed at once. */
const PLACES = 32

/**
 * Renews subscriptions whose period is over, and tries those again that were declined. Any number of processes share the
 * work; after an outage one period follows the other.
 *
 * @returns Stops the worker; resolves when it has.
 */
export function startRenewals(charging: Renewing): () => Promise<void> {
  const { cluster, log } = charging.services
  return startFairWork(renewalWork(charging), charging.services, {
    everyMs: LOOK_EVERY_MS,
    onDone: () => cluster.finished('renewals'),
    ...failuresOf(log, { worker: 'renewals', message: 'subscriptions could not be looked for; trying again' }),
  })
}

/**
 * Renews the subscriptions that are due, once, until none is.
 *
 * @returns How many periods that were.
 */
export function renewDue(charging: Renewing): Promise<number> {
  return workOnce(renewalWork(charging), charging.services)
}

/** A lease spares work alone: `holdSubscription` is what keeps others away. */
function renewalWork(charging: Renewing): FairWork<DueRow> {
  return {
    due: [dueSubscriptions],
    look: (nowMs) => ({ sql: selectDue, params: [nowMs, nowMs] }),
    read: readDue,
    work: (row) => tryToRenew(row, charging),
    places: PLACES,
  }
}

const isAlive = `status IN ('trialing', 'active', 'past_due')`

/** The subscriptions that are due and not being renewed. */
export function renewalBacklog(db: Database, nowMs: number): Promise<Backlog> {
  return backlogOf(selectBacklog, [nowMs], db)
}

const selectBacklog = `SELECT due_at AS since FROM subscriptions
  WHERE ${isAlive} AND due_at <= ? AND renewal_payment_id IS NULL ORDER BY due_at`

const isDue = `due_at <= ? AND renewal_payment_id IS NULL AND lease_until < ?`
const selectDue = `SELECT 1 AS due FROM subscriptions WHERE ${isAlive} AND ${isDue} LIMIT 1`

const dueSubscriptions = {
  table: 'subscriptions',
  among: isAlive,
  isDue,
  params: (nowMs: number) => [nowMs, nowMs],
  orderBy: 'due_at',
  columns: 'account_id, id',
  freed: 'lease_until = 0, holder = NULL',
}
const dueColumns = pick(subscriptionsTable, 'account_id', 'id')
const readDue = rowReader(dueColumns)
type DueRow = RowOf<typeof dueColumns>

/** How long renewals wait that a restored database takes for due. */
const HELD_MS = 24 * 3_600_000

/** How many are held back at once. */
const HELD_AT_ONCE = 500

/**
 * Has those wait for a day that are due in a database that was restored: it has forgotten which of them were charged since.
 *
 * @returns How many, and until when, in Unix milliseconds.
 */
export async function holdForgotten(db: Database, nowMs: number): Promise<{ held: number; untilMs: number }> {
  const untilMs = nowMs + HELD_MS
  for (let held = 0; ;) {
    const rows = readDue(await db.read(selectForgotten, [nowMs, untilMs, HELD_AT_ONCE]))
    await Promise.all(rows.map((row) => db.write([{ sql: holdOne, params: [untilMs, row.account_id, row.id] }])))
    held += rows.length
    if (rows.length < HELD_AT_ONCE) return { held, untilMs }
  }
}

const selectForgotten = `SELECT account_id, id FROM subscriptions
  WHERE ${isAlive} AND due_at <= ? AND renewal_payment_id IS NULL AND lease_until < ? LIMIT ?`
const holdOne = `UPDATE subscriptions SET lease_until = ?, holder = NULL WHERE account_id = ? AND id = ?`

const giveBackOne = `UPDATE subscriptions SET lease_until = 0, holder = NULL
  WHERE account_id = ? AND id = ? AND holder = ? RETURNING id`

/** Makes subscriptions due again whose process is gone. */
export const releaseRenewals: Statement = {
  sql: `UPDATE subscriptions SET lease_until = 0, holder = NULL
    WHERE holder IS NOT NULL AND ${holderIsGone('subscriptions.holder')}`,
  params: [],
}

/**
 * A subscription that cannot be renewed now must not hold up the others. It is retried when its lease ends, or when the
 * database serves again.
 */
async function tryToRenew({ id, account_id: accountId }: DueRow, charging: Renewing): Promise<void> {
  const { db, log, telemetry, cluster } = charging.services
  const { id: holder } = cluster.self
  try {
    await telemetry.span('renewal', { begins: true, attributes: { 'tillwright.account.id': accountId } }, async () => {
      const record = await findSubscription(id, accountId, db)
      if (record !== null && isStillDue(record, charging.services)) await renewOne(record, charging)
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) cluster.giveBack([{ sql: giveBackOne, params: [accountId, id, holder] }])
    log.error({ err: error, subscriptionId: id }, 'a subscription could not be renewed; trying again')
  }
}

/** It may have been paused, canceled or renewed since it was claimed, and what is read now is what its hold goes by. */
function isStillDue({ status, dueMs, renewalPaymentId }: SubscriptionRecord, { clock }: Services): boolean {
  return status !== 'paused' && status !== 'canceled' && dueMs <= clock.now() && renewalPaymentId === null
}

async function renewOne(record: SubscriptionRecord, charging: Renewing): Promise<void> {
  const { services } = charging
  const emitter = emitterAt(record.accountId, services)
  const { id: subscriptionId, accountId, customerId, tries, terms } = record
  const amount = amountDue(record)
  const say = (operation: string, after?: unknown): RenewalChange => ({ record, operation, after })
  if (endsUnpaid(record)) {
    return void (await commit(cancelAtEnd(record, emitter), say('renewals.cancel', { status: 'canceled' }), services))
  }
  const isRequested = record.scheduledMs !== null
  if (amount > 0 && record.refusedInstrumentId === record.paymentInstrumentId) {
    if (isRequested) {
      return void (await commit([backToSchedule(record, emitter)], say('renewals.refuse'), services))
    }
    const { storeId } = terms
    const skipped = failTry(
      {
        subscriptionId,
        accountId,
        storeId,
        customerId,
        tries,
        retryAfterDays: retryAfterDays(terms, tries),
        waitMs: 0,
        heldBy: null,
      },
      emitter,
    )
    return void (await commit(skipped, say('renewals.refuse'), services))
  }
  const context = { ...emitter, services, idempotencyKey: null }
  try {
    const prepared = await prepareRenewal({ record, amount, isRequested }, context, charging)
    const { next } = prepared
    if (next !== null && 'untilMs' in next && next.stopped === 'retry_too_early') {
      const { stopped, untilMs } = next
      const writes = postpone(record, { reason: stopped, untilMs }, emitter)
      return void (await commit(writes, say('renewals.postpone', { stopped }), services))
    }
    await pay({ record, prepared }, context, charging)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    services.log.warn({ err: error, subscriptionId }, 'a renewal could not begin; trying again in an hour')
    const reason = error.code === 'tax_unanswered' ? error.code : 'no_eligible_processor'
    await commit(postpone(record, { reason }, emitter), say('renewals.postpone', { error: error.code }), services)
  }
}

/** Records an attempt before making it; of concurrent attempts at a period the first one recorded wins. */
async function pay(
  { record, prepared }: { record: SubscriptionRecord; prepared: Awaited<ReturnType<typeof prepareRenewal>> },
  context: Parameters<typeof buildPayment>[2],
  charging: Renewing,
): Promise<void> {
  const { services } = charging
  const { log, cluster } = services
  if (prepared.next === null) {
    const { writes } = payNothing(prepared, context)
    return void (await commit(writes, { record, operation: 'renewals.renew', after: { amount: 0 } }, services))
  }
  const { stopped, ...started } = buildPayment(prepared, [], context)
  try {
    if (!(await commit(started.writes, { record, operation: 'renewals.begin', after: started.payment }, services)))
      return
    const reply =
      stopped === null
        ? await chargePayment({ ...started, threeds: null, other: null, code: null, authenticator: null }, charging)
        : declineUntried({ ...started, stopped }, context)
    const { id: holder } = cluster.self
    const emitter = emitterAt(record.accountId, services)
    const end = { record, operation: 'renewals.charge', after: contentOf(reply) }
    const isRecorded = await insist(
      async () => {
        const broughtBack = await bringBack({ payment: started.payment, reply }, charging, emitter)
        return commit([...(reply.writes ?? []), ...broughtBack], end, services)
      },
      () => cluster.self.id === holder,
    )
    if (isRecorded) return
    log.warn({ paymentId: started.payment.id }, 'a renewal was completed elsewhere while it was under way')
  } catch (error) {
    cluster.giveBack(started.writes.flatMap(({ giveBack }) => giveBack ?? []))
    throw error
  }
}

/** A step of a renewal, for the audit log. */
interface RenewalChange {
  record: SubscriptionRecord
  operation: string
  after: unknown
}

/** Commits a step of a renewal with its entry; `false` when another process was faster. */
async function commit(
  writes: readonly Write[],
  { record, operation, after }: RenewalChange,
  services: Services,
): Promise<boolean> {
  if (writes.length === 0) return true
  const { accountId, id, status } = record
  const resource = { type: 'subscription', id }
  const change = { accountId, actor: worker('renewals'), operation, resource, before: { status }, after }
  const outcome = await services.db.write(withoutErrors([...writes, ...recordNow(change, services)]))
  return outcome.outcome === 'committed'
}
