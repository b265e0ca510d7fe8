import type { CreatedCustomer, CustomerRecord, PaymentInstrument } from '@tillwright/contract'
import { type Database, nullable, pick, readByIds, type RowOf, rowReader } from '../storage/index.ts'
import { type CardKind, type CardRow, cardsTable, securityCodesTable, type WalletApproval } from '../vault/index.ts'
import { type Consent, customersTable, paymentInstrumentsTable } from './tables.ts'

/** An instrument as a payment needs it. */
export interface PayingInstrument {
  storeId: string
  customerId: string
  cardId: string
  /** Whether processors are shown a number or a network token. */
  kind: CardKind
  /** The card's network, as the vault names it. */
  brand: string
  last4: string
  /** The same for the same number, whenever it was stored. */
  fingerprint: string
  /** Whether the customer is proven, and not only found by an e-mail address, which anyone can type. */
  isCustomerProven: boolean
  /** The later charges that the buyer agreed to, or `null`. */
  consent: Consent | null
  /** Whether the buyer keeps the merchant on their list of trusted beneficiaries, as the issuer has told. */
  isTrusted: boolean
  segment: CardRow['segment']
  /** The buyer's approval in a wallet, for the first payment; `null` once that has begun. */
  approval: WalletApproval | null
  isActive: boolean
  isCustomerArchived: boolean
  /** Its customer, as far as they are known. */
  payer: Payer
}

/** A customer as issuers and processors are told of them; `null` for what is not known. */
export interface Payer {
  name: string | null
  email: string | null
  billingAddress: CustomerRecord['billingAddress']
}

/** A customer, or the buyer whose details an order has, as issuers are told of them. */
export function payerOf({
  email,
  firstName,
  lastName,
  billingAddress,
}: Pick<CustomerRecord, 'email' | 'firstName' | 'lastName' | 'billingAddress'>): Payer {
  const name = `${firstName} ${lastName}`.trim()
  return { name: name === '' ? null : name, email: email === '' ? null : email, billingAddress }
}

export const payerColumns = {
  email: nullable(customersTable.email),
  first_name: nullable(customersTable.first_name),
  last_name: nullable(customersTable.last_name),
  details: nullable(customersTable.details),
}

/** An instrument of the account, or `null`. */
export async function findInstrument(id: string, accountId: string, db: Database): Promise<PayingInstrument | null> {
  const [row] = readPaying(await db.read(selectPaying, [accountId, id]))
  if (row === undefined) return null
  return {
    storeId: row.store_id,
    customerId: row.customer_id,
    cardId: row.card_id,
    kind: row.kind,
    brand: row.brand,
    last4: row.last4,
    fingerprint: row.fingerprint,
    isCustomerProven: row.is_customer_proven,
    consent: row.consent,
    isTrusted: row.is_trusted,
    segment: row.segment,
    approval: row.approval,
    isActive: row.is_active,
    isCustomerArchived: row.is_customer_archived,
    payer: payerFrom(row),
  }
}

const selectPaying = `SELECT i.store_id, i.customer_id, i.card_id, i.is_customer_proven, i.is_active, i.consent, i.is_trusted,
    c.kind, c.brand, c.last4, c.fingerprint, c.segment, s.approval,
    COALESCE(u.archived, 0) AS is_customer_archived, u.email, u.first_name, u.last_name, u.details
  FROM payment_instruments i JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
  LEFT JOIN customers u ON u.account_id = i.account_id AND u.id = i.customer_id
  LEFT JOIN security_codes s ON s.account_id = c.account_id AND s.id = c.id
  WHERE i.account_id = ? AND i.id = ?`

const readPaying = rowReader({
  ...pick(
    paymentInstrumentsTable,
    'store_id',
    'customer_id',
    'card_id',
    'is_customer_proven',
    'is_active',
    'consent',
    'is_trusted',
  ),
  ...pick(cardsTable, 'kind', 'brand', 'last4', 'fingerprint', 'segment'),
  ...pick(securityCodesTable, 'approval'),
  is_customer_archived: customersTable.archived,
  ...payerColumns,
})

/** Reads the columns of a customer that is joined, who may be gone. */
export function payerFrom({ email, first_name, last_name, details }: RowOf<typeof payerColumns>): Payer {
  const billingAddress = details?.billingAddress ?? null
  return payerOf({ email: email ?? '', firstName: first_name ?? '', lastName: last_name ?? '', billingAddress })
}

/**
 * Card details of instruments as their buyers know them, ordered by their ids: of a card that was replaced, those of the new
 * one.
 */
export async function findCardSummaries(
  ids: readonly string[],
  accountId: string,
  db: Database,
): Promise<Pick<PaymentInstrument, 'id' | 'card'>[]> {
  if (ids.length === 0) return []
  const marks = ids.map(() => '?').join(', ')
  const rows = await db.read(
    `SELECT i.id, i.replacement, c.brand, c.last4, c.exp_month, c.exp_year FROM payment_instruments i
      JOIN cards c ON c.account_id = i.account_id AND c.id = i.card_id
      WHERE i.account_id = ? AND i.id IN (${marks}) ORDER BY i.id`,
    [accountId, ...ids],
  )
  return readSummaries(rows).map((row) => ({ id: row.id, card: { ...cardFrom(row), ...row.replacement } }))
}

export const summaryColumns = pick(cardsTable, 'brand', 'last4', 'exp_month', 'exp_year')

const readSummaries = rowReader({ ...pick(paymentInstrumentsTable, 'id', 'replacement'), ...summaryColumns })

export function cardFrom(row: RowOf<typeof summaryColumns>): PaymentInstrument['card'] {
  return {
    last4: row.last4,
    brand: row.brand,
    expYear: row.exp_year,
    expMonth: row.exp_month,
  }
}

export async function findCustomers(
  ids: readonly string[],
  accountId: string,
  db: Database,
): Promise<CustomerRecord[]> {
  const rows = await readByIds(customersTable, { table: 'customers', ids, accountId }, db)
  return rows.map((row) => ({
    ...toCustomer(row),
    accountId,
    storeId: row.store_id,
    ...noDetails,
    ...row.details,
    metadata: row.metadata,
    archived: row.archived,
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
  }))
}

/** The e-mail address of a customer; empty where it is unknown. */
export async function findEmail(customerId: string, accountId: string, db: Database): Promise<string> {
  const [customer] = await findCustomers([customerId], accountId, db)
  return customer?.email ?? ''
}

/** Where a customer's goods go, as far as it is known. */
export async function findDestination(
  customerId: string,
  accountId: string,
  db: Database,
): Promise<CustomerRecord['shippingAddress']> {
  const [customer] = await findCustomers([customerId], accountId, db)
  return customer?.shippingAddress ?? customer?.billingAddress ?? null
}

const noDetails = { phone: null, billingAddress: null, shippingAddress: null }

export const customerColumns = pick(
  customersTable,
  'id',
  'email',
  'first_name',
  'last_name',
  'archived',
  'created_at',
  'erased_at',
)

export function toCustomer(row: Omit<RowOf<typeof customerColumns>, 'archived' | 'erased_at'>): CreatedCustomer {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    createdAt: new Date(row.created_at).toISOString(),
  }
}
