import { api } from '../api/client.ts'
import { money } from '../language/values.ts'
import { allowedSections } from './navigation.ts'
import { text } from './text.ts'

/** Something that was found, or a page. */
export interface Find {
  title: string
  note: string
  /** Below `/console`. */
  path: string
}

/** How many of each kind are shown. */
const EACH = 4

type Search = (q: string, signal: AbortSignal) => Promise<readonly Find[]>

const searches: Readonly<Record<string, Search>> = {
  'payments.list': async (q, signal) => {
    const { data } = await api.payments.list({ q, limit: EACH }, { signal })
    return data.map(({ id, amount, currency }) => findIn('payments', id, money(amount, currency)))
  },
  'orders.list': async (q, signal) => {
    const { data } = await api.orders.list({ q, limit: EACH }, { signal })
    return data.map(({ id, buyer }) => findIn('orders', id, buyer?.email ?? ''))
  },
  'customers.list': async (q, signal) => {
    const { data } = await api.customers.list({ q, limit: EACH }, { signal })
    return data.map(({ id, email }) => findIn('customers', id, email ?? ''))
  },
  'products.list': async (q, signal) => {
    const { data } = await api.products.list({ q, limit: EACH }, { signal })
    return data.map(({ id, name }) => findIn('products', id, name))
  },
  'subscriptions.list': async (q, signal) => {
    const { data } = await api.subscriptions.list({ q, limit: EACH }, { signal })
    return data.map(({ id }) => findIn('subscriptions', id, ''))
  },
}

function findIn(
  page: 'payments' | 'orders' | 'customers' | 'products' | 'subscriptions',
  id: string,
  words: string,
): Find {
  return { title: words === '' ? id : `${words} · ${id}`, note: text(`page.${page}`), path: `/${page}/${id}` }
}

/**
 * Searches all kinds of things at once, each by its own list's search. A kind that cannot be searched just now has no finds.
 *
 * @param operations Those that the member may call.
 */
export async function searchEverything(
  q: string,
  operations: readonly string[],
  signal: AbortSignal,
): Promise<readonly Find[]> {
  const allowed = Object.entries(searches).filter(([name]) => operations.includes(name))
  const finds = await Promise.all(allowed.map(([, search]) => search(q, signal).catch(() => [])))
  return finds.flat()
}

/** The pages of the menu whose name has these letters. */
export function pagesNamed(typed: string, operations: readonly string[]): readonly Find[] {
  const letters = typed.trim().toLocaleLowerCase()
  return allowedSections(operations)
    .flatMap(({ pages }) => pages)
    .map(({ name, path }) => ({ title: text(`page.${name}`), note: text('pages'), path }))
    .filter(({ title }) => title.toLocaleLowerCase().includes(letters))
}

/** Of each member who uses this browser, for nobody else. */
const recentOf = (memberId: string) => `tillwright.recent.${memberId}`
const RECENT_MAX = 6

/** What the member has found before in this browser, the last first. Nothing but the address and the kind is kept: no names. */
export function recentFinds(memberId: string): readonly Find[] {
  const kept: unknown = JSON.parse(localStorage.getItem(recentOf(memberId)) ?? '[]')
  if (!Array.isArray(kept)) return []
  return kept
    .filter((path) => typeof path === 'string')
    .map((path) => ({ title: path.split('/').at(-1) ?? path, note: text('recent'), path }))
}

/** Keeps a find for the next time. Pages of the menu are there anyway. */
export function remember({ path }: Find, memberId: string): void {
  if (path.split('/').length < 3) return
  const paths = [path, ...recentFinds(memberId).map((find) => find.path)]
  localStorage.setItem(recentOf(memberId), JSON.stringify([...new Set(paths)].slice(0, RECENT_MAX)))
}
