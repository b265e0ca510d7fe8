import {
  type Contract,
  endsAfterStart,
  type NewPromotion,
  type Promotion,
  type PromotionChange,
  type PromotionSummary,
} from '@tillwright/contract'
import { inOpenStore, requireOpenStore } from '../catalog/index.ts'
import { archiving, type Changed, changed, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList, replaceWords } from '../lists/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, inStore, missing } from '../runtime/index.ts'
import { among } from '../storage/index.ts'
import { requireReferences } from './references.ts'
import { codeKey, readPromotions, type StoredPromotion } from './tables.ts'

/** Source: reference, "POST /promotions/create", "POST /promotions/update" and "POST /promotions/getById". */
export const promotions: Handlers<Contract['promotions']> = {
  async create({ body }, context) {
    await requireOpenStore(body.storeId, context)
    await requireReferences({ ...body, path: '' }, context)
    const promotion = toPromotion(body, context)
    const { accountId } = context.caller
    const writes = [
      ...releaseCode(promotion, context),
      insertPromotion(promotion, context),
      ...indexWords({ accountId, resource: 'promo', id: promotion.id }, [promotion.name, promotion.code]),
      ...emit('s_promotion_created', eventOf(promotion), context),
    ]
    return { body: summaryOf(promotion), writes: inOpenStore(writes, { storeId: body.storeId }, context) }
  },

  async update({ body: { id, data, revision: sent } }, context) {
    const { promotion: former } = await findPromotion(id, 'id', context)
    // Optional here only: the reference's update has no revision.
    const revision = sent ?? (context.ifMatch === undefined ? former.revision : undefined)
    const change = changed({ what: 'promotion', current: former, sent: { ...data, revision } }, context)
    if (change === null) return { body: summaryOf(former) }
    const { resource: promotion } = change
    if (!endsAfterStart(promotion)) throw endsTooEarly(promotion, data)
    if (promotion.storeId !== former.storeId) {
      await requireOpenStore(promotion.storeId, context, 'data.storeId')
      throw staysInStore(former)
    }
    if (data.rules !== undefined || data.actions !== undefined) {
      await requireReferences({ ...promotion, path: 'data.' }, context)
    }
    return { ...changeReply(former, change, { context, param: 'data.code' }), body: summaryOf(promotion) }
  },

  async archive({ params: { promotionId: id }, body: sent }, context) {
    const { promotion: current } = await findPromotion(id, 'promotionId', context)
    const change = archiving(true, { what: 'promotion', current, sent }, context)
    return changeReply(current, change, { context, param: 'promotionId' })
  },

  async unarchive({ params: { promotionId: id }, body: sent }, context) {
    const { promotion: current } = await findPromotion(id, 'promotionId', context)
    const change = archiving(false, { what: 'promotion', current, sent }, context)
    return changeReply(current, change, { context, param: 'promotionId' })
  },

  async getById({ body: { id, storeId } }, context) {
    const { promotion } = await findPromotion(id, 'id', context)
    if (promotion.storeId !== storeId) throw missing('promotion', id, inStore(storeId, 'storeId'))
    return { body: promotion }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, enabled, archived = false, q } = query
    const filters = [...equalTo('store_id', storeId), ...equalTo('enabled', enabled), ...equalTo('archived', archived)]
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'promotions', resource: 'promo', accountId, db })
    return { body: await readList(promotionList, { accountId, query, filters, anyOf }, db) }
  },
}

const promotionList: ListTable<Promotion> = {
  table: 'promotions',
  orderedBy: 'created_at',
  indexed: ['store_id', 'archived'],
  read: async (ids, accountId, db) => {
    const { sql, params } = among(ids)
    const rows = await db.read(`SELECT * FROM promotions WHERE account_id = ? AND id ${sql}`, [accountId, ...params])
    return readPromotions(rows).map(({ promotion }) => promotion)
  },
}

async function findPromotion(
  id: string,
  param: 'id' | 'promotionId',
  { caller, services }: RequestContext,
): Promise<StoredPromotion> {
  const sql = 'SELECT * FROM promotions WHERE account_id = ? AND id = ?'
  const [promotion] = readPromotions(await services.db.read(sql, [caller.accountId, id]))
  if (promotion === undefined) throw missing('promotion', id, param)
  return promotion
}

function toPromotion(body: NewPromotion, context: RequestContext): Promotion {
  const now = new Date(context.nowMs).toISOString()
  const fresh = { usageCount: 0, archived: false, revision: 1, createdAt: now, updatedAt: now }
  return { id: context.newId('promo'), ...body, ...fresh }
}

interface ChangeRequest {
  context: RequestContext
  /** The parameter that led to the promotion's code. */
  param: 'data.code' | 'promotionId'
}

