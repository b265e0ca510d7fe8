import { isDeepStrictEqual } from 'node:util'
import {
  type Contract,
  endsAfterStart,
  type NewPromotion,
  type Promotion,
  type PromotionAction,
  type PromotionChange,
  type PromotionRule,
  type PromotionSummary,
} from '@tillwright/contract'
import { findStore } from '../catalog/index.ts'
import { emit } from '../events/index.ts'
import { among, equalTo, findNamed, indexWords, type ListTable, readList, replaceWords } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, inStore, missing } from '../runtime/index.ts'
import { type Database, type RowOf, rowReader, text } from '../storage/index.ts'
import { promotionsTable } from './tables.ts'

/** Source: reference, "POST /promotions/create", "POST /promotions/update" and "POST /promotions/getById". */
export const promotions: Handlers<Contract['promotions']> = {
  async create({ body }, context) {
    await requireReferences({ ...body, path: '' }, context)
    const promotion = toPromotion(body, context)
    const { accountId } = context.caller
    const writes = [
      ...releaseCode(promotion, context),
      { sql: insertPromotion, params: [accountId, ...columns(promotion, context)], onRefused: () => codeTaken('code') },
      ...indexWords({ accountId, resource: 'promo', id: promotion.id }, [promotion.name, promotion.code]),
      ...emit('s_promotion_created', eventOf(promotion), context),
    ]
    return { body: summaryOf(promotion), writes }
  },

  async update({ body: { id, data } }, context) {
    const { promotion: former, version } = await findPromotion(id, context)
    const changed: Promotion = { ...former, ...present(data) }
    if (!endsAfterStart(changed)) throw endsTooEarly(changed, data)
    if (changed.storeId !== former.storeId) {
      await requireReferences({ storeId: changed.storeId, rules: [], actions: [], path: 'data.' }, context)
      throw staysInStore(former)
    }
    if (data.rules !== undefined || data.actions !== undefined) {
      await requireReferences({ ...changed, path: 'data.' }, context)
    }
    if (isDeepStrictEqual(changed, former)) return { body: summaryOf(former) }
    const promotion: Promotion = { ...changed, updatedAt: new Date(context.nowMs).toISOString() }
    const change = { before: former, after: promotion }
    return { body: summaryOf(promotion), writes: updateWrites(promotion, version, context), change }
  },

  async getById({ body: { id, storeId } }, context) {
    const { promotion } = await findPromotion(id, context)
    if (promotion.storeId !== storeId) throw missing('promotion', id, inStore(storeId, 'storeId'))
    return { body: promotion }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, enabled, q } = query
    const filters = [...equalTo('store_id', storeId), ...equalTo('enabled', enabled)]
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'promotions', resource: 'promo', accountId, db })
    return { body: await readList(promotionList, { accountId, query, filters, anyOf }, db) }
  },
}

const promotionList: ListTable<Promotion> = {
  table: 'promotions',
  orderedBy: 'created_at',
  indexed: ['store_id'],
  read: async (ids, accountId, db) => {
    const { sql, params } = among(ids)
    const rows = await db.read(`SELECT * FROM promotions WHERE account_id = ? AND id ${sql}`, [accountId, ...params])
    return readPromotions(rows).map(({ promotion }) => promotion)
  },
}

async function findPromotion(id: string, { caller, services }: RequestContext): Promise<StoredPromotion> {
  const sql = 'SELECT * FROM promotions WHERE account_id = ? AND id = ?'
  const [promotion] = readPromotions(await services.db.read(sql, [caller.accountId, id]))
  if (promotion === undefined) throw missing('promotion', id, 'id')
  return promotion
}

function toPromotion(body: NewPromotion, context: RequestContext): Promotion {
  const now = new Date(context.nowMs).toISOString()
  return { id: context.newId('promo'), ...body, usageCount: 0, createdAt: now, updatedAt: now }
}

/** Drops undefined fields from a change. */
function present(data: PromotionChange) {
  // The filter below takes out the undefined that the type speaks of.
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)) as {
    [Field in keyof PromotionChange]: Exclude<PromotionChange[Field], undefined>
  }
}

/**
 * The first statement claims the version that was read: a refusal is a lost race, and the change is built again on what
 * the other one has left.
 */
function updateWrites(promotion: Promotion, version: number, context: RequestContext): Write[] {
  const { accountId } = context.caller
  return [
    {
      sql: 'UPDATE promotions SET version = version + 1 WHERE account_id = ? AND id = ? AND version = ?',
      params: [accountId, promotion.id, version],
      expect: 1,
    },
    ...releaseCode(promotion, context),
    {
      sql: updatePromotion,
      params: [...columns(promotion, context).slice(1, -1), accountId, promotion.id],
      onRefused: () => codeTaken('data.code'),
    },
    ...replaceWords({ accountId, resource: 'promo', id: promotion.id }, [promotion.name, promotion.code]),
    ...emit('s_promotion_updated', eventOf(promotion), context),
  ]
}

const insertPromotion = `INSERT INTO promotions (account_id, id, store_id, code_key, live_code, automatic, enabled,
    starts_at, ends_at, usage_limit, resource, created_at, usage_count, usage_reserved, version)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 1)`

const updatePromotion = `UPDATE promotions SET store_id = ?, code_key = ?, live_code = ?, automatic = ?, enabled = ?,
    starts_at = ?, ends_at = ?, usage_limit = ?, resource = ?
  WHERE account_id = ? AND id = ?`

