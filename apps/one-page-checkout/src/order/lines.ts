import type { WantedLine } from '@tillwright/plugin-sdk'
import type { Settings } from '../look/settings.ts'

/** A product as the settings name it. */
export type Product = Settings['products'][number]

/** The initial lines of an order, from the settings. */
export function linesOfProducts(products: readonly Product[]): WantedLine[] {
  return products.flatMap(({ variantId, quantity = 1 }) => (quantity > 0 ? [{ variantId, quantity }] : []))
}
