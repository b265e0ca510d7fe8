import type { Promotion } from '@tillwright/contract'
import type { Row } from '../storage/database.ts'

/** A promotion as it lies in the database. */
export interface StoredPromotion {
  promotion: Promotion
  /** Grows with every update, so that of two at once one is seen to be late. */
  version: number
  /** How many orders may still use it, those that are being paid taken off; `null` when there is no limit. */
  usesLeft: number | null
}

/** @param row All columns of `promotions`. */
export function fromPromotionRow(row: Row): StoredPromotion {
  const usageCount = Number(row['usage_count'])
  const limit = row['usage_limit']
  return {
    promotion: { ...JSON.parse(String(row['resource'])), usageCount },
    version: Number(row['version']),
    usesLeft: limit == null ? null : Math.max(0, Number(limit) - usageCount - Number(row['usage_reserved'])),
  }
}

/** What lies in `resource`: all but the count, which changes without the rest. */
export function toResource({ usageCount: _, ...promotion }: Promotion): string {
  return JSON.stringify(promotion)
}
