import type { SessionOrder, WantedLine } from '@tillwright/plugin-sdk'

/** The lines that an order was asked for: those that are no gifts. */
export function wantedOf(order: Pick<SessionOrder, 'lines'> | null): WantedLine[] {
  const bought = order?.lines.filter(({ promotionId }) => promotionId === null) ?? []
  return bought.map(({ variantId, priceId, quantity }) => ({ variantId, priceId, quantity }))
}
