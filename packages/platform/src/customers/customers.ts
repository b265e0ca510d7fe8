import type { Contract, CreatedCustomer, CustomerData, CustomerRecord, OrderBuyer } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readByIds, readList, replaceWords } from '../lists/index.ts'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { inStore, missing } from '../runtime/index.ts'
import { type Database, pick, type RowOf, rowReader } from '../storage/index.ts'
import { customersTable } from './tables.ts'

/** Customers, in addition to the public API. */
export const customers: Handlers<Contract['customers']> = {
  async get({ params: { customerId } }, { caller, services }) {
    const [customer] = await findCustomers([customerId], caller.accountId, services.db)
    if (customer === undefined) throw missing('customer', customerId)
    return { body: customer }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, q } = query
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'customers', resource: 'cus', accountId, db })
    const filters = equalTo('store_id', storeId)
    return { body: await readList(customerList, { accountId, query, filters, anyOf }, db) }
  },
}

const customerList: ListTable<CustomerRecord> = {
  table: 'customers',
  orderedBy: { id: 'cus' },
  indexed: ['store_id'],
  read: findCustomers,
}

async function findCustomers(ids: readonly string[], accountId: string, db: Database): Promise<CustomerRecord[]> {
  const rows = await readByIds(customersTable, { table: 'customers', ids, accountId }, db)
  return rows.map((row) => ({ ...toCustomer(row), accountId, storeId: row.store_id, ...noDetails, ...row.details }))
}

const noDetails = { phone: null, billingAddress: null, shippingAddress: null }

/** The customer of a payment: referenced by id, known by e-mail address, or new. */
export interface CustomerRequest {
  storeId: string
  customerId?: string | undefined
  customerData?: CustomerData | undefined
}

/**
 * Finds the customer by id, else by e-mail address within the store, else creates one. `writes` are empty for an
 * existing customer. For merchants' servers only: an e-mail address sent by a page proves nothing, so it never
 * identifies a customer.
 */
export async function customerFor(
  request: CustomerRequest,
  context: RequestContext,
): Promise<{ customer: CreatedCustomer; writes: Write[] }> {
  const { accountId } = context.caller
  const email = request.customerData?.email ?? null
  if (request.customerId !== undefined) {
    const sql = `${selectCustomer} AND id = ? AND store_id = ?`
    const [row] = readCustomers(await context.services.db.read(sql, [accountId, request.customerId, request.storeId]))
    if (row === undefined) throw missing('customer', request.customerId, inStore(request.storeId, 'customerId'))
    return { customer: toCustomer(row), writes: [] }
  }
  if (email !== null) {
    const sql = `${selectCustomer} AND store_id = ? AND email_key = ?`
    const [row] = readCustomers(await context.services.db.read(sql, [accountId, request.storeId, emailKey(email)]))
    if (row !== undefined) return { customer: toCustomer(row), writes: [] }
  }
  return newCustomer({ storeId: request.storeId, data: request.customerData ?? {} }, context)
}

const selectCustomer = 'SELECT id, email, first_name, last_name, created_at FROM customers WHERE account_id = ?'
const customerColumns = pick(customersTable, 'id', 'email', 'first_name', 'last_name', 'created_at')
const readCustomers = rowReader(customerColumns)

/**
 * A customer to create. `draft` marks a preview's, whose event is sent only to endpoints that accept previews' events.
 */
export interface NewCustomer {
  storeId: string
  data: CustomerData
  draft?: boolean
}

/** Creates a customer. Unknown fields are empty strings, as in the API reference. */
export function newCustomer(
  { storeId, data, draft = false }: NewCustomer,
  context: RequestContext,
): { customer: CreatedCustomer; writes: Write[] } {
  const customer: CreatedCustomer = {
    id: context.newId('cus'),
    email: data.email ?? '',
    firstName: data.firstName ?? '',
    lastName: data.lastName ?? '',
    createdAt: new Date(context.nowMs).toISOString(),
  }
  const { phone = null, billingAddress = null, shippingAddress = null } = data
  const details = JSON.stringify({ phone, billingAddress, shippingAddress })
  const key = data.email == null ? null : emailKey(data.email)
  const writes = [
    {
      sql: `INSERT INTO customers (account_id, id, store_id, email, email_key, first_name, last_name, details, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      params: [
        context.caller.accountId,
        customer.id,
        storeId,
        customer.email,
        key,
        customer.firstName,
        customer.lastName,
        details,
        context.nowMs,
      ],
    },
    ...indexWords({ accountId: context.caller.accountId, resource: 'cus', id: customer.id }, wordsOf(customer)),
    ...emit(
      's_customer_created',
      { storeId, customerId: customer.id, draft, properties: { customerId: customer.id } },
      context,
    ),
  ]
  return { customer, writes }
}

/**
 * Stores the details that the page of an anonymous customer sent. The e-mail address is unverified, so the customer is
 * not found by it when another pays, and it is not taken from another customer.
 */
export function updateCustomer(
  { accountId, id }: { accountId: string; id: string },
  { email, firstName, lastName, phone, billingAddress, shippingAddress }: OrderBuyer,
): Write[] {
  const details = JSON.stringify({ phone, billingAddress, shippingAddress })
  const update: Write = {
    sql: `UPDATE customers SET email = ?, first_name = ?, last_name = ?, details = ?
      WHERE account_id = ? AND id = ?`,
    params: [email, firstName, lastName, details, accountId, id],
    expect: 1,
  }
  return [update, ...replaceWords({ accountId, resource: 'cus', id }, wordsOf({ email, firstName, lastName }))]
}

/** What a customer is searched by. */
function wordsOf({ email, firstName, lastName }: Pick<CreatedCustomer, 'email' | 'firstName' | 'lastName'>): string[] {
  return [email, firstName, lastName]
}

/** E-mail addresses that differ in case alone are one customer. */
function emailKey(email: string): string {
  return email.toLowerCase()
}

function toCustomer(row: RowOf<typeof customerColumns>): CreatedCustomer {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    createdAt: new Date(row.created_at).toISOString(),
  }
}
