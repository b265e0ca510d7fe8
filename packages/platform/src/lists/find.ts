import type { IdPrefix } from '@tillwright/contract'
import type { Database } from '../storage/index.ts'
import type { Condition } from './list.ts'
import { amountAlternatives, cardAlternatives, findByWords, findIdsFrom } from './search.ts'

/**
 * Results of a search: an entry meets all conditions of one of the alternatives. Each alternative has a leading
 * condition with an index of its own, or names ids.
 */
export type Alternatives = readonly (readonly Condition[])[]

/** The table that is searched. */
export interface SearchedTable {
  table: string
  accountId: string
  db: Database
}

/** Of how many customers a search shows what is theirs, the newest first. */
const CUSTOMERS_MAX = 20

/** Finds resources that have a name, by its words or by the beginning of their id. */
export async function findNamed(text: string, place: SearchedTable & { resource: IdPrefix }): Promise<Alternatives> {
  const [byWords, byId] = await Promise.all([findByWords(text, place), findIdsFrom(text, 'id', place)])
  return amongIds([...byWords, ...byId])
}

/** Finds resources by the beginning of their own id, or of another that they name. */
export async function findByIds(
  text: string,
  place: SearchedTable & { columns: readonly string[] },
): Promise<Alternatives> {
  const found = await Promise.all(place.columns.map((column) => findIdsFrom(text, column, place)))
  return amongIds(found.flat())
}

/** Finds resources of customers, by the customer's words and by the beginning of the ids. */
export async function findOfCustomers(
  text: string,
  place: SearchedTable,
  columns: readonly string[] = ['id', 'customer_id'],
): Promise<Alternatives> {
  const [byIds, customers] = await Promise.all([
    findByIds(text, { ...place, columns }),
    findByWords(text, { ...place, resource: 'cus' }),
  ])
  const newest = customers.toSorted().toReversed().slice(0, CUSTOMERS_MAX)
  return [...byIds, ...newest.map((id): Condition[] => [{ column: 'customer_id', is: '=', value: id }])]
}

/** Orders: also by their amount. */
export async function findOrdered(text: string, place: SearchedTable): Promise<Alternatives> {
  return [...(await findOfCustomers(text, place)), ...amountAlternatives(text)]
}

/** Payments: also by their amount, their card and their order. */
export async function findPaid(text: string, place: SearchedTable): Promise<Alternatives> {
  const ofCustomers = await findOfCustomers(text, place, ['id', 'customer_id', 'order_id'])
  return [...ofCustomers, ...amountAlternatives(text), ...cardAlternatives(text)]
}

/** These ids, or nothing. */
function amongIds(ids: readonly string[]): Alternatives {
  return ids.length === 0 ? [] : [[{ column: 'id', is: 'in', value: [...new Set(ids)] }]]
}
