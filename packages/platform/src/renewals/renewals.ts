import type { NewPayment, OrderLine } from '@tillwright/contract'
import { CLAIM_LEASE_MS } from '../accounts/index.ts'
import { toldOf } from '../audit/index.ts'
import { holderIsGone } from '../cluster/index.ts'
import { findInstrument } from '../customers/index.ts'
import { emitterAt } from '../events/index.ts'
import { type OrderPrice, plainPrice } from '../orders/index.ts'
import {
  chargePayment,
  declineUntried,
  payNothing,
  type PreparedPayment,
  type Starting,
  buildPayment,
} from '../payments/index.ts'
import type { Services } from '../request-context.ts'
import { type Charging, findLastSuccess, findPaymentFlow, firstAttempt, type Route } from '../routing/index.ts'
import { ApiError, missing, startWorker } from '../runtime/index.ts'
import {
  type Database,
  DatabaseUnavailable,
  insist,
  int,
  nullable,
  pick,
  type RowOf,
  rowReader,
  type Statement,
} from '../storage/index.ts'
import {
  cancelAtEnd,
  failTry,
  findSubscription,
  postpone,
  retryAfterDays,
  type SubscriptionRecord,
  subscriptionsTable,
} from '../subscriptions/index.ts'
import { amountDue } from './amount-due.ts'
import { commit, type RenewalChange } from './commit-step.ts'

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
  const { clock, cluster, log } = charging.services
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    leads: () => cluster.mayLead(),
    onWake: (wake) => cluster.onPeers(wake),
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
  const claimed = await claimDue(charging.services)
  await Promise.all(claimed.map((row) => tryToRenew(row, charging)))
  return claimed.length
}

/** How much is counted of what is due. */
const COUNTED_MAX = 10_000

/** The subscriptions that are due and not being renewed, at most 10,000, and since when the oldest has been. */
export async function renewalBacklog(db: Database, nowMs: number): Promise<{ due: number; sinceMs: number | null }> {
  const [row] = readBacklog(await db.read(selectBacklog, [nowMs, COUNTED_MAX]))
  return { due: row?.due ?? 0, sinceMs: row?.since ?? null }
}

const selectBacklog = `SELECT count(*) AS due, min(due_at) AS since FROM (
    SELECT due_at FROM subscriptions
    WHERE status IN ('trialing', 'active', 'past_due') AND due_at <= ? AND renewal_payment_id IS NULL
    ORDER BY due_at LIMIT ?) AS counted`
const readBacklog = rowReader({ due: int, since: nullable(int) })

/** Takes the lease of subscriptions that are due. It spares work alone: `holdSubscription` is what keeps others away. */
async function claimDue({ db, clock, cluster }: Services): Promise<readonly DueRow[]> {
  const nowMs = clock.now()
  // Most looks find nothing, and a read costs no commit.
  const [due] = await db.read(selectDue, [nowMs, nowMs])
  if (due === undefined) return []
  const sql = db.engine === 'postgres' ? claimSkippingLocked : claim
  const leaseUntilMs = nowMs + CLAIM_LEASE_MS
  const { id: holder } = cluster.self
  const outcome = await db
    .write([{ sql, params: [nowMs, nowMs, AT_ONCE, leaseUntilMs, holder] }])
    .catch((error: unknown) => {
      // They may have been claimed all the same.
      cluster.giveBack([{ sql: giveBackClaimed, params: [holder, leaseUntilMs] }])
      throw error
    })
  return outcome.outcome === 'committed' ? readDue(outcome.returned[0] ?? []) : []
}

const isDue = `status IN ('trialing', 'active', 'past_due') AND due_at <= ? AND renewal_payment_id IS NULL AND lease_until < ?`

const selectDue = `SELECT 1 AS due FROM subscriptions WHERE ${isDue} LIMIT 1`

/** Materialised, because a planner that runs the inner query twice would claim more than the limit. */
const claimWith = (locking: string): string => `WITH due AS MATERIALIZED (
    SELECT account_id, id FROM subscriptions
    WHERE ${isDue}
    ORDER BY due_at LIMIT ? ${locking})
  UPDATE subscriptions SET lease_until = ?, holder = ? WHERE (account_id, id) IN (SELECT account_id, id FROM due)
  RETURNING account_id, id`
const dueColumns = pick(subscriptionsTable, 'account_id', 'id')
const readDue = rowReader(dueColumns)
type DueRow = RowOf<typeof dueColumns>

const claim = claimWith('')
const claimSkippingLocked = claimWith('FOR UPDATE SKIP LOCKED')

