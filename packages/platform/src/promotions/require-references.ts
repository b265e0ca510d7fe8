import type { PromotionAction, PromotionRule } from '@tillwright/contract'
import { missing } from '../ambient/api-error.ts'
import type { Call } from '../call.ts'
import { findStore } from '../catalog/stores.ts'
import type { Database } from '../storage/database.ts'

/** What a promotion points at. `path` is where it stands in the body: '' or `data.`. */
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
export async function requireReferences(sent: PromotionReferences, { caller, parts }: Call): Promise<void> {
  const place = { accountId: caller.accountId, storeId: sent.storeId }
  const store = await findStore(place.storeId, place.accountId, parts.db)
  if (store === null) throw missing('store', place.storeId, `${sent.path}storeId`)
  const references = [...sent.rules.flatMap(ofRule), ...sent.actions.flatMap(ofAction)]
  const [products, variants] = await Promise.all([
    known('products', idsOf(references, 'product'), { ...place, db: parts.db }),
    known('variants', idsOf(references, 'variant'), { ...place, db: parts.db }),
  ])
  for (const { what, id, param } of references) {
    const found = what === 'product' ? products : variants
    if (!found.has(id)) throw missing(what, id, `${sent.path}${param}`)
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
  return new Set(rows.map((row) => String(row['id'])))
}
