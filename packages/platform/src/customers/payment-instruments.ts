import type {
  Contract,
  CreatedCustomer,
  CreatedPaymentInstrument,
  InstrumentFromToken,
  PaymentInstrument,
  RequestOf,
} from '@tillwright/contract'
import { requireOpenStore, requireStore } from '../catalog/index.ts'
import { changed, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList } from '../lists/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { among, type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { type CardRow, cardsTable, redeemToken, type WalletApproval } from '../vault/index.ts'
import { customerFor } from './customers.ts'
import { deleteInstrument } from './delete-card.ts'
import { findProcessorTokens } from './processor-tokens.ts'
import { shownConsent } from './consent.ts'
import { cardFrom, findInstrument, payerOf, type PayingInstrument, summaryColumns } from './records.ts'
import { customersTable, paymentInstrumentsTable } from './tables.ts'

/** Source: reference, "POST /payment-instruments/create-from-token" and "GET /payment-instruments/{...}". */
export const paymentInstruments: Handlers<Contract['paymentInstruments']> = {
  async createFromToken({ body }, context) {
    // Subscriptions of an archived store go on, so that their customers need new cards.
    if (body.customerId === undefined) await requireOpenStore(body.storeId, context)
    else await requireStore(body.storeId, context)
    const { paymentInstrument, customer, writes } = await instrumentFromToken(body, context)
    return { body: { paymentInstrument, customer }, writes }
  },

  async get({ params: { paymentInstrumentId } }, { caller, services }) {
    const [instrument] = await findInstruments([paymentInstrumentId], caller.accountId, services.db)
    if (instrument === undefined) throw missing('payment instrument', paymentInstrumentId)
    return { body: instrument }
  },

  async update({ params: { paymentInstrumentId }, body }, context) {
    const { accountId } = context.caller
    const [current] = await findInstruments([paymentInstrumentId], accountId, context.services.db)
    if (current === undefined) throw missing('payment instrument', paymentInstrumentId)
    const storeId = (await findInstrument(paymentInstrumentId, accountId, context.services.db))?.storeId ?? ''
    return changeInstrument({ current, storeId, sent: body }, context)
  },

  delete: ({ params: { paymentInstrumentId } }, context) => deleteInstrument(paymentInstrumentId, context),

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { customerId, storeId, active, q } = query
    const filters = [
      ...equalTo('customer_id', customerId),
      ...equalTo('store_id', storeId),
      ...equalTo('is_active', active),
    ]
    const place = { table: 'payment_instruments', accountId, db }
    const anyOf = q === undefined ? null : await findNamed(q, { ...place, resource: 'pi' })
    return { body: await readList(instrumentList, { accountId, query, filters, anyOf }, db) }
  },
}

const instrumentList: ListTable<PaymentInstrument> = {
  table: 'payment_instruments',
  orderedBy: { id: 'pi' },
  indexed: ['customer_id', 'store_id'],
  read: findInstruments,
}

/** Instruments of the account, in any order. */
async function findInstruments(ids: readonly string[], accountId: string, db: Database): Promise<PaymentInstrument[]> {
  const { sql, params } = among(ids)
  const [rows, tokensOf] = await Promise.all([
    db.read(selectInstruments(sql), [accountId, ...params]),
    findProcessorTokens(ids, accountId, db),
  ])
  return readInstruments(rows).map((row) => ({ ...fromRow(row), processorTokens: tokensOf.get(row.id) ?? [] }))
}

/** An instrument that is about to be put on record, with its customer. */
export interface NewInstrument {
  paymentInstrument: CreatedPaymentInstrument['paymentInstrument']
  customer: CreatedCustomer
  card: CardRow
  /** The same for the same number, whenever it was stored. */
  fingerprint: string
  /** The buyer's approval in a wallet; `null` for a card that was typed. */
  approval: WalletApproval | null
  isCustomerProven: boolean
  writes: Write[]
}

