import type { AppliedPromotion } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { ApiError } from '../runtime/index.ts'

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
