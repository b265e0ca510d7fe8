import { type Contract, newProduct, type NewStore, type Store } from '@tillwright/contract'
import { emit } from '../events/index.ts'
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
      throw missing('account', body.accountId, 'accountId')
    requireSafeThankYouUrl(body.customThankYouUrl, context)
    if (body.selectedPaymentFlowId != null) await requirePaymentFlow(body.selectedPaymentFlowId, context)
    const { store, writes } = storeWrites(body, context)
    return { body: store, writes }
  },
}

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
type KnownStore = Pick<Store, 'selectedPaymentFlowId' | 'baseCurrency' | 'syncLocale' | 'customThankYouUrl'>

/** A store of the account, or `null`. */
export async function findStore(storeId: string, accountId: string, db: Database): Promise<KnownStore | null> {
  const sql = 'SELECT selected_payment_flow_id, resource FROM stores WHERE account_id = ? AND id = ?'
  const [row] = readStores(await db.read(sql, [accountId, storeId]))
  if (row === undefined) return null
  const { baseCurrency, syncLocale, customThankYouUrl } = row.resource
  return { selectedPaymentFlowId: row.selected_payment_flow_id, baseCurrency, syncLocale, customThankYouUrl }
}

const readStores = rowReader(pick(storesTable, 'selected_payment_flow_id', 'resource'))

/** The currency that a store sells in: the first that it names, `null` for none. */
export function firstCurrency(store: Pick<Store, 'baseCurrency'> | null): string | null {
  return store?.baseCurrency?.split(',')[0]?.trim() ?? null
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