function changeReply(
  before: Promotion,
  change: Changed<Promotion> | null,
  { context, param }: ChangeRequest,
): Reply<Promotion> {
  if (change === null) return { body: before }
  const { resource: promotion, fields } = change
  const { accountId } = context.caller
  const { id, archived, revision } = promotion
  const { storeId, properties } = eventOf(promotion)
  const [claim, replace] = updateRow('promotions', columns(promotion, context), { accountId, resource: promotion })
  const updated = { storeId, properties: { ...properties, archived, revision, changed: fields } }
  const writes = [
    claim,
    ...releaseCode(promotion, context),
    { ...replace, onRefused: () => codeTaken(param) },
    ...replaceWords({ accountId, resource: 'promo', id }, [promotion.name, promotion.code]),
    ...emit('s_promotion_updated', updated, context),
  ]
  return { body: promotion, writes, change: { before, after: promotion } }
}

/** The statement that records a new promotion. */
function insertPromotion(promotion: Promotion, context: RequestContext): Write {
  const { id, storeId } = promotion
  const row = {
    account_id: context.caller.accountId,
    id,
    store_id: storeId,
    ...columns(promotion, context),
    created_at: context.nowMs,
    usage_count: 0,
    usage_reserved: 0,
    revision: 1,
  }
  const marks = Object.keys(row).map(() => '?')
  return {
    sql: `INSERT INTO promotions (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`,
    params: Object.values(row),
    onRefused: () => codeTaken('code'),
  }
}

/** The columns that a change replaces. */
function columns(promotion: Promotion, { nowMs }: RequestContext) {
  const { code, startDate, endDate } = promotion
  return {
    code_key: code === null ? null : codeKey(code),
    live_code: liveCode(promotion, nowMs),
    automatic: Number(promotion.automatic),
    enabled: Number(promotion.enabled),
    archived: Number(promotion.archived),
    starts_at: startDate === null ? null : Date.parse(startDate),
    ends_at: endDate === null ? null : Date.parse(endDate),
    usage_limit: promotion.usageLimit,
    resource: toResource(promotion),
  }
}

/** The code that a promotion holds for itself: that of one which is enabled, not archived, and has not ended. */
function liveCode({ code, enabled, archived, endDate }: Promotion, nowMs: number): string | null {
  const live = enabled && !archived && (endDate === null || nowMs < Date.parse(endDate))
  return live && code !== null ? codeKey(code) : null
}

/** Promotions end without any process taking notice, so the code is released when another promotion needs it. */
function releaseCode(promotion: Promotion, { caller, nowMs }: RequestContext): Write[] {
  const code = liveCode(promotion, nowMs)
  if (code === null) return []
  const sql = `UPDATE promotions SET live_code = NULL
    WHERE account_id = ? AND store_id = ? AND live_code = ? AND ends_at <= ? AND id <> ?`
  return [{ sql, params: [caller.accountId, promotion.storeId, code, nowMs, promotion.id] }]
}

function eventOf({ id, storeId, name, code }: Promotion) {
  return { storeId, properties: { promotionId: id, name, code } }
}

function summaryOf(promotion: Promotion): PromotionSummary {
  const { id, storeId, name, code, enabled, automatic, usageLimit, usageCount, startDate, endDate } = promotion
  const { ruleOperator, createdAt, archived, revision, updatedAt } = promotion
  const window = { usageLimit, usageCount, startDate, endDate }
  return {
    id,
    storeId,
    name,
    code,
    enabled,
    automatic,
    ...window,
    ruleOperator,
    createdAt,
    archived,
    revision,
    updatedAt,
  }
}

function codeTaken(param: 'code' | ChangeRequest['param']): ApiError {
  const message =
    'Another live promotion of the store has this code; end, disable or archive it, or choose another code.'
  return new ApiError('resource_exists', message, { param })
}

/** Its rules and actions name products of the store, and orders of the store have used it. */
function staysInStore({ id, storeId }: Promotion): ApiError {
  const message = `The promotion '${id}' belongs to the store '${storeId}' and stays there; leave data.storeId out, and create a promotion in the other store.`
  return new ApiError('parameter_invalid', message, { param: 'data.storeId' })
}

/** Blames the date that was sent: the other one is the promotion's own. */
function endsTooEarly({ startDate, endDate }: Promotion, sent: PromotionChange): ApiError {
  const [param, rule] =
    sent.endDate === undefined
      ? ['data.startDate', `must be earlier than the promotion's endDate, which is ${endDate}`]
      : ['data.endDate', `must be later than the promotion's startDate, which is ${startDate}`]
  return new ApiError('parameter_invalid', `${param} ${rule}.`, { param })
}

/** The JSON stored in `resource`: everything but the count, which changes separately. */
function toResource({ usageCount: _, ...promotion }: Promotion): string {
  return JSON.stringify(promotion)
}
