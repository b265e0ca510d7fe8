import { type Contract, newProduct, type NewStore, type Store } from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { type SealedColumn, sealedColumn } from '../keys/index.ts'
import { findNamed, indexWords, type ListTable, readByIds, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing, taken } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
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
    return { body: store, writes }
  },

  async get({ params: { storeId } }, { caller, services }) {
    const [row] = await readByIds(
      storesTable,
      { table: 'stores', ids: [storeId], accountId: caller.accountId },
      services.db,
    )
    if (row === undefined) throw missing('store', storeId)
    return { body: row.resource }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { q } = query
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'stores', resource: 'store', accountId, db })
    return { body: await readList(storeList, { accountId, query, filters: [], anyOf }, db) }
  },
}

const storeList: ListTable<Store> = {
  table: 'stores',
  orderedBy: 'created_at',
  indexed: [],
  read: async (ids, accountId, db) =>
    (await readByIds(storesTable, { table: 'stores', ids, accountId }, db)).map(({ resource }) => resource),
}

/** What this room seals, for rotation. */
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
  const credentials =
    body.credentials == null
      ? null
      : context.services.secrets.seal('store credentials', Buffer.from(body.credentials), id)
  const currency = store.baseCurrency ?? 'USD'
  const products = body.createDemoProducts ? demoProducts(id, currency) : []
  const writes = [
    {
      sql: `INSERT INTO stores (account_id, id, name, selected_payment_flow_id, credentials, resource, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
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

/** A store as far as others need it. */
type KnownStore = Pick<Store, 'selectedPaymentFlowId' | 'syncLocale' | 'customThankYouUrl'> & StoreCurrencies

/** A store of the account, or `null`. */
export async function findStore(storeId: string, accountId: string, db: Database): Promise<KnownStore | null> {
  const sql = 'SELECT selected_payment_flow_id, resource FROM stores WHERE account_id = ? AND id = ?'
  const [row] = readStores(await db.read(sql, [accountId, storeId]))
  if (row === undefined) return null
  const { baseCurrency, presentmentCurrencies, chargeCurrencies, syncLocale, customThankYouUrl } = row.resource
  const currencies = { baseCurrency, presentmentCurrencies, chargeCurrencies }
  return { selectedPaymentFlowId: row.selected_payment_flow_id, syncLocale, customThankYouUrl, ...currencies }
}

const readStores = rowReader(pick(storesTable, 'selected_payment_flow_id', 'resource'))

/** The currencies that a store names: one code or several separated by commas, or `null`. */
type StoreCurrencies = Pick<Store, 'baseCurrency' | 'presentmentCurrencies' | 'chargeCurrencies'>

/** The currency that a store sells in unless a page names another; `null` for a store that names none. */
export function firstCurrency(store: StoreCurrencies | null): string | null {
  if (store === null) return null
  const base = store.baseCurrency
  const shown = listed(store.presentmentCurrencies) ?? listed(store.chargeCurrencies)
  if (shown === null || (base !== null && shown.includes(base))) return base
  return shown[0] ?? base
}

/** @throws {ApiError} `currency_unsupported` for a currency that the store does not charge cards in. */
export function requireCharged(store: Pick<Store, 'chargeCurrencies'>, currency: string): void {
  requireListed(listed(store.chargeCurrencies), currency, 'charges cards in')
}

/** @throws {ApiError} `currency_unsupported` for a currency that the store's pages may not show prices in. */
export function requirePresented(store: StoreCurrencies, currency: string): void {
  const { presentmentCurrencies, chargeCurrencies } = store
  requireListed(listed(presentmentCurrencies) ?? listed(chargeCurrencies), currency, 'shows prices in')
}

function requireListed(known: readonly string[] | null, currency: string, what: string): void {
  if (known === null || known.includes(currency)) return
  const message = `The store ${what} ${known.join(', ')}, not ${currency}; choose one of them.`
  throw new ApiError('currency_unsupported', message, { param: 'currency' })
}

function listed(currencies: string | null): readonly string[] | null {
  return currencies?.split(',').map((code) => code.trim()) ?? null
}

async function requirePaymentFlow(flowId: string, { caller, services }: RequestContext): Promise<void> {
  const found = await services.db.read(
    'SELECT id FROM payment_flows WHERE account_id = ? AND id = ? AND archived_at IS NULL',
    [caller.accountId, flowId],
  )
  if (found.length === 0) throw missing('payment flow', flowId, 'selectedPaymentFlowId')
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
    updatedAt: body.updatedAt ?? now,
  }
}
