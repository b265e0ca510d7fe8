import type { WantedLine } from '@tillwright/plugin-sdk'

const QUANTITY_MAX = 99
const LINES_MAX = 20

/**
 * Reads the cart that a link brings: `?cart=variant_a:2,variant_b`. What makes no sense in it is left out.
 *
 * @returns `null` for an address without a cart.
 */
export function readCart(search: string): WantedLine[] | null {
  const text = new URLSearchParams(search).get('cart')
  if (text === null) return null
  return text.split(',').slice(0, LINES_MAX).flatMap(readLine)
}

function readLine(text: string): WantedLine[] {
  const match = /^([A-Za-z0-9_-]{1,64})(?::(\d{1,2}))?$/.exec(text.trim())
  const [, variantId, digits] = match ?? []
  const quantity = Number(digits ?? 1)
  if (variantId === undefined || quantity < 1 || quantity > QUANTITY_MAX) return []
  return [{ variantId, quantity }]
}
