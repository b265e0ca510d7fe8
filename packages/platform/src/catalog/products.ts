import {
  type Contract,
  currencyExponent,
  type NewProduct,
  type NewProductInput,
  type Product,
  type Variant,
} from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readByIds, readList } from '../lists/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { ApiError, missing, taken } from '../runtime/index.ts'
import { type Database, pick, rawJson, rowReader } from '../storage/index.ts'
import { pricesTable, productsTable, variantsTable } from './tables.ts'

/** Source: reference, "POST /products/create" and "GET /products/{productId}"; the list is not in the reference. */
export const products: Handlers<Contract['products']> = {
  async create({ body }, context) {
    await requireFreePrices(body, context)
    const { productId, writes } = productWrites(body, context)
    return { body: { success: true, message: 'The product was created.', productId }, writes }
  },

  async get({ params: { productId } }, { caller, services }) {
    const sql = 'SELECT resource FROM products WHERE account_id = ? AND id = ?'
    const [row] = readRawProducts(await services.db.read(sql, [caller.accountId, productId]))
    if (row === undefined) throw missing('product', productId)
    return { rawJson: row.resource }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, active, q } = query
    const filters = [...equalTo('store_id', storeId), ...equalTo('active', active)]
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'products', resource: 'product', accountId, db })
    return { body: await readList(productList, { accountId, query, filters, anyOf }, db) }
  },
}

const productList: ListTable<Product> = {
  table: 'products',
  orderedBy: 'created_at',
  indexed: ['store_id'],
  read: async (ids, accountId, db) =>
    (await readByIds(productsTable, { table: 'products', ids, accountId }, db)).map(({ resource }) => resource),
}

const readRawProducts = rowReader({ resource: rawJson(productsTable.resource) })

/** The statements that record a product, its variants and its event. The first one's guard is that the store exists. */
export function productWrites(body: NewProduct, context: RequestContext): { productId: string; writes: Write[] } {
  const product = toProduct(body, context)
  const { accountId } = context.caller
  const { id, storeId } = product
  const writes: Write[] = [
    {
      sql: `INSERT INTO products (account_id, id, store_id, active, resource, created_at)
        SELECT ?, ?, id, CAST(? AS BIGINT), ?, CAST(? AS BIGINT) FROM stores WHERE account_id = ? AND id = ?`,
      params: [accountId, id, Number(product.active), JSON.stringify(product), context.nowMs, accountId, storeId],
      expect: 1,
      onRefused: (reason) => (reason === 'expectation' ? missing('store', storeId, 'storeId') : taken('product', id)),
    },
    ...product.variants.flatMap((variant, index) =>
      variantWrites(variant, { accountId, storeId, productId: id, index }),
    ),
    ...indexWords({ accountId, resource: 'product', id }, [product.name, ...product.variants.map(({ sku }) => sku)]),
    ...emit('s_product_created', { storeId, properties: { productId: id, name: product.name } }, context),
  ]
  return { productId: id, writes }
}

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

interface VariantPlace {
  accountId: string
  storeId: string
  productId: string
  index: number
}

function variantWrites(variant: Variant, { accountId, storeId, productId, index }: VariantPlace): Write[] {
  const written: Write = {
    sql: 'INSERT INTO variants (account_id, id, store_id, product_id, sku) VALUES (?, ?, ?, ?, ?)',
    params: [accountId, variant.id, storeId, productId, variant.sku ?? null],
    onRefused: () =>
      new ApiError(
        'resource_exists',
        `A variant of this store has the id '${variant.id}' or the same sku; both are unique.`,
        {
          param: `variants[${index}].${variant.sku === undefined ? 'id' : 'sku'}`,
        },
      ),
  }
  const prices: Write = {
    sql: `INSERT INTO prices (account_id, id, variant_id) VALUES ${variant.prices.map(() => '(?, ?, ?)').join(', ')}`,
    params: variant.prices.flatMap(({ id }) => [accountId, id, variant.id]),
    // Only another request at the same time: those that were there before have been looked for.
    onRefused: () => priceTaken(`variants[${index}].prices`),
  }
  return [written, prices]
}

