import type { Promotion } from '@tillwright/contract'

/** A line of an order as its promotions see it. Amounts are in the order's minor unit. */
export interface CartLine {
  productId: string
  variantId: string
  quantity: number
  unitAmount: number
  /** Whether its price recurs, so that it can begin with a free trial. */
  recurring: boolean
}

/** What is to be priced. The sum of the lines and the shipping is at most 2^53 - 1. */
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
  /** What one unit is worth in the order's minor unit; 0 when it has no price in that currency. */
  unitAmount: number
}

/** A promotion that may apply to an order: automatic, or its code was sent. */
export interface Candidate {
  promotion: Promotion
  /** How many orders may still use it; `null` when there is no limit. */
  usesLeft: number | null
  /** Whether the buyer sent its code. */
  byCode: boolean
  /** What its actions give away, by the action's index; an action whose gift is not on sale is absent. */
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
