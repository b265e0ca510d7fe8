import {
  type Contract,
  newPrice,
  type Price,
  PRICES_MAX,
  type Product,
  type Variant,
  VARIANTS_MAX,
} from '@tillwright/contract'
import { isDeepStrictEqual } from 'node:util'
import { changed, mergePatch } from '../changes/index.ts'
import type { Handlers, Reply, RequestContext, Write } from '../request-context.ts'
import { ApiError, missing, requireUnarchived } from '../runtime/index.ts'
import { productAsItIs, productReply } from './change-products.ts'
import { inOpenStore, requireOpenStore } from './store-records.ts'
import { idsOfPrices, priceInserts, requireFreePrices, toPrice, toVariant, variantWrites } from './products.ts'

/** Variants, which are parts of their product and are changed by its revision. */
export const variants: Handlers<Contract['variants']> = {
  async create({ params: { productId }, body: { revision, ...sent } }, context) {
    const current = await productAsItIs(productId, context)
    requireUnarchived('product', current, 'productId')
    await requireOpenStore(current.storeId, context, 'productId')
    if (current.variants.length >= VARIANTS_MAX) throw tooMany('product', 'variants', VARIANTS_MAX)
    await requireFreePrices(idsOfPrices(sent.prices, ''), context)
    const variant = toVariant(sent, sent.default === true, context)
    const place = { accountId: context.caller.accountId, storeId: current.storeId, productId, path: '' }
    const next = withDefault([...current.variants, variant], variant)
    const writes = inOpenStore(variantWrites(variant, place), { storeId: current.storeId, param: 'productId' }, context)
    return reply(current, { revision, variants: next, writes }, context)
  },

  async update({ params: { productId, variantId }, body: { revision, ...patch } }, context) {
    const { current, variant } = await placeOf({ productId, variantId }, context)
    if (patch.default === true) requireUnarchived('variant', variant, 'default')
    // The operation's schema has made each field one that a variant can have; null removes the optional ones.
    const next = mergePatch(variant, patch) as Variant
    const { accountId } = context.caller
    const writes: Write[] = [
      {
        sql: 'UPDATE variants SET sku = ? WHERE account_id = ? AND id = ?',
        params: [next.sku ?? null, accountId, variantId],
        onRefused: () =>
          new ApiError('resource_exists', `Another variant of the store has the sku '${next.sku}'; it is unique.`, {
            param: 'sku',
          }),
      },
    ]
    const all = current.variants.map((each) => (each.id === variantId ? next : each))
    return reply(current, { revision, variants: withDefault(all, next), writes }, context)
  },

  archive: async (request, context) => moveVariant(true, request, context),
  unarchive: async (request, context) => moveVariant(false, request, context),
}

/** Prices, which are parts of their variant and are changed by the product's revision. */
export const prices: Handlers<Contract['prices']> = {
  async create({ params, body: { revision, replaces, ...sent } }, context) {
    const { current, variant } = await placeOf(params, context)
    requireUnarchived('product', current, 'productId')
    requireUnarchived('variant', variant, 'variantId')
    await requireOpenStore(current.storeId, context, 'productId')
    if (variant.prices.length >= PRICES_MAX) throw tooMany('variant', 'prices', PRICES_MAX)
    await requireFreePrices(sent.id === undefined ? [] : [{ id: sent.id, param: 'id' }], context)
    const replaced = replaces === undefined ? null : requirePrice(variant, replaces, 'replaces')
    const price = toPrice(sent, sent.default === true || replaced?.default === true, context)
    const kept = variant.prices.map((each) => (each.id === replaces ? { ...each, archived: true } : each))
    const next = { ...variant, prices: withDefault([...kept, price], price) }
    const insert = priceInserts(next.id, [price], { accountId: context.caller.accountId, param: 'id' })
    const writes = inOpenStore([insert], { storeId: current.storeId, param: 'productId' }, context)
    return reply(current, { revision, variants: replacing(current, next), writes }, context)
  },

  async update({ params, body: { revision, ...patch } }, context) {
    const { current, variant, price } = await placeOfPrice(params, context)
    if (patch.default === true) requireUnarchived('price', price, 'default')
    const next = patched(price, patch)
    const writes = isDeepStrictEqual(termsOf(next), termsOf(price)) ? [] : [requireUnsold(price.id, context)]
    const all = variant.prices.map((each) => (each.id === price.id ? next : each))
    const changedVariant = { ...variant, prices: withDefault(all, next) }
    return reply(current, { revision, variants: replacing(current, changedVariant), writes }, context)
  },

  archive: async (request, context) => movePrice(true, request, context),
  unarchive: async (request, context) => movePrice(false, request, context),
}

