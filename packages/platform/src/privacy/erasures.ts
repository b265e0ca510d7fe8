import type { BegunErasure, Contract, CustomerErasure } from '@tillwright/contract'
import { eraseChanges, worker } from '../audit/index.ts'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import type { Handler, Handlers, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, type PersonalTable, pick, readByIds, type RowOf, rowReader, text } from '../storage/index.ts'
import { customersTable } from '../customers/index.ts'
import { addCounts, eraseRows } from './erase-rows.ts'
import { BEGINNING, findRows, placeOf } from './find-rows.ts'
import { receiptOf, remainsOf } from './receipt.ts'
import { type Counts, customerErasuresTable, type ErasureProgress } from './tables.ts'

/** Reads the receipts of erasures. */
export const erasures: Handlers<Contract['erasures']> = {
  async get({ params: { erasureId } }, { caller, services }) {
    const [erasure] = await findErasures([erasureId], caller.accountId, services.db)
    if (erasure === undefined) throw missing('erasure', erasureId)
    return { body: erasure }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const filters = [...equalTo('customer_id', query.customerId), ...equalTo('status', query.status)]
    return { body: await readList(erasureList, { accountId, query, filters, anyOf: null }, db) }
  },
}

const erasureList: ListTable<CustomerErasure> = {
  table: 'customer_erasures',
  orderedBy: { id: 'era' },
  indexed: ['customer_id'],
  read: findErasures,
}

async function findErasures(ids: readonly string[], accountId: string, db: Database): Promise<CustomerErasure[]> {
  return (await readByIds(customerErasuresTable, { table: 'customer_erasures', ids, accountId }, db)).map((row) =>
    toErasure(row, db),
  )
}

function toErasure(row: RowOf<typeof customerErasuresTable>, { engine }: Database): CustomerErasure {
  return {
    id: row.id,
    accountId: row.account_id,
    storeId: row.store_id,
    customerId: row.customer_id,
    status: row.status,
    createdAt: new Date(row.created_at).toISOString(),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
    receipt: row.receipt,
    remains: remainsOf(engine),
  }
}

/** A dry run looks at so many rows and pages at most, and says that there are more. */
const DRY_RUN_ROWS_MAX = 10_000
const DRY_RUN_PAGES_MAX = 200

/**
 * Begins to erase a customer, or says what would be erased. From here on nothing new is stored of them: their
 * instruments are inactive, no payment can name them, and their e-mail address leads to them no more. The rest is a
 * worker's, page by page.
 */
export function eraseCustomer(tables: readonly PersonalTable[]): Handler<Contract['customers']['erase']> {
  return async ({ params: { customerId }, body: { dryRun } }, context) => {
    const { accountId } = context.caller
    const { db } = context.services
    const [customer] = readCustomers(await db.read(selectCustomer, [accountId, customerId]))
    if (customer === undefined) throw missing('customer', customerId)
    const [known] = readErasureIds(await db.read(selectErasure, [accountId, customerId]))
    const [before] = known === undefined ? [] : await findErasures([known.id], accountId, db)
    if (before !== undefined) return { body: { ...before, isWhole: true }, created: false }
    await refuseUnderWay(customerId, context)
    const begun: BegunErasure = {
      id: dryRun ? null : context.newId('era'),
      accountId,
      storeId: customer.store_id,
      customerId,
      status: dryRun ? 'dry_run' : 'pending',
      createdAt: new Date(context.nowMs).toISOString(),
      finishedAt: null,
      receipt: null,
      isWhole: true,
      remains: remainsOf(db.engine),
    }
    if (begun.id === null)
      return { body: { ...begun, ...(await wouldErase(customerId, tables, context)) }, created: false }
    return { body: begun, writes: beginning({ ...begun, id: begun.id }, context) }
  }
}

const selectCustomer = 'SELECT id, store_id FROM customers WHERE account_id = ? AND id = ?'
const readCustomers = rowReader(pick(customersTable, 'id', 'store_id'))
const selectErasure = 'SELECT id FROM customer_erasures WHERE account_id = ? AND customer_id = ?'
const readErasureIds = rowReader(pick(customerErasuresTable, 'id'))

async function wouldErase(
  customerId: string,
  tables: readonly PersonalTable[],
  { caller: { accountId }, services, nowMs }: RequestContext,
): Promise<Pick<BegunErasure, 'receipt' | 'isWhole'>> {
  let counts: Counts = {}
  const seen = new Set<string>()
  for (let [pages, cursor] = [1, BEGINNING]; ; pages++) {
    const { found, next } = await findRows({ accountId, customerId, tables }, cursor, services)
    const fresh = found.filter((row) => !seen.has(placeOf(row)))
    for (const row of fresh) seen.add(placeOf(row))
    counts = addCounts(counts, eraseRows(fresh, { accountId, nowMs }).counts, true)
    const isEnough = seen.size > DRY_RUN_ROWS_MAX || pages === DRY_RUN_PAGES_MAX
    if (next === null || isEnough) return { receipt: receiptOf(tables, counts), isWhole: next === null }
    cursor = next
  }
}

