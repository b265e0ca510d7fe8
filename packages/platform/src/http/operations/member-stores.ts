import { type Operation, rolesWith, type storeFields } from '@tillwright/contract'
import type { CallingMember, Handler, RequestContext } from '../../request-context.ts'
import { ApiError, missing } from '../../runtime/index.ts'
import { rowReader, text } from '../../storage/index.ts'

type StoreField = (typeof storeFields)[number]

/** The statements that find the store of an object by account and id, by the field that names it. */
const STORE_OF: Readonly<Record<StoreField, { what: string; sql: readonly string[] }>> = {
  storeId: { what: 'store', sql: ['SELECT id AS store_id FROM stores WHERE account_id = ? AND id = ?'] },
  productId: byId('product', 'products'),
  targetProductId: byId('product', 'products'),
  variantId: byId('variant', 'variants'),
  targetVariantId: byId('variant', 'variants'),
  priceId: {
    what: 'price',
    sql: [
      `SELECT v.store_id FROM prices p JOIN variants v ON v.account_id = p.account_id AND v.id = p.variant_id
        WHERE p.account_id = ? AND p.id = ?`,
    ],
  },
  customerId: byId('customer', 'customers'),
  paymentInstrumentId: byId('payment instrument', 'payment_instruments'),
  paymentId: byId('payment', 'payments'),
  orderId: byId('order', 'orders'),
  erasureId: byId('erasure', 'customer_erasures'),
  refundId: byId('refund', 'payment_follow_ups'),
  refundRequestId: byId('refund request', 'refund_requests'),
  disputeId: byId('dispute', 'disputes'),
  subscriptionId: {
    what: 'subscription',
    sql: [
      `SELECT c.store_id FROM subscriptions s JOIN customers c ON c.account_id = s.account_id AND c.id = s.customer_id
        WHERE s.account_id = ? AND s.id = ?`,
    ],
  },
  funnelId: byId('funnel', 'funnels'),
  sessionId: { what: 'session', sql: ['funnel_sessions', 'threeds_sessions'].map(storeById) },
  deploymentId: byId('deployment', 'plugin_deployments'),
  promotionId: byId('promotion', 'promotions'),
  // A resource of all stores is of no store of theirs, and neither is an endpoint that is gone: its deliveries are not.
  endpointId: { what: 'webhook endpoint', sql: [storeOrNone('webhook_endpoints')] },
  failedRequestId: { what: 'failed request', sql: [storeOrNone('failed_requests')] },
  eventId: { what: 'event', sql: [storeOrNone('events')] },
}

function byId(what: string, table: string) {
  return { what, sql: [storeById(table)] }
}

function storeById(table: string): string {
  return `SELECT store_id FROM ${table} WHERE account_id = ? AND id = ?`
}

/** The same with '' where there is no store. */
function storeOrNone(table: string): string {
  return `SELECT COALESCE((${storeById(table)}), '') AS store_id`
}

/** A handler that keeps members who are limited to stores to them, whatever form its answer is sent in. */
export function withinStores(operation: Operation, handler: Handler<Operation>): Handler<Operation> {
  if (operation.audience === 'console') return handler
  return async (request, context) => {
    const { member } = context.caller
    if (member === undefined || member.storeIds === null) return handler(request, context)
    await requireOwnStores(request, operation, context)
    const reply = await handler(request, context)
    if ('body' in reply) requireOwnAnswer(reply.body, member)
    if ('rawJson' in reply) requireOwnAnswer(JSON.parse(reply.rawJson), member)
    return reply
  }
}

/**
 * Keeps a member who is limited to stores to them, in the one place that every operation passes: whatever the request names
 * has to be of these stores, and a request that names nothing of a store is about the whole account and refused. So is an
 * operation that is added later, until its ids are known here.
 *
 * @throws {ApiError} `resource_missing` as for an object that does not exist; `scope_missing`.
 */
async function requireOwnStores(
  request: { params: unknown; query: unknown; body: unknown },
  { scope }: Operation,
  { caller, services }: Pick<RequestContext, 'caller' | 'services'>,
): Promise<void> {
  const storeIds = caller.member?.storeIds ?? null
  if (storeIds === null) return
  const named = [request.params, request.query, request.body].flatMap((part) => [...idsIn(part, '')])
  if (named.length === 0) throw wholeAccount(storeIds, scope)
  for (const { field, path, id } of named) {
    const { what, sql } = STORE_OF[field]
    if (field === 'storeId' && !storeIds.includes(id)) throw missing(what, id, path)
    for (const statement of sql) {
      const rows = readStores(await services.db.read(statement, [caller.accountId, id]))
      if (rows.some(({ store_id: storeId }) => !storeIds.includes(storeId))) throw missing(what, id, path)
    }
  }
}

/**
 * The same for what is answered: before it is committed, an answer of another store is as if there were none.
 *
 * @throws {ApiError} `resource_missing`.
 */
function requireOwnAnswer(body: unknown, member: CallingMember): void {
  const storeIds = member.storeIds ?? []
  for (const { field, id } of idsIn(body, '')) {
    if (field === 'storeId' && !storeIds.includes(id)) throw missing('object', id)
  }
}

const readStores = rowReader({ store_id: text })

/** Fields with text of merchants and pages, in which a name says nothing of what it is. */
const FREE_FORM: readonly string[] = ['metadata', 'properties']

/** Every id of a known kind in a part of a request, with the path that an error names it by. */
function* idsIn(value: unknown, path: string): Generator<{ field: StoreField; path: string; id: string }> {
  for (const [key, inner] of Object.entries(Object(typeof value === 'object' ? value : {}))) {
    const place = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    const field = Array.isArray(value)
      ? (/(\w+?)s?$/.exec(path)?.[1] ?? '')
      : isPromotion(place, inner)
        ? 'promotionId'
        : key
    if (typeof inner === 'string') {
      if (isStoreField(field)) yield { field, path: place, id: inner }
    } else if (!FREE_FORM.includes(key)) yield* idsIn(inner, place)
  }
}

/** The reference names a promotion by `id` alone. */
function isPromotion(place: string, value: unknown): boolean {
  return place === 'id' && typeof value === 'string' && value.startsWith('promo_')
}

const isStoreField = (field: string): field is StoreField => Object.hasOwn(STORE_OF, field)

function wholeAccount(storeIds: readonly string[], scope: Operation['scope']): ApiError {
  const stores = storeIds.join(', ')
  const others = scope === undefined ? 'an owner' : `a member of all stores (${rolesWith(scope)} may do this)`
  return new ApiError(
    'scope_missing',
    `You are limited to ${stores}, and this request is about the whole account; name one of your stores in storeId, or ask ${others}.`,
  )
}
