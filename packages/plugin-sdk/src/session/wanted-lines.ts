import type { LineRef, SessionOrder, WantedLine } from '../api/session-order.ts'

/** What an order was asked for, to be asked for again: its lines without gifts. */
export function wantedLines({ lines }: Pick<SessionOrder, 'lines'>): WantedLine[] {
  return lines
    .filter(({ promotionId }) => promotionId === null)
    .map(({ variantId, priceId, quantity }) => ({ variantId, priceId, quantity }))
}

/** Whether two mean the same line. One that names no price means any. */
export function isSameLine(one: LineRef, other: LineRef): boolean {
  return one.variantId === other.variantId && (!one.priceId || !other.priceId || one.priceId === other.priceId)
}