/** @throws {ApiError} `state_conflict` that names what has to end first. */
async function refuseUnderWay(customerId: string, { caller, services }: RequestContext): Promise<void> {
  const { payments, subscriptions } = await underWay({ accountId: caller.accountId, customerId }, services.db)
  if (payments.length > 0) {
    const named = payments.join(', ')
    throw new ApiError(
      'state_conflict',
      `The customer has payments under way: ${named}. Capture or void those that are authorized, wait for the end of the others, and erase the customer then.`,
      { param: 'customerId' },
    )
  }
  if (subscriptions.length > 0) {
    const named = subscriptions.join(', ')
    throw new ApiError(
      'state_conflict',
      `The customer has running subscriptions: ${named}. Cancel them, and erase the customer then.`,
      { param: 'customerId' },
    )
  }
}

/** Payments that can still change, and subscriptions that would be renewed; five of each at most. */
export async function underWay(
  { accountId, customerId }: { accountId: string; customerId: string },
  db: Database,
): Promise<{ payments: string[]; subscriptions: string[] }> {
  const params = [accountId, customerId]
  const [payments, refunds, subscriptions] = await Promise.all([
    db.read(selectOpenPayments, params),
    db.read(selectOpenRefunds, params),
    db.read(selectRunning, params),
  ])
  const idsOf = (rows: Parameters<typeof readIds>[0]) => readIds(rows).map(({ id }) => id)
  return { payments: [...new Set([...idsOf(payments), ...idsOf(refunds)])], subscriptions: idsOf(subscriptions) }
}

const readIds = rowReader({ id: text })
const isOpen = `status IN ('created', 'requires_action', 'processing', 'authorized')`
const selectOpenPayments = `SELECT id FROM payments WHERE account_id = ? AND customer_id = ? AND ${isOpen} ORDER BY id LIMIT 5`
const selectOpenRefunds = `SELECT p.id FROM payments p JOIN payment_follow_ups f ON f.account_id = p.account_id
    AND f.payment_id = p.id
  WHERE p.account_id = ? AND p.customer_id = ? AND f.status = 'pending' ORDER BY p.id LIMIT 5`
const selectRunning = `SELECT id FROM subscriptions WHERE account_id = ? AND customer_id = ?
  AND status IN ('trialing', 'active', 'past_due', 'paused') ORDER BY id LIMIT 5`

function beginning(erasure: BegunErasure & { id: string }, { nowMs }: RequestContext): Write[] {
  const { id, accountId, storeId, customerId } = erasure
  const progress: ErasureProgress = { cursor: BEGINNING, isFirstPass: true, erasedInPass: 0, counts: {} }
  return [
    {
      sql: `UPDATE customers SET erased_at = ?, email_key = NULL WHERE account_id = ? AND id = ? AND erased_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.account_id = customers.account_id
          AND p.customer_id = customers.id AND p.${isOpen})`,
      params: [nowMs, accountId, customerId],
      expect: 1,
      onRefused: () =>
        new ApiError(
          'state_conflict',
          'The customer has just begun to pay, or is being erased; try again in a moment.',
        ),
    },
    {
      sql: 'UPDATE payment_instruments SET is_active = 0, is_default = 0 WHERE account_id = ? AND customer_id = ?',
      params: [accountId, customerId],
    },
    {
      sql: `INSERT INTO customer_erasures (account_id, id, customer_id, store_id, status, step, progress, created_at)
        VALUES (?, ?, ?, ?, 'pending', 0, ?, ?)`,
      params: [accountId, id, customerId, storeId, JSON.stringify(progress), nowMs],
    },
  ]
}

/**
 * Begins an erasure again in a database that does not know of it, because it was restored. A subscription that runs there
 * had ended when the customer was erased. Refused where there is no such customer, or the erasure is known.
 */
