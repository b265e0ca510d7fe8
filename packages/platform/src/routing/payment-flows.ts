import type {
  Contract,
  NewPaymentFlow,
  Payment,
  PaymentFlow,
  ProcessorConfig,
  Store,
  ThreedsProviderName,
} from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { accountsTable } from '../accounts/index.ts'
import { storesTable } from '../catalog/index.ts'
import { liveProcessors, paymentFlowsTable } from '../processors/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, nullable, pick, readRows, rowReader } from '../storage/index.ts'

/** Source: reference, "GET /payment-flows" and "POST /payment-flows/create". */
export const paymentFlows: Handlers<Contract['paymentFlows']> = {
  async list({ query: { limit, after } }, { caller, services }) {
    const live = await liveProcessors(caller.accountId, services.db)
    const { rows, next } = await readRows(
      { sql: selectFlows, params: [caller.accountId], key: [{ name: 'id', type: 'text' }], order: 'ascending' },
      { after: after === undefined ? null : [after], limit },
      services.db,
    )
    const flows = readFlows(rows).map(({ resource }) => withLive(resource, live))
    if (next === null) return { body: flows }
    const url = `/api/public/v1/payment-flows?limit=${limit}&after=${encodeURIComponent(next.join(''))}`
    return { body: flows, headers: { Link: `<${url}>; rel="next"` } }
  },

  async create({ body: { data } }, context) {
    await requireProcessors(data, context)
    const { flow, writes } = paymentFlowWrites(data, context)
    return { body: flow, writes }
  },
}

const selectFlows = 'SELECT id, resource FROM payment_flows WHERE account_id = ? AND archived_at IS NULL'

/** The statements that record a flow and its event. */
export function paymentFlowWrites(
  data: NewPaymentFlow['data'],
  context: RequestContext,
): { flow: PaymentFlow; writes: Write[] } {
  const flow: PaymentFlow = { id: context.newId('flow'), ...data }
  const writes = [
    {
      sql: 'INSERT INTO payment_flows (account_id, id, resource, created_at) VALUES (?, ?, ?, ?)',
      params: [context.caller.accountId, flow.id, JSON.stringify(flow), context.nowMs],
    },
    ...emit('s_payment_flow_created', { properties: { paymentFlowId: flow.id, name: flow.name } }, context),
  ]
  return { flow, writes }
}

/** A live flow of the account, or `null`. */
export async function findPaymentFlow(flowId: string, accountId: string, db: Database): Promise<PaymentFlow | null> {
  const sql = 'SELECT resource FROM payment_flows WHERE account_id = ? AND id = ? AND archived_at IS NULL'
  const [row] = readFlows(await db.read(sql, [accountId, flowId]))
  return row?.resource ?? null
}

const readFlows = rowReader(pick(paymentFlowsTable, 'resource'))

/** The flow of a store's payment. */
export interface FlowOfStore {
  flow: PaymentFlow
  /** The provider that authenticates buyers of the account's payments. */
  threedsProvider: ThreedsProviderName
  store: Store
}

/**
 * The flow that a payment names, or else its store's own.
 *
 * @throws {ApiError} `resource_missing` for a store or a flow that there is not, `parameter_missing` where neither names
 *   a flow.
 */
export async function requireFlowOf(
  { storeId, paymentFlowId }: { storeId: string; paymentFlowId?: string | undefined },
  accountId: string,
  db: Database,
): Promise<FlowOfStore> {
  const [row] = readFlowsOfStores(await db.read(selectFlowOfStore, [paymentFlowId ?? null, accountId, storeId]))
  if (row === undefined) throw missing('store', storeId, 'storeId')
  const flowId = paymentFlowId ?? row.selected_payment_flow_id
  const { resource: flow, threeds_provider: threedsProvider, store } = row
  if (flowId === null) {
    throw new ApiError('parameter_missing', 'The store has no payment flow of its own; name one in paymentFlowId.', {
      param: 'paymentFlowId',
    })
  }
  if (flow === null) throw missing('payment flow', flowId, 'paymentFlowId')
  return { flow, threedsProvider, store }
}

const selectFlowOfStore = `SELECT s.selected_payment_flow_id, s.resource AS store, f.resource, a.threeds_provider
  FROM stores s
  JOIN accounts a ON a.id = s.account_id
  LEFT JOIN payment_flows f ON f.account_id = s.account_id AND f.id = COALESCE(?, s.selected_payment_flow_id)
    AND f.archived_at IS NULL
  WHERE s.account_id = ? AND s.id = ?`
const readFlowsOfStores = rowReader({
  ...pick(storesTable, 'selected_payment_flow_id'),
  ...pick(accountsTable, 'threeds_provider'),
  store: storesTable.resource,
  resource: nullable(paymentFlowsTable.resource),
})

/** Archived processors vanish from flows when these are read. */
function withLive(flow: PaymentFlow, live: ReadonlySet<string>): PaymentFlow {
  const kept = (configs: readonly ProcessorConfig[]) => configs.filter(({ processorId }) => live.has(processorId))
  return {
    ...flow,
    processorConfigs: kept(flow.processorConfigs),
    fallbackProcessorConfigs: kept(flow.fallbackProcessorConfigs),
  }
}

async function requireProcessors(
  data: Pick<PaymentFlow, 'processorConfigs' | 'fallbackProcessorConfigs'>,
  { caller, services }: RequestContext,
): Promise<void> {
  const live = await liveProcessors(caller.accountId, services.db)
  for (const list of ['processorConfigs', 'fallbackProcessorConfigs'] as const) {
    const seen = new Set<string>()
    for (const [index, { processorId }] of data[list].entries()) {
      const param = `data.${list}[${index}].processorId`
      if (!live.has(processorId)) throw missing('processor', processorId, param)
      if (seen.has(processorId)) {
        throw new ApiError(
          'parameter_invalid',
          `The processor '${processorId}' stands twice in ${list}; name it once.`,
          { param },
        )
      }
      seen.add(processorId)
    }
  }
}

/**
 * The flow as it applies to a payment: a preview neither counts towards limits nor is held to them, and may choose
 * whether its buyer is authenticated.
 */
export function flowFor(preview: Payment['preview'], flow: PaymentFlow): PaymentFlow {
  if (preview === null) return flow
  const { threeds } = preview
  const threeDsEnabled = threeds === null ? flow.threeDsEnabled : threeds !== 'none'
  return { ...flow, abuseDetectionConfig: null, threeDsEnabled }
}