/**
 * Turns a service token into an instrument of a customer of the store. Nothing is on record before the writes are.
 *
 * @throws {ApiError} `resource_missing`, and what `redeemToken` throws.
 */
export async function instrumentFromToken(body: InstrumentFromToken, context: RequestContext): Promise<NewInstrument> {
  const { storeId } = body
  const redeemed = await redeemToken(body.serviceToken, { storeId }, context)
  const { card, fingerprint, approval, writes: redemption } = redeemed
  const { customer, writes: customerWrites } = await customerFor(body, context)
  const defaults = await context.services.db.read(
    'SELECT id FROM payment_instruments WHERE account_id = ? AND customer_id = ? AND is_default = 1',
    [context.caller.accountId, customer.id],
  )
  const isCustomerProven = body.customerId !== undefined || body.customerData?.email == null
  const paymentInstrument = toInstrument({ card, customer, isDefault: defaults.length === 0 }, context)
  const properties = { paymentInstrumentId: paymentInstrument.id, brand: card.brand, last4: card.last4 }
  const writes = [
    ...redemption,
    ...customerWrites,
    insertInstrument(paymentInstrument, { storeId, cardId: card.id, isCustomerProven }, context),
    ...indexWords({ accountId: context.caller.accountId, resource: 'pi', id: paymentInstrument.id }, [
      card.brand,
      card.last4,
    ]),
    ...emit('s_payment_instrument_created', { storeId, customerId: customer.id, properties }, context),
  ]
  return { paymentInstrument, customer, card, fingerprint, approval, isCustomerProven, writes }
}

/** An instrument that is not on record yet, as the payment needs it that puts it there. */
export function toPaying(
  { paymentInstrument, customer, card, fingerprint, approval, isCustomerProven }: NewInstrument,
  storeId: string,
): PayingInstrument {
  const { customerId } = paymentInstrument
  return {
    storeId,
    customerId,
    cardId: card.id,
    kind: card.kind,
    brand: card.brand,
    last4: card.last4,
    fingerprint,
    isCustomerProven,
    consent: null,
    isTrusted: false,
    segment: card.segment,
    approval,
    isActive: true,
    isCustomerArchived: false,
    payer: payerOf({ ...customer, billingAddress: null }),
  }
}

const selectInstruments = (
  wanted: string,
) => `SELECT i.*, c.brand, c.last4, c.exp_month, c.exp_year, c.funding, c.segment, c.wallet,
    u.email, u.first_name, u.last_name
  FROM payment_instruments i
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  JOIN customers u ON u.account_id = i.account_id AND u.id = i.customer_id
  WHERE i.account_id = ? AND i.id ${wanted}`

const instrumentColumns = {
  ...paymentInstrumentsTable,
  ...summaryColumns,
  ...pick(cardsTable, 'funding', 'segment', 'wallet'),
  ...pick(customersTable, 'email', 'first_name', 'last_name'),
}

const readInstruments = rowReader(instrumentColumns)

interface InstrumentParts {
  card: CardRow
  customer: CreatedCustomer
  isDefault: boolean
}

function toInstrument(
  { card, customer, isDefault }: InstrumentParts,
  context: RequestContext,
): NewInstrument['paymentInstrument'] {
  return {
    id: context.newId('pi'),
    type: 'card',
    customerId: customer.id,
    accountId: context.caller.accountId,
    isActive: true,
    isDefault,
    tokenizer: 'tillwright_vault',
    createdAt: new Date(context.nowMs).toISOString(),
    card: { last4: card.last4, brand: card.brand, expYear: card.expYear, expMonth: card.expMonth },
    wallet: card.wallet,
    customer,
    cardEnrichment: { funding: card.funding, segment: card.segment },
    processorTokens: [],
    consent: null,
    replacement: null,
    revision: 1,
    updatedAt: new Date(context.nowMs).toISOString(),
  }
}

