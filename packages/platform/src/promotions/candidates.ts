import {
  type AppliedPromotion,
  AUTOMATIC_PROMOTIONS_MAX,
  type Promotion,
  type PromotionAction,
} from '@tillwright/contract'
import { findProducts, findVariants, soldName, type SoldVariant } from '../catalog/index.ts'
import type { Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import { codeKey, readPromotions, type StoredPromotion } from './tables.ts'

/** An order line as promotions see it. Amounts are in the order's minor unit. */
export interface CartLine {
  productId: string
  variantId: string
  quantity: number
  unitAmount: number
  /** Whether its price recurs, so that it can begin with a free trial. */
  recurring: boolean
}

/** The order to price. The sum of the lines and the shipping is at most 2^53 - 1. */
export interface Cart {
  currency: string
  lines: readonly CartLine[]
  shippingAmount: number
}

/** A variant that a promotion gives away. */
export interface Gift {
  productId: string
  variantId: string
  priceId: string
  name: string
  isShippable: boolean
  /** Value of one unit in the order's minor unit; 0 if it has no price in that currency. */
  unitAmount: number
}

/** A promotion that may apply to an order: automatic, or its code was sent. */
export interface Candidate {
  promotion: Promotion
  /** How many orders may still use it; `null` when there is no limit. */
  usesLeft: number | null
  /** Whether the buyer sent its code. */
  byCode: boolean
  /** Gifts by the index of their action; actions whose gift is not on sale are missing. */
  gifts: ReadonlyMap<number, Gift>
}

/** The order in which promotions are named and ties are broken: codes before automatic, then the older, then by id. */
export function byRank(a: Candidate, b: Candidate): number {
  if (a.byCode !== b.byCode) return a.byCode ? -1 : 1
  return compareText(a.promotion.createdAt, b.promotion.createdAt) || compareText(a.promotion.id, b.promotion.id)
}

/** ISO timestamps in UTC and ids are ASCII, so their code units are in the right order. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** The order that promotions are looked for. */
export interface CandidateRequest extends GiftPlace {
  /** As the buyer has entered them. */
  promotionCodes: readonly string[]
  nowMs: number
}

/**
 * The promotions that an order may have: those whose codes were sent, live or not, and the automatic ones of the store
 * that are live, the 25 oldest of them, those that are used up last.
 *
 * @throws {ApiError} `parameter_invalid` for a code that no promotion of the store has.
 */
export async function findCandidates(request: CandidateRequest, db: Database): Promise<Candidate[]> {
  const [coded, automatic] = await Promise.all([findByCodes(request, db), findAutomatic(request, db)])
  const ids = new Set(coded.map(({ promotion }) => promotion.id))
  const others = automatic.filter(({ promotion }) => !ids.has(promotion.id))
  const found = [...coded, ...others]
  const gifts = await findGifts(
    found.map(({ promotion }) => promotion),
    request,
    db,
  )
  return found.map(({ promotion, usesLeft }) => ({
    promotion,
    usesLeft,
    byCode: ids.has(promotion.id),
    gifts: gifts.get(promotion.id) ?? new Map(),
  }))
}

async function findByCodes(request: CandidateRequest, db: Database): Promise<StoredPromotion[]> {
  const places = new Map<string, number>()
  for (const [index, code] of request.promotionCodes.entries()) {
    if (!places.has(codeKey(code))) places.set(codeKey(code), index)
  }
  return Promise.all([...places].map(([key, index]) => findByCode(key, index, { request, db })))
}

/** Also finds codes that are archived or have ended, so that the buyer learns why they do not apply. */
const selectByCode = `SELECT * FROM promotions WHERE account_id = ? AND store_id = ? AND code_key = ?
  ORDER BY CASE WHEN live_code IS NULL THEN 1 ELSE 0 END, created_at DESC, id DESC LIMIT 1`

async function findByCode(
  key: string,
  index: number,
  { request, db }: { request: CandidateRequest; db: Database },
): Promise<StoredPromotion> {
  const [promotion] = readPromotions(await db.read(selectByCode, [request.accountId, request.storeId, key]))
  if (promotion !== undefined) return promotion
  const message = `The store has no promotion with the code '${request.promotionCodes[index]}'; leave the code out.`
  throw new ApiError('parameter_invalid', message, { param: `promotionCodes[${index}]` })
}

const selectAutomatic = `SELECT * FROM promotions WHERE account_id = ? AND store_id = ? AND automatic = 1 AND enabled = 1 AND archived = 0
    AND (starts_at IS NULL OR starts_at <= ?) AND (ends_at IS NULL OR ends_at > ?)
  ORDER BY CASE WHEN usage_count >= usage_limit THEN 1 ELSE 0 END, created_at, id LIMIT ${AUTOMATIC_PROMOTIONS_MAX}`

async function findAutomatic(request: CandidateRequest, db: Database): Promise<StoredPromotion[]> {
  const { accountId, storeId, nowMs } = request
  return readPromotions(await db.read(selectAutomatic, [accountId, storeId, nowMs, nowMs]))
}

/** The account whose catalogue gifts come from, and the currency that they are valued in. */
interface GiftPlace {
  accountId: string
  storeId: string
  currency: string
}

/** Finds gifts by promotion and by the action's index. Gifts that are not sold on their own are missing. */
async function findGifts(
  promotions: readonly Promotion[],
  place: GiftPlace,
  db: Database,
): Promise<Map<string, Map<number, Gift>>> {
  const actions = promotions.flatMap((promotion) => promotion.actions.filter(isGift))
  if (actions.length === 0) return new Map()
  const variantIds = actions.flatMap(({ variantId }) => variantId ?? [])
  const productIds = actions.flatMap(({ productId, variantId }) => (variantId === null ? (productId ?? []) : []))
  const [variants, products] = await Promise.all([
    findVariants(variantIds, place, db),
    findProducts(productIds, place, db),
  ])
  const soldOf = ({ productId, variantId }: GiftAction): SoldVariant | null => {
    const sold = variantId === null ? byDefault(products.get(productId ?? '')) : (variants.get(variantId) ?? null)
    return productId !== null && sold?.product.id !== productId ? null : sold
  }
  return new Map(
    promotions.map(({ id, actions: all }) => {
      const gifts = [...all.entries()].flatMap(([index, action]) => {
        const gift = isGift(action) ? toGift(soldOf(action), place.currency) : null
        return gift === null ? [] : [[index, gift] as const]
      })
      return [id, new Map(gifts)]
    }),
  )
}

type GiftAction = Extract<PromotionAction, { type: 'CreateLineItem' }>

function isGift(action: PromotionAction): action is GiftAction {
  return action.type === 'CreateLineItem'
}

function isOnSale({ product, variant }: SoldVariant): boolean {
  return product.active && !product.archived && variant.active && !variant.archived
}

function byDefault(product: SoldVariant['product'] | undefined): SoldVariant | null {
  const variant = product?.variants.find((each) => each.default)
  return product === undefined || variant === undefined ? null : { product, variant }
}

/** Recurring prices cannot be gifts. */
function toGift(sold: SoldVariant | null, currency: string): Gift | null {
  if (sold === null || !isOnSale(sold)) return null
  const price = sold.variant.prices.find((each) => each.default)
  if (price === undefined || price.recurring) return null
  return {
    productId: sold.product.id,
    variantId: sold.variant.id,
    priceId: price.id,
    name: soldName(sold),
    isShippable: sold.product.isShippable,
    unitAmount: price.currencyOptions[currency]?.amount ?? 0,
  }
}

/** The order that uses promotions, and whose they are. */
export interface Usage {
  accountId: string
  applied: readonly AppliedPromotion[]
}

/**
 * The statements that set a use of each promotion aside while its order is being paid. The guard is that one is left,
 * so that a promotion is never used more often than its limit says, however many are paid at once.
 *
 * @param paramOf Which parameter of the request led to a promotion.
 */
export function reserveUses({ accountId, applied }: Usage, paramOf: (promotion: AppliedPromotion) => string): Write[] {
  return inLockOrder(applied).map((promotion) => ({
    sql: `UPDATE promotions SET usage_reserved = usage_reserved + 1 WHERE account_id = ? AND id = ?
      AND (usage_limit IS NULL OR usage_count + usage_reserved < usage_limit)`,
    params: [accountId, promotion.promotionId],
    expect: 1,
    onRefused: () => promotionExhausted(promotion.name, paramOf(promotion)),
  }))
}

/** The statements that turn what was set aside into uses, once the order is paid. */
export function countUses({ accountId, applied }: Usage): Write[] {
  return inLockOrder(applied).map(({ promotionId }) => ({
    sql: `UPDATE promotions SET usage_reserved = usage_reserved - 1, usage_count = usage_count + 1
      WHERE account_id = ? AND id = ?`,
    params: [accountId, promotionId],
  }))
}

/** The statements that give back what was set aside, when the order will not be paid by this payment. */
export function releaseUses({ accountId, applied }: Usage): Write[] {
  return inLockOrder(applied).map(({ promotionId }) => ({
    sql: 'UPDATE promotions SET usage_reserved = usage_reserved - 1 WHERE account_id = ? AND id = ?',
    params: [accountId, promotionId],
  }))
}

/** The error for a promotion that is used up. */
export function promotionExhausted(name: string, param: string): ApiError {
  return new ApiError(
    'promotion_exhausted',
    `The promotion '${name}' has been used as often as it may be; quote the order again without it.`,
    { param },
  )
}

/** Every transaction locks promotion rows in the same order, so that orders cannot deadlock. */
function inLockOrder(applied: readonly AppliedPromotion[]): AppliedPromotion[] {
  return applied.toSorted((a, b) => (a.promotionId < b.promotionId ? -1 : 1))
}
