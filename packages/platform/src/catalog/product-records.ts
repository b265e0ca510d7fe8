import type { Price, Product, Variant } from '@tillwright/contract'
import type { Write } from '../request-context.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { pricesTable, productsTable, variantsTable } from './tables.ts'

/** A variant with the product that it belongs to. */
export interface SoldVariant {
  product: Product
  variant: Variant
}

/** Finds variants of one store by their ids; an unknown one is absent from the map. */
export async function findVariants(
  variantIds: readonly string[],
  { storeId, accountId }: { storeId: string; accountId: string },
  db: Database,
): Promise<Map<string, SoldVariant>> {
  if (variantIds.length === 0) return new Map()
  const marks = variantIds.map(() => '?').join(', ')
  const rows = await db.read(
    `SELECT v.id, p.resource FROM variants v JOIN products p ON p.account_id = v.account_id AND p.id = v.product_id
      WHERE v.account_id = ? AND v.store_id = ? AND v.id IN (${marks})`,
    [accountId, storeId, ...variantIds],
  )
  const found = new Map<string, SoldVariant>()
  for (const { id: variantId, resource: product } of readVariants(rows)) {
    const variant = product.variants.find(({ id }) => id === variantId)
    if (variant !== undefined) found.set(variant.id, { product, variant })
  }
  return found
}

const readVariants = rowReader({ ...pick(variantsTable, 'id'), ...pick(productsTable, 'resource') })

/** A price with the variant and the product that it belongs to. */
export interface SoldPrice extends SoldVariant {
  price: Price
}

/** A price of one store by its id, or `null`. */
export async function findPrice(
  priceId: string,
  place: { storeId: string; accountId: string },
  db: Database,
): Promise<SoldPrice | null> {
  const rows = await db.read('SELECT variant_id FROM prices WHERE account_id = ? AND id = ?', [
    place.accountId,
    priceId,
  ])
  const [row] = readPrices(rows)
  if (row === undefined) return null
  const sold = (await findVariants([row.variant_id], place, db)).get(row.variant_id)
  const price = sold?.variant.prices.find(({ id }) => id === priceId)
  return sold === undefined || price === undefined ? null : { ...sold, price }
}

const readPrices = rowReader(pick(pricesTable, 'variant_id'))

/** Finds products of one store by their ids; an unknown one is absent from the map. */
export async function findProducts(
  productIds: readonly string[],
  { storeId, accountId }: { storeId: string; accountId: string },
  db: Database,
): Promise<Map<string, Product>> {
  if (productIds.length === 0) return new Map()
  const rows = await db.read(
    `SELECT id, resource FROM products
      WHERE account_id = ? AND store_id = ? AND id IN (${productIds.map(() => '?').join(', ')})`,
    [accountId, storeId, ...productIds],
  )
  return new Map(readProducts(rows).map(({ id, resource }) => [id, resource]))
}

const readProducts = rowReader(pick(productsTable, 'id', 'resource'))

/** The display name of an order line: the product, and its variant if there are several. */
export function soldName({ product, variant }: SoldVariant): string {
  return product.variants.length > 1 ? `${product.name}, ${variant.name}` : product.name
}

/** The statement that notes which prices an order has named: their terms do not change any more. */
export function soldPrices(lines: readonly { priceId: string }[], accountId: string): Write[] {
  const ids = [...new Set(lines.map(({ priceId }) => priceId))]
  if (ids.length === 0) return []
  const sql = `UPDATE prices SET sold = 1 WHERE account_id = ? AND id IN (${ids.map(() => '?').join(', ')}) AND sold = 0`
  return [{ sql, params: [accountId, ...ids] }]
}
