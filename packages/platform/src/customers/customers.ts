import type { Contract, CreatedCustomer, CustomerData, CustomerRecord, OrderBuyer } from '@tillwright/contract'
import { requireOpenStore, whyNotOpen } from '../catalog/index.ts'
import { archiving, type Changed, changed, requireMetadata, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList, replaceWords } from '../lists/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, inStore, missing, requireUnarchived } from '../runtime/index.ts'
import { type Database, rowReader } from '../storage/index.ts'
import { erasedCustomer, notErased } from './erased.ts'
import { customerColumns, findCustomers, toCustomer } from './records.ts'

/** Customers, in addition to the public API. */
export const customers: Omit<Handlers<Contract['customers']>, 'erase' | 'export'> = {
  async get({ params: { customerId } }, { caller, services }) {
    return { body: await requireCustomer(customerId, caller.accountId, services.db) }
  },

  async create({ body: { storeId, metadata = {}, ...data } }, context) {
    const { accountId } = context.caller
    await requireOpenStore(storeId, context)
    const { customer, writes } = newCustomer({ storeId, data, metadata }, context)
    const [insert, ...rest] = writes
    if (insert === undefined) throw new Error('A new customer has a statement.')
    const { phone = null, billingAddress = null, shippingAddress = null } = data
    const { createdAt } = customer
    const details = { phone, billingAddress, shippingAddress, metadata }
    const state = { archived: false, revision: 1, updatedAt: createdAt }
    return {
      body: { ...customer, accountId, storeId, ...details, ...state },
      writes: [
        {
          ...insert,
          onRefused: (reason) => (reason === 'duplicate' ? addressTaken(customer.email) : whyNotOpen(storeId, context)),
        },
        ...rest,
      ],
    }
  },

  async update({ params: { customerId }, body }, context) {
    const current = await requireCustomer(customerId, context.caller.accountId, context.services.db)
    const sent = { ...body, ...emptied(body) }
    return changeCustomer({ current, change: changed({ what: 'customer', current, sent }, context) }, context)
  },

  async archive({ params: { customerId }, body: sent }, context) {
    const current = await requireCustomer(customerId, context.caller.accountId, context.services.db)
    return changeCustomer({ current, change: archiving(true, { what: 'customer', current, sent }, context) }, context)
  },

  async unarchive({ params: { customerId }, body: sent }, context) {
    const current = await requireCustomer(customerId, context.caller.accountId, context.services.db)
    return changeCustomer({ current, change: archiving(false, { what: 'customer', current, sent }, context) }, context)
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, ids, archived, q } = query
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'customers', resource: 'cus', accountId, db })
    const filters = [
      ...equalTo('store_id', storeId),
      ...(ids === undefined ? [] : [{ column: 'id', is: 'in', value: ids.split(',') } as const]),
      ...equalTo('archived', ids === undefined ? (archived ?? false) : archived),
    ]
    return { body: await readList(customerList, { accountId, query, filters, anyOf }, db) }
  },
}

const customerList: ListTable<CustomerRecord> = {
  table: 'customers',
  orderedBy: { id: 'cus' },
  indexed: ['store_id'],
  read: findCustomers,
}

async function requireCustomer(customerId: string, accountId: string, db: Database): Promise<CustomerRecord> {
  const [customer] = await findCustomers([customerId], accountId, db)
  if (customer === undefined) throw missing('customer', customerId)
  return customer
}

/** Fields sent as `null` become empty text, as in the API reference. */
function emptied(sent: Partial<Record<'email' | 'firstName' | 'lastName', string | null | undefined>>) {
  return {
    ...(sent.email === null && { email: '' }),
    ...(sent.firstName === null && { firstName: '' }),
    ...(sent.lastName === null && { lastName: '' }),
  }
}

interface CustomerChange {
  current: CustomerRecord
  change: Changed<CustomerRecord> | null
}

