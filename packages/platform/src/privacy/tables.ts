import type { CustomerErasure } from '@tillwright/contract'
import { defineTable, int, json, nullable, oneOf, text, type Value } from '../storage/index.ts'

/** Numbers of rows found and erased, by table. */
export type Counts = Record<string, { found: number; erased: number }>

/** Behind which row of those that have a value: behind this key, or before all of them. */
export interface Position {
  value: string
  key: Value[]
}

/** How far it is within a table whose rows belong to others: before all, behind a row, or at the end. */
export interface Frame {
  table: string
  from: Position | 'end' | null
}

/**
 * Where the next page begins: behind `after` in the root table of this number, and there within what belongs to the rows
 * that follow, one frame for each table on the way down.
 */
export interface Cursor {
  at: number
  after: string
  within: readonly Frame[]
}

/** How far an erasure has come. It ends with a pass over everything that has found nothing more to erase. */
export interface ErasureProgress {
  cursor: Cursor
  isFirstPass: boolean
  erasedInPass: number
  counts: Counts
}

export const customerErasuresTable = defineTable('customer_erasures', {
  account_id: text,
  id: text,
  customer_id: text,
  store_id: text,
  status: oneOf(['pending', 'succeeded']),
  step: int,
  progress: json<ErasureProgress>(),
  receipt: nullable(json<NonNullable<CustomerErasure['receipt']>>()),
  created_at: int,
  finished_at: nullable(int),
})