export function beginAgain({ accountId, id, customerId, createdAt }: KnownErasure): Write[] {
  const progress: ErasureProgress = { cursor: BEGINNING, isFirstPass: true, erasedInPass: 0, counts: {} }
  const owner = [accountId, customerId]
  const atMs = Date.parse(createdAt)
  return [
    {
      sql: 'UPDATE customers SET erased_at = ?, email_key = NULL WHERE account_id = ? AND id = ? AND erased_at IS NULL',
      params: [atMs, ...owner],
      expect: 1,
    },
    {
      sql: 'UPDATE payment_instruments SET is_active = 0, is_default = 0 WHERE account_id = ? AND customer_id = ?',
      params: owner,
    },
    {
      sql: `UPDATE subscriptions SET status = 'canceled', canceled_at = ? WHERE account_id = ? AND customer_id = ?
        AND status IN ('trialing', 'active', 'past_due', 'paused')`,
      params: [atMs, ...owner],
    },
    {
      sql: `INSERT INTO customer_erasures (account_id, id, customer_id, store_id, status, step, progress, created_at)
        SELECT account_id, ?, id, store_id, 'pending', 0, ?, CAST(? AS BIGINT) FROM customers WHERE account_id = ? AND id = ?`,
      params: [id, JSON.stringify(progress), atMs, ...owner],
    },
  ]
}

/** The facts of an erasure that are needed to repeat it. */
export type KnownErasure = Pick<CustomerErasure, 'id' | 'accountId' | 'customerId' | 'createdAt'>

/** An erasure that is under way. */
export type PendingErasure = Pick<
  RowOf<typeof customerErasuresTable>,
  'account_id' | 'id' | 'customer_id' | 'store_id' | 'step' | 'progress'
>

type Erasing = Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>

/**
 * Erases the next page of a customer's rows, in one transaction with the note of how far it has come: a process that dies
 * leaves nothing half done, and another goes on from there. Of two processes one is refused.
 *
 * @param finish The writes that announce the end.
 * @returns The erasure as it is now; `null` when it is over, has to wait, or another process is at work on it.
 */
export async function eraseNextPage(
  erasure: PendingErasure,
  {
    tables,
    finish,
    ...services
  }: Erasing & { tables: readonly PersonalTable[]; finish: (erasure: PendingErasure) => Write[] },
): Promise<PendingErasure | null> {
  const { account_id: accountId, id, customer_id: customerId, step, progress } = erasure
  const subject = { accountId, customerId, tables }
  const { found, next } = await findRows(subject, progress.cursor, services)
  const { writes, entries, counts } = eraseRows(found, { accountId, nowMs: services.clock.now() })
  const erased = Object.values(counts).reduce((sum, count) => sum + count.erased, 0)
  const sum = addCounts(progress.counts, counts, progress.isFirstPass)
  const isClean = next === null && progress.erasedInPass + erased === 0
  // Requests under way may still store something of the customer: then there is another pass.
  const waits = isClean && (await underWay({ accountId, customerId }, services.db)).payments.length > 0
  if (waits) return null
  // The answer says that it is over, and may be relied on. A backup in progress reads from the log: then it is over
  // later.
  if (isClean && (await services.db.emptyLog?.()) === false) return null
  const after: ErasureProgress = {
    cursor: next ?? BEGINNING,
    isFirstPass: progress.isFirstPass && next !== null,
    erasedInPass: next === null ? 0 : progress.erasedInPass + erased,
    counts: sum,
  }
  const recorded =
    erased === 0 && !isClean
      ? []
      : eraseChanges(
          {
            accountId,
            actor: worker('privacy'),
            operation: 'customers.erase',
            resource: { type: 'customer', id: customerId },
            after: { erasureId: id, status: isClean ? 'succeeded' : 'pending', rows: erased },
            entries,
          },
          services,
        )
  const { outcome } = await services.db.write([
    takeStep(erasure),
    isClean ? succeed(erasure, receiptOf(tables, sum), services.clock.now()) : proceed(erasure, after),
    ...writes,
    ...recorded,
    ...(isClean ? finish(erasure) : []),
  ])
  return outcome === 'refused' || isClean ? null : { ...erasure, step: step + 1, progress: after }
}

/** Of two processes that are at work on the same erasure, one is refused here. */
function takeStep({ account_id: accountId, id, step }: PendingErasure): Write {
  return {
    sql: `UPDATE customer_erasures SET step = step + 1
      WHERE account_id = ? AND id = ? AND step = ? AND status = 'pending'`,
    params: [accountId, id, step],
    expect: 1,
  }
}

function proceed({ account_id: accountId, id }: PendingErasure, progress: ErasureProgress): Write {
  return {
    sql: 'UPDATE customer_erasures SET progress = ? WHERE account_id = ? AND id = ?',
    params: [JSON.stringify(progress), accountId, id],
  }
}

function succeed(
  { account_id: accountId, id }: PendingErasure,
  receipt: NonNullable<CustomerErasure['receipt']>,
  nowMs: number,
): Write {
  return {
    sql: `UPDATE customer_erasures SET status = 'succeeded', receipt = ?, finished_at = ? WHERE account_id = ? AND id = ?`,
    params: [JSON.stringify(receipt), nowMs, accountId, id],
  }
}
