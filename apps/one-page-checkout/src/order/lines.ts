import type { OrderLine, SessionOrder, WantedLine } from '@tillwright/plugin-sdk'
import type { Settings } from '../look/settings.ts'

/** A product or a way of shipping as the settings name it. */
export type Product = Settings['products'][number]
export type ShippingWay = Settings['shipping'][number]

/** The lines of an order, parted into what is bought and what brings it. */
export interface PartedLines {
  goods: readonly OrderLine[]
  /** The line of the way of shipping, or `null` for a way that is free. */
  shipping: OrderLine | null
}

/** Parts the lines of an order: shipping is what one of the ways is charged as. */
export function partLines(order: Pick<SessionOrder, 'lines'>, ways: readonly ShippingWay[]): PartedLines {
  const isShipping = ({ variantId }: OrderLine): boolean => ways.some((way) => way.variantId === variantId)
  return {
    goods: order.lines.filter((line) => !isShipping(line)),
    shipping: order.lines.find(isShipping) ?? null,
  }
}

/** What the order has to be told for a way of shipping: its goods as they are, and the line of the way. */
export function linesWithWay({ goods }: PartedLines, way: ShippingWay | null): WantedLine[] {
  return [...goods.filter(isBought).map(wantedOf), ...lineOfWay(way)]
}

/** The line that a way of shipping is charged as: none for a free one. */
export function lineOfWay(way: ShippingWay | null): WantedLine[] {
  const variantId = way?.variantId ?? ''
  return variantId === '' ? [] : [{ variantId, quantity: 1 }]
}

/** What the settings sell from the start. */
export function linesOfProducts(products: readonly Product[]): WantedLine[] {
  return products.flatMap(({ variantId, quantity = 1 }) => (quantity > 0 ? [{ variantId, quantity }] : []))
}

/** Gifts come by themselves. */
function isBought({ promotionId }: OrderLine): boolean {
  return promotionId === null
}

function wantedOf({ variantId, priceId, quantity }: OrderLine): WantedLine {
  return { variantId, priceId, quantity }
}