const giveBackClaimed = `UPDATE subscriptions SET lease_until = 0, holder = NULL
  WHERE holder = ? AND lease_until = ? RETURNING id`
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
async function tryToRenew({ id, account_id: accountId }: DueRow, charging: Charging): Promise<void> {
  const { db, log, telemetry, cluster } = charging.services
  const { id: holder } = cluster.self
  try {
    await telemetry.span('renewal', { attributes: { 'tillwright.account.id': accountId } }, async () => {
      const record = await findSubscription(id, accountId, db)
      if (record !== null) await renewOne(record, charging)
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) cluster.giveBack([{ sql: giveBackOne, params: [accountId, id, holder] }])
    log.error({ err: error, subscriptionId: id }, 'a subscription could not be renewed; trying again')
  }
}

async function renewOne(record: SubscriptionRecord, charging: Charging): Promise<void> {
  const { services } = charging
  const emitter = emitterAt(record.accountId, services)
  const { id: subscriptionId, accountId, customerId, tries, terms } = record
  const amount = amountDue(terms, record)
  const owesNothing = terms.billingTiming === 'in_advance' || amount === 0
  const say = (operation: string, after?: unknown): RenewalChange => ({ record, operation, after })
  if (record.cancelAtPeriodEnd && owesNothing) {
    return void (await commit(cancelAtEnd(record, emitter), say('renewals.cancel', { status: 'canceled' }), services))
  }
  if (amount > 0 && record.refusedInstrumentId === record.paymentInstrumentId) {
    const { storeId } = terms
    const skipped = failTry(
      {
        subscriptionId,
        accountId,
        storeId,
        customerId,
        tries,
        retryAfterDays: retryAfterDays(terms, tries),
        heldBy: null,
      },
      emitter,
    )
    return void (await commit(skipped, say('renewals.refuse'), services))
  }
  const context = { ...emitter, services, idempotencyKey: null }
  try {
    await pay({ record, prepared: await prepareRenewal({ record, amount }, context, charging) }, context, charging)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    services.log.warn({ err: error, subscriptionId }, 'a renewal could not begin; trying again in an hour')
    await commit([postpone(record, emitter)], say('renewals.postpone', { error: error.code }), services)
  }
}

/** Records an attempt before making it; of concurrent attempts at a period the first one recorded wins. */
async function pay(
  { record, prepared }: { record: SubscriptionRecord; prepared: PreparedPayment },
  context: Parameters<typeof buildPayment>[2],
  charging: Charging,
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
        ? await chargePayment({ ...started, threeds: null, code: null, authenticator: null }, charging)
        : declineUntried({ ...started, stopped }, context)
    const { id: holder } = cluster.self
    const isSettled = await insist(
      () => commit(reply.writes ?? [], { record, operation: 'renewals.charge', after: toldOf(reply) }, services),
      () => cluster.self.id === holder,
    )
    if (isSettled) return
    log.warn({ paymentId: started.payment.id }, 'a renewal was settled elsewhere while it was under way')
  } catch (error) {
    cluster.giveBack(started.writes.flatMap(({ giveBack }) => giveBack ?? []))
    throw error
  }
}

/** A subscription whose period is over, and what is to be paid for it in minor units. */
export interface DueRenewal {
  record: SubscriptionRecord
  amount: number
}

/**
 * The payment of a period. The merchant asks for it while no buyer is there: there is no security code, no 3-D Secure and
 * no tester to watch for, and the processor of the customer's last success is asked first, as issuers expect.
 *
 * @throws {ApiError} When the flow or the card is gone, or no processor can be asked.
 */
async function prepareRenewal(
  { record, amount }: DueRenewal,
  context: Starting,
  charging: Charging,
): Promise<PreparedPayment> {
  const route = await routeOf(record, context)
  return {
    body: bodyOf(record),
    page: null,
    route,
    customerId: record.customerId,
    countedBuyer: null,
    selling: null,
    price: priceOf(record, amount),
    next: amount === 0 ? null : await firstAttempt(route, context, charging),
    spending: [],
    authenticator: null,
    renewal: record,
  }
}

async function routeOf(record: SubscriptionRecord, { services: { db } }: Starting): Promise<Route> {
  const { accountId, customerId, paymentInstrumentId, terms } = record
  const [known, instrument] = await Promise.all([
    findPaymentFlow(terms.paymentFlowId, accountId, db),
    findInstrument(paymentInstrumentId, accountId, db),
  ])
  if (known === null) throw missing('payment flow', terms.paymentFlowId)
  if (instrument?.isActive !== true) {
    throw new ApiError('state_conflict', `The payment instrument '${paymentInstrumentId}' is not active.`)
  }
  const flow = { ...known, threeDsEnabled: false, abuseDetectionConfig: null, stickyProcessorEnabled: true }
  const lastSuccess = await findLastSuccess({ accountId, customerId, flow }, db)
  return {
    accountId,
    flow,
    currency: terms.currency,
    card: { ...instrument, codeId: instrument.cardId },
    lastSuccess,
    isPreview: false,
  }
}

function bodyOf({ id, paymentInstrumentId, terms }: SubscriptionRecord): NewPayment {
  return {
    storeId: terms.storeId,
    paymentInstrumentId,
    paymentFlowId: terms.paymentFlowId,
    currency: terms.currency,
    captureMethod: 'automatic',
    authenticationType: 'payment-transaction',
    challengePreference: 'no-preference',
    promotionCodes: [],
    shippingAmount: 0,
    metadata: { subscriptionId: id },
  }
}

/** The line as it was bought. What the first order's promotions take off the first period stands as its discount. */
function priceOf({ terms, usageQuantity }: SubscriptionRecord, amount: number): OrderPrice {
  const { productId, variantId, priceId, name, unitAmount } = terms
  const quantity = terms.billingTiming === 'usage' ? Math.max(usageQuantity, 0) : terms.quantity
  const { interval, intervalCount, billingTiming } = terms
  const subtotal = amount === 0 ? 0 : unitAmount * quantity
  const line: OrderLine = {
    productId,
    variantId,
    priceId,
    name,
    quantity,
    unitAmount: amount === 0 ? 0 : unitAmount,
    discountAmount: subtotal - amount,
    amount,
    deferredAmount: 0,
    recurring: { interval, intervalCount, billingTiming, trialDays: 0 },
    promotionId: null,
  }
  return { ...plainPrice(amount), subtotal, discountAmount: subtotal - amount, lines: [line] }
}