/** @throws {ApiError} `resource_exists` for a price's id that the account has already, or that is sent twice. */
async function requireFreePrices({ variants }: NewProduct, { caller, services }: RequestContext): Promise<void> {
  const sent = variants.flatMap(({ prices }, index) =>
    prices.flatMap(({ id }, at) => (id === undefined ? [] : [{ id, param: `variants[${index}].prices[${at}].id` }])),
  )
  if (sent.length === 0) return
  const marks = sent.map(() => '?').join(', ')
  const sql = `SELECT id FROM prices WHERE account_id = ? AND id IN (${marks})`
  const rows = readPrices(await services.db.read(sql, [caller.accountId, ...sent.map(({ id }) => id)]))
  const known = new Set(rows.map(({ id }) => id))
  for (const { id, param } of sent) {
    if (known.has(id)) throw priceTaken(param, id)
    known.add(id)
  }
}

const readPrices = rowReader(pick(pricesTable, 'id'))

function priceTaken(param: string, id?: string): ApiError {
  const which = id === undefined ? 'A price with one of these ids' : `The price '${id}'`
  const message = `${which} exists already in this account; send another id, or none.`
  return new ApiError('resource_exists', message, { param })
}

function toProduct(body: NewProduct, context: RequestContext): Product {
  const defaultVariant = Math.max(
    0,
    body.variants.findIndex((variant) => variant.default === true),
  )
  return {
    id: body.id ?? context.newId('product'),
    storeId: body.storeId,
    name: body.name,
    description: body.description ?? null,
    unitLabel: body.unitLabel ?? null,
    accountingCode: body.accountingCode ?? null,
    taxCategory: body.taxCategory ?? null,
    active: body.active,
    isShippable: body.isShippable,
    isTaxable: body.isTaxable,
    autoSync: body.autoSync,
    variants: body.variants.map((variant, index) => toVariant(variant, index === defaultVariant, context)),
  }
}

function toVariant(sent: NewProduct['variants'][number], isDefault: boolean, context: RequestContext): Variant {
  const defaultPrice = Math.max(
    0,
    sent.prices.findIndex((price) => price.default === true),
  )
  const { sku, imageUrl, ...fields } = sent
  return {
    ...fields,
    ...(sku !== null && { sku }),
    ...(imageUrl !== null && { imageUrl }),
    id: sent.id ?? context.newId('variant'),
    default: isDefault,
    prices: sent.prices.map((price, index) => ({
      ...price,
      id: price.id ?? context.newId('price'),
      currencyOptions: Object.fromEntries(
        Object.entries(price.currencyOptions).map(([code, { amount }]) => [code, { amount, currency: code }]),
      ),
      default: index === defaultPrice,
      offeredToPages: price.offeredToPages || index === defaultPrice,
    })),
  }
}

/**
 * Sample products for a new store: two that show variants, and a recurring price.
 *
 * @param currency The store's base currency.
 */
export function demoProducts(storeId: string, currency: string): NewProductInput[] {
  const major = 10 ** (currencyExponent(currency) ?? 2)
  const price = (units: number) => ({ currencyOptions: { [currency]: { amount: units * major } } })
  return [
    {
      storeId,
      name: 'Canvas tote',
      description: 'A sturdy bag of undyed organic canvas, made to be filled.',
      isShippable: true,
      isTaxable: true,
      variants: [
        { name: 'Natural', grams: 320, default: true, prices: [price(24)] },
        { name: 'Night blue', grams: 320, prices: [price(26)] },
        { name: 'Large, natural', grams: 450, prices: [price(34)] },
      ],
    },
    {
      storeId,
      name: 'Coffee club',
      description: 'A fresh bag of beans on the first of each month.',
      isShippable: true,
      variants: [{ name: 'Monthly', prices: [{ ...price(15), recurring: true, interval: 'month' }] }],
    },
  ]
}
