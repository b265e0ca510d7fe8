import {
  type Contract,
  currencyExponent,
  newShippingOptions,
  type NewShippingOptions,
  type NewShippingOptionsInput,
  type SessionShipping,
  type ShippingOption,
} from '@tillwright/contract'
import { emit } from '../events/index.ts'
import type { RequestContext, Handlers, Write } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { type Database, nullable, rowReader } from '../storage/index.ts'
import { inOpenStore, requireOpenStore } from './store-records.ts'
import { shippingOptionsTable } from './tables.ts'

/** Handlers of a store's shipping options, outside the public API. */
export const shippingOptions: Handlers<Contract['shippingOptions']> = {
  async list({ params: { storeId } }, { caller, services }) {
    const options = await findShippingOptions(storeId, caller.accountId, services.db)
    if (options === null) throw missing('store', storeId, 'storeId')
    return { body: { storeId, shippingOptions: options } }
  },

  async set({ params: { storeId }, body }, context) {
    await requireOpenStore(storeId, context)
    const options = toOptions(body, context)
    const former = await findShippingOptions(storeId, context.caller.accountId, context.services.db)
    const events = emit('s_shipping_options_updated', { storeId, properties: { storeId } }, context)
    return {
      body: { storeId, shippingOptions: options },
      writes: inOpenStore([setWrite({ storeId, options }, context), ...events], { storeId }, context),
      change: { before: { storeId, shippingOptions: former } },
    }
  },
}

/** The shipping options of a store in the merchant's order; `null` for a store that the account does not have. */
export async function findShippingOptions(
  storeId: string,
  accountId: string,
  db: Database,
): Promise<ShippingOption[] | null> {
  const [row] = readOptions(await db.read(selectOptions, [accountId, storeId]))
  return row === undefined ? null : (row.options ?? [])
}

const selectOptions = `SELECT o.options FROM stores s
  LEFT JOIN shipping_options o ON o.account_id = s.account_id AND o.store_id = s.id
  WHERE s.account_id = ? AND s.id = ?`
const readOptions = rowReader({ options: nullable(shippingOptionsTable.options) })

/** The statement that gives a demo store its options: a free one first, so that a demo costs what its goods cost. */
export function demoShippingWrite(
  { storeId, currency }: { storeId: string; currency: string },
  context: RequestContext,
): Write {
  const costing = (units: number) =>
    Object.fromEntries(
      [currency, 'USD', 'EUR', 'GBP'].map((code) => [code, { amount: units * 10 ** (currencyExponent(code) ?? 2) }]),
    )
  const demo: NewShippingOptionsInput = {
    shippingOptions: [
      { name: 'Standard', description: '3 to 5 days', currencyOptions: costing(0) },
      { name: 'Express', description: 'Tomorrow', currencyOptions: costing(12) },
    ],
  }
  return setWrite({ storeId, options: toOptions(newShippingOptions.parse(demo), context) }, context)
}

function setWrite(
  { storeId, options }: { storeId: string; options: readonly ShippingOption[] },
  context: RequestContext,
): Write {
  const { accountId } = context.caller
  return {
    sql: `INSERT INTO shipping_options (account_id, store_id, options) SELECT ?, id, ? FROM stores
      WHERE account_id = ? AND id = ?
      ON CONFLICT (account_id, store_id) DO UPDATE SET options = excluded.options`,
    params: [accountId, JSON.stringify(options), accountId, storeId],
    expect: 1,
    onRefused: () => missing('store', storeId, 'storeId'),
  }
}

function toOptions({ shippingOptions: sent }: NewShippingOptions, context: RequestContext): ShippingOption[] {
  return sent.map((option) => ({ ...option, id: option.id ?? context.newId('ship') }))
}

/** The properties of a shipment that determine its options. */
export interface Shipment {
  currency: string
  /** ISO 3166-1 alpha-2; `null` until the buyer provides it. */
  country: string | null
  /** Price of the goods paid for now, before discounts, in minor units. */
  goodsAmount: number
  /** The option used by an earlier order of the session to the same address, or `null`. */
  shippedWithId: string | null
}

/** An option with what it costs for a shipment. */
export type PricedOption = SessionShipping['options'][number]

/**
 * The options that a shipment may go with, each with its price. One that is limited to countries does not fit as long as
 * no country is known.
 */
export function fittingOptions(
  options: readonly ShippingOption[],
  { currency, country, goodsAmount, shippedWithId }: Shipment,
): PricedOption[] {
  return options.flatMap((option) => {
    const { id, name, description, countries } = option
    const cost = option.currencyOptions[currency]
    const leadsThere = countries.length === 0 || (country !== null && countries.includes(country))
    if (cost === undefined || !leadsThere) return []
    const isFree =
      (cost.freeFrom !== null && goodsAmount >= cost.freeFrom) || (option.isFreeForNextOrders && id === shippedWithId)
    return [{ id, name, description, amount: isFree ? 0 : cost.amount }]
  })
}
