import { type Contract, newProduct, type NewStore, type Store } from '@tillwright/contract'
import { archiving, type Changed, changed, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { type SealedColumn, sealedColumn } from '../keys/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList, replaceWords } from '../lists/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing, requireUnarchived, taken } from '../runtime/index.ts'
import { flag, readByIds, rowReader } from '../storage/index.ts'
import { demoProducts, productWrites } from './products.ts'
import { demoShippingWrite } from './shipping-options.ts'
import { storesTable } from './tables.ts'

/** Source: reference, "POST /stores/create". */
export const stores: Handlers<Contract['stores']> = {
  async create({ body }, context) {
    const { accountId } = context.caller
    if (body.accountId !== undefined && body.accountId !== accountId)
      throw missing('account', body.accountId, { param: 'accountId', place: 'that this key can use' })
    requireSafeThankYouUrl(body.customThankYouUrl, context)
    if (body.selectedPaymentFlowId != null) await requirePaymentFlow(body.selectedPaymentFlowId, context)
    const { store, writes } = storeWrites(body, context)
    return { body: store, writes: [...selectFlow(store), ...writes] }
  },

  async get({ params: { storeId } }, context) {
    return { body: await storeAsItIs(storeId, context) }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { archived = false, q } = query
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'stores', resource: 'store', accountId, db })
    return { body: await readList(storeList, { accountId, query, filters: equalTo('archived', archived), anyOf }, db) }
  },

  async update({ params: { storeId }, body }, context) {
    const { credentials, ...sent } = body
    const current = await storeAsItIs(storeId, context)
    requireSafeThankYouUrl(sent.customThankYouUrl, context)
    if (sent.selectedPaymentFlowId != null) await requirePaymentFlow(sent.selectedPaymentFlowId, context)
    const unshown = credentials === undefined ? [] : ['credentials']
    const change = changed({ what: 'store', current, sent, unshown }, context)
    return changeReply(current, change, { context, credentials })
  },

  async archive({ params: { storeId }, body: sent }, context) {
    const current = await storeAsItIs(storeId, context)
    return changeReply(current, archiving(true, { what: 'store', current, sent }, context), { context })
  },

  async unarchive({ params: { storeId }, body: sent }, context) {
    const current = await storeAsItIs(storeId, context)
    return changeReply(current, archiving(false, { what: 'store', current, sent }, context), { context })
  },
}

async function storeAsItIs(id: string, { caller, services }: RequestContext): Promise<Store> {
  const sought = { table: 'stores', ids: [id], accountId: caller.accountId }
  const [row] = await readByIds(storesTable, sought, services.db)
  if (row === undefined) throw missing('store', id, 'storeId')
  return row.resource
}

interface StoreChange {
  context: RequestContext
  /** New secrets; `null` to forget them, `undefined` to keep them. */
  credentials?: string | null | undefined
}

function changeReply(
  before: Store,
  change: Changed<Store> | null,
  { context, credentials }: StoreChange,
): Reply<Store> {
  if (change === null) return { body: before }
  const { resource: store, fields } = change
  const { accountId, id, name, archived, revision } = store
  const set = {
    name,
    selected_payment_flow_id: store.selectedPaymentFlowId,
    archived: Number(archived),
    resource: JSON.stringify(store),
    ...(credentials !== undefined && { credentials: sealedCredentials(credentials, id, context) }),
  }
  const properties = { storeId: id, name, archived, revision, changed: fields }
  const writes = [
    ...updateRow('stores', set, { accountId, resource: store }),
    ...(fields.includes('selectedPaymentFlowId') ? selectFlow(store) : []),
    ...replaceWords({ accountId, resource: 'store', id }, [name]),
    ...emit('s_store_updated', { storeId: id, properties }, context),
  ]
  return { body: store, writes, change: { before, after: store } }
}

function sealedCredentials(sent: string | null | undefined, storeId: string, { services }: RequestContext) {
  return sent == null ? null : services.secrets.seal('store credentials', Buffer.from(sent), storeId)
}

const storeList: ListTable<Store> = {
  table: 'stores',
  orderedBy: 'created_at',
  indexed: ['archived'],
  read: async (ids, accountId, db) =>
    (await readByIds(storesTable, { table: 'stores', ids, accountId }, db)).map(({ resource }) => resource),
}

/** Sealed columns of `stores`, for key rotation. */
export const sealedStoreSecrets: readonly SealedColumn[] = [
  sealedColumn({
    ring: 'secrets',
    table: 'stores',
    column: 'credentials',
    keyedBy: 'account and id',
    purpose: 'store credentials',
    boundTo: ({ id }) => id,
  }),
]

