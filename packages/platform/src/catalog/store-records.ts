import type { Store } from '@tillwright/contract'
import type { RequestContext, Write } from '../request-context.ts'
import { ApiError, missing, requireUnarchived } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { storesTable } from './tables.ts'

/** A store as far as others need it. */
type KnownStore = Pick<
  Store,
  'id' | 'name' | 'archived' | 'selectedPaymentFlowId' | 'syncLocale' | 'customThankYouUrl'
> &
  StoreCurrencies

/** The part of a call that a store is looked up with. */
interface Asking {
  caller: Pick<RequestContext['caller'], 'accountId'>
  services: Pick<RequestContext['services'], 'db'>
}

/**
 * A store of the account.
 *
 * @param param The parameter that names it.
 * @throws {ApiError} `resource_missing`.
 */
export async function requireStore(
  storeId: string,
  { caller, services }: Asking,
  param = 'storeId',
): Promise<KnownStore> {
  const store = await findStore(storeId, caller.accountId, services.db)
  if (store === null) throw missing('store', storeId, param)
  return store
}

/**
 * A store of the account in which something new may begin.
 *
 * @param param The parameter that names it, or what belongs to it.
 * @throws {ApiError} `resource_missing`; `state_conflict` for an archived one.
 */
export async function requireOpenStore(storeId: string, asking: Asking, param = 'storeId'): Promise<KnownStore> {
  const store = await requireStore(storeId, asking, param)
  requireUnarchived('store', store, param)
  return store
}

/**
 * Why a write whose guard is an open store was refused: that the store is missing or archived. A write that is refused is
 * rare, so the store is read only then.
 *
 * @returns The error of `requireOpenStore`; `undefined` where the store is open again.
 */
export async function whyNotOpen(storeId: string, asking: Asking, param = 'storeId'): Promise<ApiError | undefined> {
  try {
    await requireOpenStore(storeId, asking, param)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/**
 * Guards a transaction that needs an open store: it is refused where the store was archived after `requireOpenStore`
 * has looked. The guard changes nothing, and holds an archiving off until the transaction is committed.
 *
 * @param place `param` as in `requireOpenStore`.
 * @returns The writes behind their guard; none for none.
 */
export function inOpenStore(
  writes: readonly Write[],
  { storeId, param }: { storeId: string; param?: string },
  asking: Asking,
): Write[] {
  if (writes.length === 0) return []
  const guard: Write = {
    sql: 'UPDATE stores SET archived = 0 WHERE account_id = ? AND id = ? AND archived = 0',
    params: [asking.caller.accountId, storeId],
    expect: 1,
    onRefused: () => whyNotOpen(storeId, asking, param),
  }
  return [guard, ...writes]
}

/** A store of the account, or `null`. */
export async function findStore(storeId: string, accountId: string, db: Database): Promise<KnownStore | null> {
  const sql = 'SELECT selected_payment_flow_id, resource FROM stores WHERE account_id = ? AND id = ?'
  const [row] = readStores(await db.read(sql, [accountId, storeId]))
  if (row === undefined) return null
  const { id, name, archived, baseCurrency, presentmentCurrencies, chargeCurrencies } = row.resource
  const { syncLocale, customThankYouUrl } = row.resource
  const currencies = { baseCurrency, presentmentCurrencies, chargeCurrencies }
  return {
    id,
    name,
    archived,
    selectedPaymentFlowId: row.selected_payment_flow_id,
    syncLocale,
    customThankYouUrl,
    ...currencies,
  }
}

const readStores = rowReader(pick(storesTable, 'selected_payment_flow_id', 'resource'))

/** The currencies that a store names: one code or several separated by commas, or `null`. */
type StoreCurrencies = Pick<Store, 'baseCurrency' | 'presentmentCurrencies' | 'chargeCurrencies'>

/** The currency that a store sells in unless a page names another; `null` for a store that names none. */
export function firstCurrency(store: StoreCurrencies | null): string | null {
  if (store === null) return null
  const base = store.baseCurrency
  const shown = listed(store.presentmentCurrencies) ?? listed(store.chargeCurrencies)
  if (shown === null || (base !== null && shown.includes(base))) return base
  return shown[0] ?? base
}

/** @throws {ApiError} `currency_unsupported` for a currency that the store does not charge cards in. */
export function requireCharged(store: Pick<Store, 'chargeCurrencies'>, currency: string): void {
  requireListed(listed(store.chargeCurrencies), currency, 'charges cards in')
}

/** @throws {ApiError} `currency_unsupported` for a currency that the store's pages may not show prices in. */
export function requirePresented(store: StoreCurrencies, currency: string): void {
  const { presentmentCurrencies, chargeCurrencies } = store
  requireListed(listed(presentmentCurrencies) ?? listed(chargeCurrencies), currency, 'shows prices in')
}

function requireListed(known: readonly string[] | null, currency: string, what: string): void {
  if (known === null || known.includes(currency)) return
  const message = `The store ${what} ${known.join(', ')}, not ${currency}; choose one of them.`
  throw new ApiError('currency_unsupported', message, { param: 'currency' })
}

function listed(currencies: string | null): readonly string[] | null {
  return currencies?.split(',').map((code) => code.trim()) ?? null
}
