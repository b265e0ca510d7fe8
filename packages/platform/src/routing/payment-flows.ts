import {
  abuseDetectionConfig,
  type Contract,
  type NewFlowReplay,
  type NewPaymentFlow,
  type PaymentFlow,
  type PaymentFlowChange,
  type ProcessorConfig,
  routingRules,
  type RoutingRules,
} from '@tillwright/contract'
import { storesTable } from '../catalog/index.ts'
import { archiving, type Changed, changed, mergePatch, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList, replaceWords } from '../lists/index.ts'
import { liveProcessors, paymentFlowsTable } from '../processors/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, pick, readByIds, readRows, rowReader } from '../storage/index.ts'
import { runReplay } from './run-replay.ts'

/** Source: reference, "GET /payment-flows" and "POST /payment-flows/create". */
export const paymentFlows: Handlers<Contract['paymentFlows']> = {
  async list({ query: { limit, after } }, { caller, services }) {
    if (after !== undefined) await requireCursor(after, caller.accountId, services.db)
    const live = await liveProcessors(caller.accountId, services.db)
    const { rows, next } = await readRows(
      { sql: selectFlows, params: [caller.accountId], key: [{ name: 'id', type: 'text' }], order: 'ascending' },
      { after: after === undefined ? null : [after], limit },
      services.db,
    )
    const flows = readResources(rows).map(({ resource }) => withLive(resource, live))
    if (next === null) return { body: flows }
    const url = `/api/public/v1/payment-flows?limit=${limit}&after=${encodeURIComponent(next.join(''))}`
    return { body: flows, headers: { Link: `<${url}>; rel="next"` } }
  },

  async create({ body: { data } }, context) {
    requireProcessors(data, 'data.', await liveProcessors(context.caller.accountId, context.services.db))
    const { flow, writes } = paymentFlowWrites(data, context)
    return { body: flow, writes }
  },

  async get({ params: { paymentFlowId } }, context) {
    return { body: (await flowAsItIs(paymentFlowId, context)).current }
  },

  async search({ query }, { caller: { accountId }, services: { db } }) {
    const { archived = false, q } = query
    const place = { table: 'payment_flows', resource: 'flow', accountId, db } as const
    const anyOf = q === undefined ? null : await findNamed(q, place)
    return { body: await readList(flowList, { accountId, query, filters: equalTo('archived', archived), anyOf }, db) }
  },

  async update({ params: { paymentFlowId }, body }, context) {
    const { stored, current, live } = await flowAsItIs(paymentFlowId, context)
    requireProcessors(body, '', live)
    const { abuseDetectionConfig: limits, ...others } = body
    const sent = { ...others, ...(limits !== undefined && { abuseDetectionConfig: mergeLimits(current, limits) }) }
    return changeReply({ stored, current }, changed({ what: 'payment flow', current, sent }, context), context)
  },

  async replay({ body }, context) {
    const { rules, live } = await rulesOf(body, context)
    requireProcessors(body.flow, 'flow.', live)
    return { body: await runReplay(rules, body, context) }
  },

  async archive({ params: { paymentFlowId }, body: sent }, context) {
    const { stored, current } = await flowAsItIs(paymentFlowId, context)
    const change = archiving(true, { what: 'payment flow', current, sent }, context)
    if (change !== null) await requireUnselected(current, context)
    return changeReply({ stored, current }, change, context)
  },

  async unarchive({ params: { paymentFlowId }, body: sent }, context) {
    const { stored, current } = await flowAsItIs(paymentFlowId, context)
    return changeReply({ stored, current }, archiving(false, { what: 'payment flow', current, sent }, context), context)
  },
}

/** A flow to be read or changed. */
interface KnownFlow {
  stored: PaymentFlow
  /** As it is answered: without archived processors. */
  current: PaymentFlow
}

async function flowAsItIs(
  id: string,
  { caller: { accountId }, services: { db } }: RequestContext,
): Promise<KnownFlow & { live: ReadonlySet<string> }> {
  const [stored, live] = await Promise.all([findPaymentFlow(id, accountId, db), liveProcessors(accountId, db)])
  if (stored === null) throw missing('payment flow', id, 'paymentFlowId')
  return { stored, current: withLive(stored, live), live }
}

/**
 * The rules of a draft: what it leaves out is as in the flow that it changes, or has the defaults of a new flow.
 *
 * @throws {ApiError} `resource_missing` for the flow; `parameter_missing` for a draft of a new flow without its own rules.
 */
