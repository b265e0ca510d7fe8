import type { Promotion } from '@tillwright/contract'
import { defineTable, flag, int, json, nullable, type RowOf, rowReader, text } from '../storage/index.ts'

const promotionsTable = defineTable('promotions', {
  account_id: text,
  id: text,
  store_id: text,
  code_key: nullable(text),
  live_code: nullable(text),
  automatic: flag,
  enabled: flag,
  starts_at: nullable(int),
  ends_at: nullable(int),
  usage_limit: nullable(int),
  usage_count: int,
  usage_reserved: int,
  archived: flag,
  revision: int,
  /** All but the count, which changes without the rest. */
  resource: json<Omit<Promotion, 'usageCount'>>(),
  created_at: int,
})

/** A promotion as it lies in the database. */
export interface StoredPromotion {
  promotion: Promotion
  /** How many orders may still use it, those that are being paid taken off; `null` when there is no limit. */
  usesLeft: number | null
}

/** Reads promotions that were selected with all columns. */
export function readPromotions(rows: Parameters<typeof readRows>[0]): StoredPromotion[] {
  return readRows(rows).map(fromRow)
}

const readRows = rowReader(promotionsTable)

function fromRow(row: RowOf<typeof promotionsTable>): StoredPromotion {
  const { resource, usage_count: usageCount, usage_limit: limit } = row
  return {
    promotion: { ...resource, usageCount },
    usesLeft: limit === null ? null : Math.max(0, limit - usageCount - row.usage_reserved),
  }
}

/**
 * Normalizes a code for comparison: surrounding space, case and composition (Unicode NFKC) do not count. Upper case,
 * because that maps both `ß` and `SS` to the same text.
 */
export function codeKey(code: string): string {
  return code.trim().normalize('NFKC').toUpperCase()
}