/** The statements that record a store, its event, and the demo products if they are wanted. */
export function storeWrites(body: NewStore, context: RequestContext): { store: Store; writes: Write[] } {
  const store = toStore(body, context)
  const { id, name } = store
  const credentials = sealedCredentials(body.credentials, id, context)
  const currency = store.baseCurrency ?? 'USD'
  const products = body.createDemoProducts ? demoProducts(id, [currency]) : []
  const writes = [
    {
      sql: `INSERT INTO stores (account_id, id, name, selected_payment_flow_id, credentials, archived, revision, resource,
          created_at)
        VALUES (?, ?, ?, ?, ?, 0, 1, ?, ?)`,
      params: [
        store.accountId,
        id,
        name,
        store.selectedPaymentFlowId,
        credentials,
        JSON.stringify(store),
        context.nowMs,
      ],
      onRefused: () => taken('store', id),
    },
    ...indexWords({ accountId: store.accountId, resource: 'store', id }, [name]),
    ...(body.createDemoProducts ? [demoShippingWrite({ storeId: id, currency }, context)] : []),
    ...emit('s_store_created', { storeId: id, properties: { storeId: id, name } }, context),
    ...products.flatMap((product) => productWrites(newProduct.parse(product), context).writes),
  ]
  return { store, writes }
}

/**
 * The address that buyers are sent to comes from the merchant's server alone. It carries the ids of orders, so that it
 * must be encrypted wherever there is more than a developer's machine.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
function requireSafeThankYouUrl(sent: string | null | undefined, { services }: RequestContext): void {
  if (sent == null || sent === '') return
  const { protocol, username, password } = new URL(sent)
  const isEncrypted = protocol === 'https:' || services.environment === 'local'
  if (isEncrypted && username === '' && password === '') return
  const message = isEncrypted
    ? 'customThankYouUrl must not contain a user name or password; leave them out.'
    : 'customThankYouUrl must be an https: address; http: is accepted by a local platform only.'
  throw new ApiError('parameter_invalid', message, { param: 'customThankYouUrl' })
}

async function requirePaymentFlow(flowId: string, { caller, services }: RequestContext): Promise<void> {
  const sql = 'SELECT archived FROM payment_flows WHERE account_id = ? AND id = ?'
  const [flow] = readArchived(await services.db.read(sql, [caller.accountId, flowId]))
  if (flow === undefined) throw missing('payment flow', flowId, 'selectedPaymentFlowId')
  requireUnarchived('payment flow', { id: flowId, archived: flow.archived }, 'selectedPaymentFlowId')
}

const readArchived = rowReader({ archived: flag })

/** Locks the flow that a store selects, so that it cannot be archived at the same time. */
function selectFlow({ accountId, selectedPaymentFlowId }: Store): Write[] {
  if (selectedPaymentFlowId === null) return []
  const sql = 'UPDATE payment_flows SET archived = 0 WHERE account_id = ? AND id = ? AND archived = 0'
  return [{ sql, params: [accountId, selectedPaymentFlowId], expect: 1 }]
}

function toStore(body: NewStore, context: RequestContext): Store {
  const now = new Date(context.nowMs).toISOString()
  return {
    id: body.id ?? context.newId('store'),
    accountId: context.caller.accountId,
    name: body.name,
    presentmentCurrencies: body.presentmentCurrencies ?? null,
    chargeCurrencies: body.chargeCurrencies ?? null,
    baseCurrency: body.baseCurrency ?? null,
    selectedPaymentFlowId: body.selectedPaymentFlowId ?? null,
    type: body.type ?? null,
    syncLocale: body.syncLocale ?? null,
    experimentalFeatures: body.experimentalFeatures ?? null,
    customThankYouUrl: body.customThankYouUrl ?? null,
    rebillSettings: body.rebillSettings ?? null,
    creditSettings: body.creditSettings ?? null,
    config: body.config ?? null,
    walletSubscriptionEnabled: body.walletSubscriptionEnabled,
    multipleSubscriptionsPerCustomerEnabled: body.multipleSubscriptionsPerCustomerEnabled,
    flaggedForDeletionAt: body.flaggedForDeletionAt ?? null,
    lastTimeFlaggedForDeletionAt: body.lastTimeFlaggedForDeletionAt ?? null,
    createdAt: body.createdAt ?? now,
    archived: false,
    revision: 1,
    updatedAt: body.updatedAt ?? now,
  }
}
