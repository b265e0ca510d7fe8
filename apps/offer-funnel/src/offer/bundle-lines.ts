import type { SessionOrder, WantedLine } from '@tillwright/plugin-sdk'

/** A product in the settings. Empty ids mean none. */
export interface Sold {
  variantId: string
  priceId: string
}

/** The variant that is bought without anybody naming one: of an order that was put together elsewhere, as by a preview. */
export function knownVariant(orders: readonly (Pick<SessionOrder, 'lines'> | null)[]): string | null {
  return orders.flatMap((order) => order?.lines ?? []).find((line) => line.promotionId === null)?.variantId ?? null
}

/** The line of a bundle: its own variant once, else so many pieces of the product. `null` if no variant is set. */
export function bundleLine(bundle: Sold & { pieces: number }, product: Sold, known: string | null): WantedLine | null {
  if (bundle.variantId !== '') return lineOf(bundle, 1)
  if (product.variantId !== '') return lineOf(product, bundle.pieces)
  return known === null ? null : { variantId: known, quantity: bundle.pieces }
}

/**
 * The line of what one click adds.
 *
 * @param standIn The variant used where none is set: a preview's, because a buyer must not get something
 *   else than the page says. `null` for none.
 */
export function addOnLine(addOn: Sold & { quantity: number }, standIn: string | null): WantedLine | null {
  if (addOn.variantId !== '') return lineOf(addOn, addOn.quantity)
  return standIn === null ? null : { variantId: standIn, quantity: addOn.quantity }
}

/** Whether an order is for exactly one line. */
export function isFor(order: Pick<SessionOrder, 'lines'> | null, line: WantedLine | null): boolean {
  const bought = order?.lines.filter(({ promotionId }) => promotionId === null) ?? []
  const [first] = bought
  if (line === null || first === undefined || bought.length > 1) return false
  const isSamePrice = line.priceId === undefined || line.priceId === first.priceId
  return first.variantId === line.variantId && isSamePrice && first.quantity === (line.quantity ?? 1)
}

function lineOf({ variantId, priceId }: Sold, quantity: number): WantedLine {
  return { variantId, quantity, ...(priceId !== '' && { priceId }) }
}