async function rulesOf(
  { paymentFlowId, flow: draft }: NewFlowReplay,
  context: RequestContext,
): Promise<{ rules: RoutingRules; live: ReadonlySet<string> }> {
  if (paymentFlowId !== undefined) {
    const { current, live } = await flowAsItIs(paymentFlowId, context)
    return { rules: withDraft(current, draft), live }
  }
  for (const field of ['strategy', 'processorConfigs'] as const) {
    if (draft[field] !== undefined) continue
    const param = `flow.${field}`
    throw new ApiError('parameter_missing', `${param} is required, unless paymentFlowId names a flow that has it.`, {
      param,
    })
  }
  const live = await liveProcessors(context.caller.accountId, context.services.db)
  return { rules: routingRules.parse(draft), live }
}

function withDraft(flow: RoutingRules, draft: NewFlowReplay['flow']): RoutingRules {
  return {
    strategy: draft.strategy ?? flow.strategy,
    processorConfigs: draft.processorConfigs ?? flow.processorConfigs,
    fallbackMode: draft.fallbackMode ?? flow.fallbackMode,
    maxFallbackRetries: draft.maxFallbackRetries ?? flow.maxFallbackRetries,
    stickyProcessorEnabled: draft.stickyProcessorEnabled ?? flow.stickyProcessorEnabled,
    pickProcessorStrategy: draft.pickProcessorStrategy ?? flow.pickProcessorStrategy,
    fallbackProcessorConfigs: draft.fallbackProcessorConfigs ?? flow.fallbackProcessorConfigs,
  }
}

/** The limits that are left out stay, or have their defaults where the flow had none. */
function mergeLimits(
  { abuseDetectionConfig: before }: PaymentFlow,
  sent: NonNullable<PaymentFlowChange['abuseDetectionConfig']> | null,
): PaymentFlow['abuseDetectionConfig'] {
  if (sent === null) return null
  if (before === null && sent.enabled === undefined) {
    const message = 'abuseDetectionConfig.enabled is required, since the flow has no limits yet.'
    throw new ApiError('parameter_missing', message, { param: 'abuseDetectionConfig.enabled' })
  }
  return abuseDetectionConfig.parse(mergePatch(before, sent))
}

function changeReply(
  { stored, current: before }: KnownFlow,
  change: Changed<PaymentFlow> | null,
  context: RequestContext,
): Reply<PaymentFlow> {
  if (change === null) return { body: before }
  const { resource: flow, fields } = change
  const { accountId } = context.caller
  const { id, name, archived, revision } = flow
  const lists = (['processorConfigs', 'fallbackProcessorConfigs'] as const).filter((list) => !fields.includes(list))
  // Lists that the request leaves out keep their archived processors.
  const kept = { ...flow, ...Object.fromEntries(lists.map((list) => [list, stored[list]])) }
  const set = { archived: Number(archived), resource: JSON.stringify(kept) }
  const properties = { paymentFlowId: id, name, archived, revision, changed: fields }
  const writes = [
    ...updateRow('payment_flows', set, { accountId, resource: flow }),
    ...(archived && !before.archived ? [unselected(accountId, id)] : []),
    ...replaceWords({ accountId, resource: 'flow', id }, [name]),
    ...emit('s_payment_flow_updated', { properties }, context),
  ]
  return { body: flow, writes, change: { before, after: flow } }
}

/** How many stores a refusal names. */
const STORES_NAMED = 5

/** @throws {ApiError} `state_conflict` for a flow that stores have selected, archived stores included. */
async function requireUnselected({ id }: PaymentFlow, { caller, services }: RequestContext): Promise<void> {
  const sql = `SELECT id FROM stores WHERE account_id = ? AND selected_payment_flow_id = ? ORDER BY id LIMIT ${STORES_NAMED + 1}`
  const stores = readStoreIds(await services.db.read(sql, [caller.accountId, id])).map((store) => `'${store.id}'`)
  if (stores.length === 0) return
  const named = stores.length > STORES_NAMED ? [...stores.slice(0, STORES_NAMED), 'others'] : stores
  const message = `The payment flow '${id}' is selected by the ${stores.length === 1 ? 'store' : 'stores'} ${named.join(', ')}; choose another flow there in selectedPaymentFlowId, then archive this one.`
  throw new ApiError('state_conflict', message, { param: 'paymentFlowId' })
}

