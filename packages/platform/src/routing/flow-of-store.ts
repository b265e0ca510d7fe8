import type { Payment, PaymentFlow, Store, ThreedsProviderName } from '@tillwright/contract'
import { accountsTable } from '../accounts/index.ts'
import { storesTable } from '../catalog/index.ts'
import { paymentFlowsTable } from '../processors/index.ts'
import { ApiError, missing, requireUnarchived } from '../runtime/index.ts'
import { type Database, flag, nullable, pick, rowReader } from '../storage/index.ts'

/** The flow of a store's payment. */
export interface FlowOfStore {
  flow: PaymentFlow
  /** The provider that authenticates buyers of the account's payments. */
  threedsProvider: ThreedsProviderName
  store: Store
  /** Whether the store has hooks, active or not: most have none, and need no read to find them. */
  hasHooks: boolean
}

/**
 * The flow that a payment names, or else its store's own.
 *
 * @throws {ApiError} `resource_missing` for a store or a flow that there is not, `state_conflict` for an archived one,
 *   `parameter_missing` where neither names a flow.
 */
export async function requireFlowOf(
  { storeId, paymentFlowId }: { storeId: string; paymentFlowId?: string | undefined },
  accountId: string,
  db: Database,
): Promise<FlowOfStore> {
  const [row] = readFlowsOfStores(await db.read(selectFlowOfStore, [paymentFlowId ?? null, accountId, storeId]))
  if (row === undefined) throw missing('store', storeId, 'storeId')
  requireUnarchived('store', row.store, 'storeId')
  const flowId = paymentFlowId ?? row.selected_payment_flow_id
  const { resource: flow, threeds_provider: threedsProvider, store } = row
  if (flowId === null) {
    throw new ApiError('parameter_missing', 'The store has no payment flow of its own; name one in paymentFlowId.', {
      param: 'paymentFlowId',
    })
  }
  if (flow === null) throw missing('payment flow', flowId, 'paymentFlowId')
  requireUnarchived('payment flow', flow, 'paymentFlowId')
  return { flow, threedsProvider, store, hasHooks: row.has_hooks }
}

const selectFlowOfStore = `SELECT s.selected_payment_flow_id, s.resource AS store, f.resource, a.threeds_provider,
    CASE WHEN (SELECT 1 FROM hooks h WHERE h.account_id = s.account_id AND h.store_id = s.id LIMIT 1) = 1 THEN 1 ELSE 0 END
      AS has_hooks
  FROM stores s
  JOIN accounts a ON a.id = s.account_id
  LEFT JOIN payment_flows f ON f.account_id = s.account_id AND f.id = COALESCE(?, s.selected_payment_flow_id)
  WHERE s.account_id = ? AND s.id = ?`

const readFlowsOfStores = rowReader({
  ...pick(storesTable, 'selected_payment_flow_id'),
  ...pick(accountsTable, 'threeds_provider'),
  store: storesTable.resource,
  resource: nullable(paymentFlowsTable.resource),
  has_hooks: flag,
})

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