interface VariantParams {
  productId: string
  variantId: string
}

interface PriceParams extends VariantParams {
  priceId: string
}

async function placeOf(
  { productId, variantId }: VariantParams,
  context: RequestContext,
): Promise<{ current: Product; variant: Variant }> {
  const current = await productAsItIs(productId, context)
  const variant = current.variants.find(({ id }) => id === variantId)
  const place = `in the product '${productId}'`
  if (variant === undefined) throw missing('variant', variantId, { param: 'variantId', place })
  return { current, variant }
}

async function placeOfPrice(params: PriceParams, context: RequestContext) {
  const place = await placeOf(params, context)
  return { ...place, price: requirePrice(place.variant, params.priceId, 'priceId') }
}

function requirePrice(variant: Variant, priceId: string, param: string): Price {
  const price = variant.prices.find(({ id }) => id === priceId)
  if (price === undefined) throw missing('price', priceId, { param, place: `of the variant '${variant.id}'` })
  return price
}

interface Archiving<Params> {
  params: Params
  body: { revision?: number | undefined }
}

async function moveVariant(
  archived: boolean,
  { params, body: { revision } }: Archiving<VariantParams>,
  context: RequestContext,
): Promise<Reply<Product>> {
  const { current, variant } = await placeOf(params, context)
  if (archived && variant.default) throw isDefault('variant', variant.id)
  return reply(current, { revision, variants: replacing(current, { ...variant, archived }), writes: [] }, context)
}

async function movePrice(
  archived: boolean,
  { params, body: { revision } }: Archiving<PriceParams>,
  context: RequestContext,
): Promise<Reply<Product>> {
  const { current, variant, price } = await placeOfPrice(params, context)
  if (archived && price.default) throw isDefault('price', price.id)
  const moved = variant.prices.map((each) => (each.id === price.id ? { ...each, archived } : each))
  const next = replacing(current, { ...variant, prices: moved })
  return reply(current, { revision, variants: next, writes: [] }, context)
}

function reply(
  current: Product,
  { writes, ...sent }: { revision: number | undefined; variants: Variant[]; writes: readonly Write[] },
  context: RequestContext,
): Reply<Product> {
  return productReply(current, changed({ what: 'product', current, sent }, context), { context, writes })
}

function replacing({ variants: all }: Product, next: Variant): Variant[] {
  return all.map((each) => (each.id === next.id ? next : each))
}

/** If the chosen entry is the default, the others are not. */
function withDefault<Entry extends { id: string; default: boolean }>(all: readonly Entry[], chosen: Entry): Entry[] {
  return chosen.default ? all.map((each) => ({ ...each, default: each.id === chosen.id })) : [...all]
}

/** @throws {ApiError} `parameter_invalid` if the price would not be one that can be created. */
function patched(price: Price, patch: Readonly<Record<string, unknown>>): Price {
  const { id, archived } = price
  const { interval = null, ...merged } = mergePatch({ ...price, id: undefined }, patch)
  const read = newPrice.safeParse({ ...merged, interval })
  if (!read.success) {
    const [issue] = read.error.issues
    const param = issue?.path.join('.') ?? ''
    throw new ApiError('parameter_invalid', `${param} ${issue?.message ?? 'is invalid'}.`, { param })
  }
  return { ...toPrice({ ...read.data, id }, read.data.default === true, { newId: () => id }), archived }
}

function termsOf({ currencyOptions, recurring, billingTiming, interval, intervalCount, trialDays }: Price) {
  return { currencyOptions, recurring, billingTiming, interval, intervalCount, trialDays }
}

/** The guard that no order has named the price, also at this moment. */
function requireUnsold(priceId: string, { caller: { accountId } }: RequestContext): Write {
  const message = `The price '${priceId}' has been sold and keeps its terms; add a price with replaces: "${priceId}" in its place.`
  return {
    sql: 'UPDATE prices SET sold = 0 WHERE account_id = ? AND id = ? AND sold = 0',
    params: [accountId, priceId],
    expect: 1,
    onRefused: () => new ApiError('state_conflict', message, { param: 'priceId' }),
  }
}

function isDefault(what: 'variant' | 'price', id: string): ApiError {
  const message = `The ${what} '${id}' is the default; make another one the default first.`
  return new ApiError('state_conflict', message, { param: `${what}Id` })
}

function tooMany(whole: string, parts: string, max: number): ApiError {
  const message = `The ${whole} has ${max} ${parts}, archived ones included, which is the most that it can have.`
  return new ApiError('state_conflict', message, { param: `${whole}Id` })
}
