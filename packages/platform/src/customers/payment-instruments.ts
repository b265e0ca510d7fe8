import type {
  Contract,
  CreatedCustomer,
  CreatedPaymentInstrument,
  InstrumentFromToken,
  PaymentInstrument,
} from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { emit } from '../events/index.ts'
import { among, equalTo, findNamed, indexWords, type ListTable, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { type CardRow, cardsTable, redeemToken } from '../vault/index.ts'
import { customerFor } from './customers.ts'
import { findProcessorTokens } from './processor-tokens.ts'
import { customersTable, paymentInstrumentsTable } from './tables.ts'

/** Source: reference, "POST /payment-instruments/create-from-token" and "GET /payment-instruments/{...}". */
export const paymentInstruments: Handlers<Contract['paymentInstruments']> = {
  async createFromToken({ body }, context) {
    const { accountId } = context.caller
    const store = await findStore(body.storeId, accountId, context.services.db)
    if (store === null) throw missing('store', body.storeId, 'storeId')
    const { paymentInstrument, customer, writes } = await instrumentFromToken(body, context)
    return { body: { paymentInstrument, customer }, writes }
  },

  async get({ params: { paymentInstrumentId } }, { caller, services }) {
    const [instrument] = await findInstruments([paymentInstrumentId], caller.accountId, services.db)
    if (instrument === undefined) throw missing('payment instrument', paymentInstrumentId)
    return { body: instrument }
  },

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
  const { card, fingerprint, writes: redemption } = await redeemToken(body.serviceToken, { storeId }, context)
  const { customer, writes: customerWrites } = await customerFor(body, context)
  const others = await context.services.db.read(
    'SELECT id FROM payment_instruments WHERE account_id = ? AND customer_id = ? LIMIT 1',
    [context.caller.accountId, customer.id],
  )
  const isCustomerProven = body.customerId !== undefined || body.customerData?.email == null
  const paymentInstrument = toInstrument({ card, customer, isDefault: others.length === 0 }, context)
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
  return { paymentInstrument, customer, card, fingerprint, isCustomerProven, writes }
}

/** An instrument as a payment needs it. */
export interface PayingInstrument {
  storeId: string
  customerId: string
  cardId: string
  /** The card's network, as the vault names it. */
  brand: string
  last4: string
  /** The same for the same number, whenever it was stored. */
  fingerprint: string
  /** Whether the customer is more than somebody who was found by an e-mail address, which anybody can type. */
  isCustomerProven: boolean
  isActive: boolean
}

/** An instrument that is not on record yet, as the payment needs it that puts it there. */
export function toPaying(
  { paymentInstrument, card, fingerprint, isCustomerProven }: NewInstrument,
  storeId: string,
): PayingInstrument {
  const { customerId } = paymentInstrument
  return {
    storeId,
    customerId,
    cardId: card.id,
    brand: card.brand,
    last4: card.last4,
    fingerprint,
    isCustomerProven,
    isActive: true,
  }
}

/** An instrument of the account, or `null`. */
export async function findInstrument(id: string, accountId: string, db: Database): Promise<PayingInstrument | null> {
  const [row] = readPaying(await db.read(selectPaying, [accountId, id]))
  if (row === undefined) return null
  return {
    storeId: row.store_id,
    customerId: row.customer_id,
    cardId: row.card_id,
    brand: row.brand,
    last4: row.last4,
    fingerprint: row.fingerprint,
    isCustomerProven: row.is_customer_proven,
    isActive: row.is_active,
  }
}

const selectPaying = `SELECT i.store_id, i.customer_id, i.card_id, i.is_customer_proven, i.is_active, c.brand, c.last4, c.fingerprint
  FROM payment_instruments i JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  WHERE i.account_id = ? AND i.id = ?`
const readPaying = rowReader({
  ...pick(paymentInstrumentsTable, 'store_id', 'customer_id', 'card_id', 'is_customer_proven', 'is_active'),
  ...pick(cardsTable, 'brand', 'last4', 'fingerprint'),
})

/** Displayable card details of instruments, ordered by their ids. */
export async function findCardSummaries(
  ids: readonly string[],
  accountId: string,
  db: Database,
): Promise<Pick<PaymentInstrument, 'id' | 'card'>[]> {
  if (ids.length === 0) return []
  const marks = ids.map(() => '?').join(', ')
  const rows = await db.read(
    `SELECT i.id, c.brand, c.last4, c.exp_month, c.exp_year FROM payment_instruments i
      JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
      WHERE i.account_id = ? AND i.id IN (${marks}) ORDER BY i.id`,
    [accountId, ...ids],
  )
  return readSummaries(rows).map((row) => ({ id: row.id, card: cardFrom(row) }))
}

const summaryColumns = pick(cardsTable, 'brand', 'last4', 'exp_month', 'exp_year')
const readSummaries = rowReader({ ...pick(paymentInstrumentsTable, 'id'), ...summaryColumns })

const selectInstruments = (
  wanted: string,
) => `SELECT i.*, c.brand, c.last4, c.exp_month, c.exp_year, c.funding, c.segment,
    u.email, u.first_name, u.last_name
  FROM payment_instruments i
  JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  JOIN customers u ON u.account_id = i.account_id AND u.id = i.customer_id
  WHERE i.account_id = ? AND i.id ${wanted}`
const instrumentColumns = {
  ...paymentInstrumentsTable,
  ...summaryColumns,
  ...pick(cardsTable, 'funding', 'segment'),
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
    customer,
    cardEnrichment: { funding: card.funding, segment: card.segment },
    processorTokens: [],
  }
}

function insertInstrument(
  instrument: PaymentInstrument,
  place: { storeId: string; cardId: string; isCustomerProven: boolean },
  context: RequestContext,
): Write {
  return {
    sql: `INSERT INTO payment_instruments (account_id, id, store_id, customer_id, card_id, is_active,
        is_default, is_customer_proven, created_at)
      SELECT ?, ?, id, ?, ?, 1, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT) FROM stores WHERE account_id = ? AND id = ?`,
    params: [
      context.caller.accountId,
      instrument.id,
      instrument.customerId,
      place.cardId,
      Number(instrument.isDefault),
      Number(place.isCustomerProven),
      context.nowMs,
      context.caller.accountId,
      place.storeId,
    ],
    expect: 1,
    onRefused: () => missing('store', place.storeId, 'storeId'),
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
    customer: {
      id: row.customer_id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
    },
    cardEnrichment: { funding: row.funding, segment: row.segment },
    processorTokens: [],
  }
}

function cardFrom(row: RowOf<typeof summaryColumns>): PaymentInstrument['card'] {
  return {
    last4: row.last4,
    brand: row.brand,
    expYear: row.exp_year,
    expMonth: row.exp_month,
  }
}