function insertInstrument(
  instrument: PaymentInstrument,
  place: { storeId: string; cardId: string; isCustomerProven: boolean },
  context: RequestContext,
): Write {
  return {
    sql: `INSERT INTO payment_instruments (account_id, id, store_id, customer_id, card_id, is_active,
        is_default, is_customer_proven, created_at, updated_at)
      SELECT ?, ?, id, ?, ?, 1, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM stores WHERE account_id = ? AND id = ?`,
    params: [
      context.caller.accountId,
      instrument.id,
      instrument.customerId,
      place.cardId,
      Number(instrument.isDefault),
      Number(place.isCustomerProven),
      context.nowMs,
      context.nowMs,
      context.caller.accountId,
      place.storeId,
    ],
    // Refused if the customer has got a default card meanwhile: then the handler runs again.
    expect: 1,
  }
}

function fromRow(row: RowOf<typeof instrumentColumns>): PaymentInstrument {
  return {
    id: row.id,
    type: 'card',
    customerId: row.customer_id,
    accountId: row.account_id,
    isActive: row.is_active,
    isDefault: row.is_default,
    tokenizer: 'tillwright_vault',
    createdAt: new Date(row.created_at).toISOString(),
    card: cardFrom(row),
    wallet: row.wallet,
    customer: {
      id: row.customer_id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
    },
    cardEnrichment: { funding: row.funding, segment: row.segment },
    processorTokens: [],
    consent: shownConsent(row.consent),
    replacement: row.replacement,
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** A change of a payment instrument, which is in a store. */
export interface InstrumentChange {
  current: PaymentInstrument
  storeId: string
  sent: RequestOf<Contract['paymentInstruments']['update']>['body']
}

/** Activates an instrument, deactivates it, or makes it its customer's default, in place of the former one. */
async function changeInstrument(
  { current, storeId, sent }: InstrumentChange,
  context: RequestContext,
): Promise<Reply<PaymentInstrument>> {
  // One that is not active is no default.
  const wanted = { ...(sent.isActive === false && { isDefault: false }), ...sent }
  const change = changed({ what: 'payment instrument', current, sent: wanted }, context)
  if (change === null) return { body: current }
  const { resource, fields } = change
  await requireUsable(current, resource, context)
  const { id: paymentInstrumentId, accountId, isActive, isDefault, customerId, revision } = resource
  const set = { is_active: Number(isActive), is_default: Number(isDefault), updated_at: context.nowMs }
  const [guard, ...rows] = updateRow('payment_instruments', set, { accountId, resource })
  const properties = { paymentInstrumentId, isActive, isDefault, revision, changed: fields }
  return {
    body: resource,
    writes: [
      ...(guard === undefined ? [] : [guard]),
      ...(isDefault ? [{ sql: noDefault, params: [context.nowMs, accountId, customerId, paymentInstrumentId] }] : []),
      ...rows,
      ...emit('s_payment_instrument_updated', { storeId, customerId, properties }, context),
    ],
    change: { before: current, after: resource },
  }
}

const noDefault = `UPDATE payment_instruments SET is_default = 0, revision = revision + 1, updated_at = ?
  WHERE account_id = ? AND customer_id = ? AND is_default = 1 AND id <> ?`

async function requireUsable(
  current: PaymentInstrument,
  { id, isActive, isDefault }: PaymentInstrument,
  { services: { db } }: RequestContext,
): Promise<void> {
  if (isDefault && !isActive) {
    const message = `The payment instrument '${id}' is not active and cannot be the default; activate it, or choose another.`
    throw new ApiError('state_conflict', message, { param: 'isDefault' })
  }
  if (!isActive || current.isActive) return
  const purged = await db.read(selectPurged, [current.accountId, id])
  if (purged.length === 0) return
  throw new ApiError('state_conflict', 'The number of the card was purged; ask the buyer for the card again.', {
    param: 'isActive',
  })
}

const selectPurged = `SELECT 1 AS purged FROM payment_instruments i
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id AND c.purged_at IS NOT NULL
  WHERE i.account_id = ? AND i.id = ?`
