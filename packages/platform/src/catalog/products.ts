import {
  type Contract,
  currencyExponent,
  type NewProduct,
  type NewProductInput,
  type Price,
  type Product,
  type Variant,
} from '@tillwright/contract'
import { emit } from '../events/index.ts'
import { equalTo, findNamed, indexWords, type ListTable, readList } from '../lists/index.ts'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing, taken } from '../runtime/index.ts'
import { pick, rawJson, readByIds, rowReader } from '../storage/index.ts'
import { productChanges, searchedTexts } from './change-products.ts'
import { whyNotOpen } from './store-records.ts'
import { pricesTable, productsTable } from './tables.ts'

/** Source: reference, "POST /products/create" and "GET /products/{productId}"; the list is not in the reference. */
export const products: Handlers<Contract['products']> = {
  ...productChanges,

  async create({ body }, context) {
    await requireFreePrices(
      body.variants.flatMap(({ prices }, index) => idsOfPrices(prices, `variants[${index}].`)),
      context,
    )
    const { productId, writes } = productWrites(body, context)
    return { body: { success: true, message: 'The product was created.', productId }, writes }
  },

  async get({ params: { productId } }, { caller, services }) {
    const sql = 'SELECT resource, revision FROM products WHERE account_id = ? AND id = ?'
    const [row] = readRawProducts(await services.db.read(sql, [caller.accountId, productId]))
    if (row === undefined) throw missing('product', productId)
    return { rawJson: row.resource, revision: row.revision }
  },

  async list({ query }, { caller: { accountId }, services: { db } }) {
    const { storeId, active, archived = false, q } = query
    const filters = [...equalTo('store_id', storeId), ...equalTo('active', active), ...equalTo('archived', archived)]
    const anyOf = q === undefined ? null : await findNamed(q, { table: 'products', resource: 'product', accountId, db })
    return { body: await readList(productList, { accountId, query, filters, anyOf }, db) }
  },
}

const productList: ListTable<Product> = {
  table: 'products',
  orderedBy: 'created_at',
  indexed: ['store_id', 'archived'],
  read: async (ids, accountId, db) =>
    (await readByIds(productsTable, { table: 'products', ids, accountId }, db)).map(({ resource }) => resource),
}

const readRawProducts = rowReader({ ...pick(productsTable, 'revision'), resource: rawJson(productsTable.resource) })

/** The statements that record a product, its variants and its event. The first one's guard is that the store is open. */
export function productWrites(body: NewProduct, context: RequestContext): { productId: string; writes: Write[] } {
  const product = toProduct(body, context)
  const { accountId } = context.caller
  const { id, storeId } = product
  const writes: Write[] = [
    {
      sql: `INSERT INTO products (account_id, id, store_id, active, archived, revision, resource, created_at)
        SELECT ?, ?, id, CAST(? AS BIGINT), 0, 1, ?, CAST(? AS BIGINT) FROM stores
        WHERE account_id = ? AND id = ? AND archived = 0`,
      params: [accountId, id, Number(product.active), JSON.stringify(product), context.nowMs, accountId, storeId],
      expect: 1,
      onRefused: (reason) => (reason === 'duplicate' ? taken('product', id) : whyNotOpen(storeId, context)),
    },
    ...product.variants.flatMap((variant, index) =>
      variantWrites(variant, { accountId, storeId, productId: id, path: `variants[${index}].` }),
    ),
    ...indexWords({ accountId, resource: 'product', id }, searchedTexts(product)),
    ...emit('s_product_created', { storeId, properties: { productId: id, name: product.name } }, context),
  ]
  return { productId: id, writes }
}

interface VariantPlace {
  accountId: string
  storeId: string
  productId: string
  /** Where the variant is in the request: '' or `variants[0].`. */
  path: string
}

/** The statements that record a variant and its prices. */
export function variantWrites(variant: Variant, { accountId, storeId, productId, path }: VariantPlace): Write[] {
  const written: Write = {
    sql: 'INSERT INTO variants (account_id, id, store_id, product_id, sku) VALUES (?, ?, ?, ?, ?)',
    params: [accountId, variant.id, storeId, productId, variant.sku ?? null],
    onRefused: () =>
      new ApiError(
        'resource_exists',
        `A variant of this store has the id '${variant.id}' or the same sku; both are unique.`,
        { param: `${path}${variant.sku === undefined ? 'id' : 'sku'}` },
      ),
  }
  return [written, priceInserts(variant.id, variant.prices, { accountId, param: `${path}prices` })]
}

/** The statement that records prices of a variant. */
export function priceInserts(
  variantId: string,
  prices: readonly Price[],
  { accountId, param }: { accountId: string; param: string },
): Write {
  return {
    sql: `INSERT INTO prices (account_id, id, variant_id, sold) VALUES ${prices.map(() => '(?, ?, ?, 0)').join(', ')}`,
    params: prices.flatMap(({ id }) => [accountId, id, variantId]),
    // Only another request at the same time: those that were there before have been looked for.
    onRefused: () => priceTaken(param),
  }
}

/**
 * @param sent The ids that callers have chosen, with the parameters that they stand in.
 * @throws {ApiError} `resource_exists` for a price's id that the account has already, or that is sent twice.
 */
export async function requireFreePrices(
  sent: readonly { id: string; param: string }[],
  { caller, services }: RequestContext,
): Promise<void> {
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
  const now = new Date(context.nowMs).toISOString()
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
    archived: false,
    createdAt: now,
    revision: 1,
    updatedAt: now,
  }
}

/** The ids that callers have chosen for the prices of a variant. */
export function idsOfPrices(prices: readonly { id?: string | undefined }[], path: string) {
  return prices.flatMap(({ id }, at) => (id === undefined ? [] : [{ id, param: `${path}prices[${at}].id` }]))
}

type Making = Pick<RequestContext, 'newId'>

/** A new variant, with ids for what came without one. */
export function toVariant(sent: NewProduct['variants'][number], isDefault: boolean, context: Making): Variant {
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
    archived: false,
    prices: sent.prices.map((price, index) => toPrice(price, index === defaultPrice, context)),
  }
}

/** A new price. */
export function toPrice(
  sent: NewProduct['variants'][number]['prices'][number],
  isDefault: boolean,
  { newId }: Making,
): Price {
  return {
    ...sent,
    id: sent.id ?? newId('price'),
    currencyOptions: Object.fromEntries(
      Object.entries(sent.currencyOptions).map(([code, { amount }]) => [code, { amount, currency: code }]),
    ),
    default: isDefault,
    archived: false,
  }
}

/**
 * Sample products for a new store: two that show variants, and a recurring price.
 *
 * @param currencies In which they are sold, for as many units of each.
 */
export function demoProducts(storeId: string, currencies: readonly string[]): NewProductInput[] {
  const price = (units: number) => ({
    currencyOptions: Object.fromEntries(
      currencies.map((currency) => [currency, { amount: units * 10 ** (currencyExponent(currency) ?? 2) }]),
    ),
  })
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
