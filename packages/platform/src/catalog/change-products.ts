import type { Contract, Product } from '@tillwright/contract'
import { archiving, type Changed, changed, updateRow } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import { replaceWords } from '../lists/index.ts'
import { readByIds } from '../storage/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { productsTable } from './tables.ts'

/** Changes of products. */
export const productChanges: Handlers<Pick<Contract['products'], 'update' | 'archive' | 'unarchive'>> = {
  async update({ params: { productId }, body: sent }, context) {
    const current = await productAsItIs(productId, context)
    return productReply(current, changed({ what: 'product', current, sent }, context), { context })
  },

  async archive({ params: { productId }, body: sent }, context) {
    const current = await productAsItIs(productId, context)
    return productReply(current, archiving(true, { what: 'product', current, sent }, context), { context })
  },

  async unarchive({ params: { productId }, body: sent }, context) {
    const current = await productAsItIs(productId, context)
    return productReply(current, archiving(false, { what: 'product', current, sent }, context), { context })
  },
}

/** Texts by which a search finds a product: its name, and the SKUs of its variants. */
export function searchedTexts({ name, variants }: Product): (string | undefined)[] {
  return [name, ...variants.map(({ sku }) => sku)]
}

/** @throws {ApiError} `resource_missing`. */
export async function productAsItIs(id: string, { caller, services }: RequestContext): Promise<Product> {
  const sought = { table: 'products', ids: [id], accountId: caller.accountId }
  const [row] = await readByIds(productsTable, sought, services.db)
  if (row === undefined) throw missing('product', id, 'productId')
  return row.resource
}

/**
 * The reply to a change of a product or of its parts.
 *
 * @param how.writes Further writes, after that of the product.
 */
export function productReply(
  before: Product,
  change: Changed<Product> | null,
  { context, writes = [] }: { context: RequestContext; writes?: readonly Write[] },
): Reply<Product> {
  if (change === null) return { body: before }
  const after = change.resource
  const resource = { type: 'product', id: after.id }
  return { body: after, writes: [...changeWrites(change, context), ...writes], change: { resource, before, after } }
}

function changeWrites({ resource: product, fields }: Changed<Product>, context: RequestContext): Write[] {
  const { accountId } = context.caller
  const { id, storeId, name, active, archived, revision } = product
  const set = { active: Number(active), archived: Number(archived), resource: JSON.stringify(product) }
  const properties = { productId: id, name, archived, revision, changed: fields }
  return [
    ...updateRow('products', set, { accountId, resource: product }),
    ...replaceWords({ accountId, resource: 'product', id }, searchedTexts(product)),
    ...emit('s_product_updated', { storeId, properties }, context),
  ]
}
