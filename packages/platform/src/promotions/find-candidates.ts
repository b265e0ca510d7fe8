import { AUTOMATIC_PROMOTIONS_MAX } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import type { Database } from '../storage/database.ts'
import type { Candidate } from './candidate.ts'
import { findGifts, type GiftPlace } from './find-gifts.ts'
import { codeKey } from './promotion-code.ts'
import { fromPromotionRow, type StoredPromotion } from './promotion-row.ts'

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

/** A code that is no longer live is found too, to be told why it does not hold. */
const selectByCode = `SELECT * FROM promotions WHERE account_id = ? AND store_id = ? AND code_key = ?
  ORDER BY CASE WHEN live_code IS NULL THEN 1 ELSE 0 END, created_at DESC, id DESC LIMIT 1`

async function findByCode(
  key: string,
  index: number,
  { request, db }: { request: CandidateRequest; db: Database },
): Promise<StoredPromotion> {
  const [row] = await db.read(selectByCode, [request.accountId, request.storeId, key])
  if (row !== undefined) return fromPromotionRow(row)
  const message = `The store has no promotion with the code '${request.promotionCodes[index]}'; leave the code out.`
  throw new ApiError('parameter_invalid', message, { param: `promotionCodes[${index}]` })
}

const selectAutomatic = `SELECT * FROM promotions WHERE account_id = ? AND store_id = ? AND automatic = 1 AND enabled = 1
    AND (starts_at IS NULL OR starts_at <= ?) AND (ends_at IS NULL OR ends_at > ?)
  ORDER BY CASE WHEN usage_count >= usage_limit THEN 1 ELSE 0 END, created_at, id LIMIT ${AUTOMATIC_PROMOTIONS_MAX}`

async function findAutomatic(request: CandidateRequest, db: Database): Promise<StoredPromotion[]> {
  const { accountId, storeId, nowMs } = request
  return (await db.read(selectAutomatic, [accountId, storeId, nowMs, nowMs])).map(fromPromotionRow)
}