const readStoreIds = rowReader(pick(storesTable, 'id'))

/**
 * Holds an archived flow to what `requireUnselected` has read. It follows the statement that locks the flow's row, on
 * which stores that select the flow wait.
 */
function unselected(accountId: string, id: string): Write {
  const sql = `UPDATE payment_flows SET archived = 1 WHERE account_id = ? AND id = ?
    AND NOT EXISTS (SELECT 1 FROM stores s WHERE s.account_id = ? AND s.selected_payment_flow_id = ?)`
  return { sql, params: [accountId, id, accountId, id], expect: 1 }
}

const flowList: ListTable<PaymentFlow> = {
  table: 'payment_flows',
  orderedBy: { id: 'flow' },
  indexed: ['archived'],
  async read(ids, accountId, db) {
    const [rows, live] = await Promise.all([
      readByIds(paymentFlowsTable, { table: 'payment_flows', ids, accountId }, db),
      liveProcessors(accountId, db),
    ])
    return rows.map(({ resource }) => withLive(resource, live))
  },
}

/** @throws {ApiError} `parameter_invalid` for an id that no flow of the account has ever had. */
async function requireCursor(after: string, accountId: string, db: Database): Promise<void> {
  const [row] = await db.read('SELECT id FROM payment_flows WHERE account_id = ? AND id = ?', [accountId, after])
  if (row !== undefined) return
  const message = `after is '${after}', which is no payment flow of this account; send the id of the last flow of a page, or leave it out.`
  throw new ApiError('parameter_invalid', message, { param: 'after' })
}

const selectFlows = 'SELECT id, resource FROM payment_flows WHERE account_id = ? AND archived = 0'

/** The statements that record a flow and its event. */
export function paymentFlowWrites(
  data: NewPaymentFlow['data'],
  context: RequestContext,
): { flow: PaymentFlow; writes: Write[] } {
  const { accountId } = context.caller
  const now = new Date(context.nowMs).toISOString()
  const id = context.newId('flow')
  const flow: PaymentFlow = { id, ...data, createdAt: now, archived: false, revision: 1, updatedAt: now }
  const writes = [
    {
      sql: 'INSERT INTO payment_flows (account_id, id, archived, revision, resource, created_at) VALUES (?, ?, 0, 1, ?, ?)',
      params: [accountId, id, JSON.stringify(flow), context.nowMs],
    },
    ...indexWords({ accountId, resource: 'flow', id }, [flow.name]),
    ...emit('s_payment_flow_created', { properties: { paymentFlowId: id, name: flow.name } }, context),
  ]
  return { flow, writes }
}

/** A flow of the account, archived or not, or `null`. */
export async function findPaymentFlow(flowId: string, accountId: string, db: Database): Promise<PaymentFlow | null> {
  const sql = 'SELECT resource FROM payment_flows WHERE account_id = ? AND id = ?'
  const [row] = readResources(await db.read(sql, [accountId, flowId]))
  return row?.resource ?? null
}

const readResources = rowReader(pick(paymentFlowsTable, 'resource'))

/** Archived processors vanish from flows when these are read. */
function withLive(flow: PaymentFlow, live: ReadonlySet<string>): PaymentFlow {
  const kept = (configs: readonly ProcessorConfig[]) => configs.filter(({ processorId }) => live.has(processorId))
  return {
    ...flow,
    processorConfigs: kept(flow.processorConfigs),
    fallbackProcessorConfigs: kept(flow.fallbackProcessorConfigs),
  }
}

/** @param place Where the lists stand in the body: empty, or ends with a dot. */
function requireProcessors(
  data: Pick<PaymentFlowChange, 'processorConfigs' | 'fallbackProcessorConfigs'>,
  place: string,
  live: ReadonlySet<string>,
): void {
  for (const list of ['processorConfigs', 'fallbackProcessorConfigs'] as const) {
    const seen = new Set<string>()
    for (const [index, { processorId }] of (data[list] ?? []).entries()) {
      const param = `${place}${list}[${index}].processorId`
      if (!live.has(processorId)) throw missing('processor', processorId, param)
      if (seen.has(processorId)) {
        throw new ApiError(
          'parameter_invalid',
          `The processor '${processorId}' is listed twice in ${list}; list it once.`,
          { param },
        )
      }
      seen.add(processorId)
    }
  }
}
