import type { PromotionAction, PromotionRule } from '@tillwright/contract'
import type { RequestContext } from '../request-context.ts'
import { inStore, missing } from '../runtime/index.ts'
import { type Database, rowReader, text } from '../storage/index.ts'

/** Objects that a promotion refers to. `path` is its prefix in the body: '' or `data.`. */
interface PromotionReferences {
  storeId: string
  rules: readonly PromotionRule[]
  actions: readonly PromotionAction[]
  path: '' | 'data.'
}

/** @throws {ApiError} `resource_missing` for the first product or variant that the store has not. */
export async function requireReferences(
  sent: PromotionReferences,
  { caller, services }: RequestContext,
): Promise<void> {
  const place = { accountId: caller.accountId, storeId: sent.storeId }
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

interface Reference {
  what: 'product' | 'variant'
  id: string
  param: string
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