/** An unproven typed address identifies no customer: only an address that this change sets is one to be found by. */
function changeCustomer({ current, change }: CustomerChange, context: RequestContext): Reply<CustomerRecord> {
  if (change === null) return { body: current }
  const { accountId } = context.caller
  const { resource, fields } = change
  const { id: customerId, storeId, email, firstName, lastName, metadata, archived, revision } = resource
  requireMetadata(metadata)
  const { phone, billingAddress, shippingAddress } = resource
  const set = {
    email,
    ...(fields.includes('email') && { email_key: email === '' ? null : emailKey(email) }),
    first_name: firstName,
    last_name: lastName,
    details: JSON.stringify({ phone, billingAddress, shippingAddress }),
    metadata: JSON.stringify(metadata),
    archived: Number(archived),
    updated_at: context.nowMs,
  }
  const [guard, ...rows] = updateRow('customers', set, { accountId, resource })
  const properties = { customerId, archived, revision, changed: fields }
  return {
    body: resource,
    writes: [
      ...(guard === undefined ? [] : [guard]),
      notErased(customerId, accountId, () => erasedCustomer(customerId)),
      ...rows.map((row) => ({ ...row, onRefused: () => addressTaken(email) })),
      ...replaceWords({ accountId, resource: 'cus', id: customerId }, wordsOf(resource)),
      ...emit('s_customer_updated', { storeId, customerId, properties }, context),
    ],
    change: { before: current, after: resource },
  }
}

function addressTaken(email: string): ApiError {
  const message = `The store has another customer with the e-mail address '${email}'; find it by q, and use or archive it.`
  return new ApiError('resource_exists', message, { param: 'email' })
}

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
    if (row.erased_at !== null) throw erasedCustomer(request.customerId)
    requireUnarchived('customer', row, 'customerId')
    return { customer: toCustomer(row), writes: [] }
  }
  if (email !== null) {
    const sql = `${selectCustomer} AND store_id = ? AND email_key = ? AND archived = 0`
    const [row] = readCustomers(await context.services.db.read(sql, [accountId, request.storeId, emailKey(email)]))
    if (row !== undefined) return { customer: toCustomer(row), writes: [] }
  }
  return newCustomer({ storeId: request.storeId, data: request.customerData ?? {} }, context)
}

const selectCustomer =
  'SELECT id, email, first_name, last_name, archived, created_at, erased_at FROM customers WHERE account_id = ?'

const readCustomers = rowReader(customerColumns)

/**
 * A customer to create. `draft` marks a preview's, whose event is sent only to endpoints that accept previews' events.
 */
export interface NewCustomer {
  storeId: string
  data: CustomerData
  metadata?: CustomerRecord['metadata']
  draft?: boolean
}

/** Creates a customer of a store that is open, then too when it is committed. Unknown fields are empty strings, as in the API reference. */
export function newCustomer(
  { storeId, data, metadata = {}, draft = false }: NewCustomer,
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
  const { accountId } = context.caller
  const writes: Write[] = [
    {
      sql: `INSERT INTO customers (account_id, id, store_id, email, email_key, first_name, last_name, details, metadata,
          created_at, updated_at)
        SELECT ?, ?, id, ?, ?, ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT) FROM stores
        WHERE account_id = ? AND id = ? AND archived = 0`,
      params: [
        accountId,
        customer.id,
        customer.email,
        key,
        customer.firstName,
        customer.lastName,
        details,
        JSON.stringify(metadata),
        context.nowMs,
        context.nowMs,
        accountId,
        storeId,
      ],
      expect: 1,
      onRefused: (reason) => (reason === 'duplicate' ? undefined : whyNotOpen(storeId, context)),
    },
    ...indexWords({ accountId, resource: 'cus', id: customer.id }, wordsOf(customer)),
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
  { accountId, id, nowMs }: { accountId: string; id: string; nowMs: number },
  { email, firstName, lastName, phone, billingAddress, shippingAddress }: OrderBuyer,
): Write[] {
  const details = JSON.stringify({ phone, billingAddress, shippingAddress })
  const update: Write = {
    sql: `UPDATE customers SET email = ?, first_name = ?, last_name = ?, details = ?, revision = revision + 1,
        updated_at = ? WHERE account_id = ? AND id = ? AND erased_at IS NULL`,
    params: [email, firstName, lastName, details, nowMs, accountId, id],
    expect: 1,
    onRefused: () => erasedCustomer(id),
  }
  return [update, ...replaceWords({ accountId, resource: 'cus', id }, wordsOf({ email, firstName, lastName }))]
}

/** Texts by which a search finds a customer. */
function wordsOf({ email, firstName, lastName }: Pick<CreatedCustomer, 'email' | 'firstName' | 'lastName'>): string[] {
  return [email, firstName, lastName]
}

/** E-mail addresses that differ in case alone are one customer. */
function emailKey(email: string): string {
  return email.toLowerCase()
}
