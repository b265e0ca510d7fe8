import type { Receipt, WantedLine } from '@tillwright/plugin-sdk'

/**
 * The offer after the first order: the product of the settings, or one more of what was bought.
 *
 * @returns Nothing before the first order, and behind the second.
 */
export function secondOffer(receipts: readonly Receipt[], variantId: string): WantedLine | null {
  const [first, second] = receipts
  const line = first?.order.lines[0]
  if (!line || second) return null
  return variantId === '' ? { variantId: line.variantId, priceId: line.priceId } : { variantId }
}