/** The columns in the order of the insert, from `id` to `created_at`. */
function columns(promotion: Promotion, { nowMs }: RequestContext) {
  const { code, startDate, endDate } = promotion
  return [
    promotion.id,
    promotion.storeId,
    code === null ? null : codeKey(code),
    liveCode(promotion, nowMs),
    Number(promotion.automatic),
    Number(promotion.enabled),
    startDate === null ? null : Date.parse(startDate),
    endDate === null ? null : Date.parse(endDate),
    promotion.usageLimit,
    toResource(promotion),
    nowMs,
  ]
}

/** The code that a promotion holds for itself: that of one which is enabled and has not ended. */
function liveCode({ code, enabled, endDate }: Promotion, nowMs: number): string | null {
  const live = enabled && (endDate === null || nowMs < Date.parse(endDate))
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
  const { ruleOperator, createdAt, updatedAt } = promotion
  const window = { usageLimit, usageCount, startDate, endDate }
  return { id, storeId, name, code, enabled, automatic, ...window, ruleOperator, createdAt, updatedAt }
}

function codeTaken(param: 'code' | 'data.code'): ApiError {
  const message = 'Another live promotion of the store has this code; end or disable it, or choose another code.'
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

/** A promotion as it lies in the database. */
export interface StoredPromotion {
  promotion: Promotion
  /** Grows with every update, so that of two at once one is seen to be late. */
  version: number
  /** How many orders may still use it, those that are being paid taken off; `null` when there is no limit. */
  usesLeft: number | null
}

/** Reads promotions that were selected with all columns. */
export function readPromotions(rows: Parameters<typeof readRows>[0]): StoredPromotion[] {
  return readRows(rows).map(fromRow)
}

const readRows = rowReader(promotionsTable)

function fromRow(row: RowOf<typeof promotionsTable>): StoredPromotion {
  const { resource, version, usage_count: usageCount, usage_limit: limit } = row
  return {
    promotion: { ...resource, usageCount },
    version,
    usesLeft: limit === null ? null : Math.max(0, limit - usageCount - row.usage_reserved),
  }
}

/** The JSON stored in `resource`: everything but the count, which changes separately. */
function toResource({ usageCount: _, ...promotion }: Promotion): string {
  return JSON.stringify(promotion)
}

/**
 * Normalizes a code for comparison: surrounding space, case and composition (Unicode NFKC) do not count. Upper case,
 * because that maps both `ß` and `SS` to the same text.
 */
export function codeKey(code: string): string {
  return code.trim().normalize('NFKC').toUpperCase()
}

/** Objects that a promotion refers to. `path` is its prefix in the body: '' or `data.`. */
export interface PromotionReferences {
  storeId: string
  rules: readonly PromotionRule[]
  actions: readonly PromotionAction[]
  path: '' | 'data.'
}

interface Reference {
  what: 'product' | 'variant'
  id: string
  param: string
}

/** @throws {ApiError} `resource_missing` for the first store, product or variant that the account's store has not. */
async function requireReferences(sent: PromotionReferences, { caller, services }: RequestContext): Promise<void> {
  const place = { accountId: caller.accountId, storeId: sent.storeId }
  const store = await findStore(place.storeId, place.accountId, services.db)
  if (store === null) throw missing('store', place.storeId, `${sent.path}storeId`)
  const references = [...sent.rules.flatMap(ofRule), ...sent.actions.flatMap(ofAction)]
  const [products, variants] = await Promise.all([
    known('products', idsOf(references, 'product'), { ...place, db: services.db }),
    known('variants', idsOf(references, 'variant'), { ...place, db: services.db }),
  ])
  for (const { what, id, param } of references) {
    const found = what === 'product' ? products : variants
    if (!found.has(id)) throw missing(what, id, inStore(sent.storeId, `${sent.path}${param}`))
  }
}

function ofRule(rule: PromotionRule, index: number): Reference[] {
  if (rule.type !== 'ContainsProduct') return []
  const at = `rules[${index}]`
  return [
    ...rule.productIds.map((id, i) => ({ what: 'product' as const, id, param: `${at}.productIds[${i}]` })),
    ...rule.variantIds.map((id, i) => ({ what: 'variant' as const, id, param: `${at}.variantIds[${i}]` })),
  ]
}

function ofAction(action: PromotionAction, index: number): Reference[] {
  switch (action.type) {
    case 'CreateLineItem':
      return named(action.productId, action.variantId, [`actions[${index}].productId`, `actions[${index}].variantId`])
    case 'LineItemPercentageAdjustment':
    case 'LineItemAmountAdjustment':
    case 'SubscriptionLineItemFreeTrial':
      return named(action.targetProductId, action.targetVariantId, [
        `actions[${index}].targetProductId`,
        `actions[${index}].targetVariantId`,
      ])
    case 'OrderPercentageAdjustment':
    case 'OrderAmountAdjustment':
    case 'ShippingAdjustment':
      return []
  }
}

function named(
  productId: string | null,
  variantId: string | null,
  [ofProduct, ofVariant]: [string, string],
): Reference[] {
  return [
    ...(productId === null ? [] : [{ what: 'product' as const, id: productId, param: ofProduct }]),
    ...(variantId === null ? [] : [{ what: 'variant' as const, id: variantId, param: ofVariant }]),
  ]
}

function idsOf(references: readonly Reference[], wanted: Reference['what']): string[] {
  return [...new Set(references.filter(({ what }) => what === wanted).map(({ id }) => id))]
}

async function known(
  table: 'products' | 'variants',
  ids: readonly string[],
  { accountId, storeId, db }: { accountId: string; storeId: string; db: Database },
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.read(
    `SELECT id FROM ${table} WHERE account_id = ? AND store_id = ? AND id IN (${ids.map(() => '?').join(', ')})`,
    [accountId, storeId, ...ids],
  )
  return new Set(readIds(rows).map(({ id }) => id))
}

const readIds = rowReader({ id: text })
