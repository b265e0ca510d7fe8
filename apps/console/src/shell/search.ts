import { api } from '../api/client.ts'
import { allowedSections } from './navigation.ts'
import { paymentTitle } from './titles.ts'
import { text } from './text.ts'

/** Something that was found, or a page. */
export interface Find {
  title: string
  note: string
  /** Below `/console`. */
  path: string
  /** The dialog that its page opens at once. */
  asks?: string
}

/** How many of each kind are shown. */
const EACH = 4

type Search = (q: string, signal: AbortSignal) => Promise<readonly Find[]>

const searches = {
  'payments.list': async (q, signal) => {
    const { data } = await api.payments.list({ q, limit: EACH }, { signal })
    return data.map((payment) => findIn('payments', payment.id, paymentTitle(payment)))
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
} satisfies Readonly<Record<string, Search>>

/** Lists that the platform does not search: an account has few of these. */
const shortLists = {
  'apiKeys.list': async (q, signal) => {
    const { data } = await api.apiKeys.list({ limit: 100 }, { signal })
    return data.map(({ id, name, shown }) => findIn('keys', id, name ?? shown)).filter(isNamed(q))
  },
  'webhookEndpoints.list': async (q, signal) => {
    const { data } = await api.webhookEndpoints.list({ limit: 100 }, { signal })
    return data.map(({ id, url }) => findIn('webhooks', id, url)).filter(isNamed(q))
  },
} satisfies Readonly<Record<string, Search>>

/** The lists in which things are found. */
export type SearchedList = keyof typeof searches | keyof typeof shortLists

function isNamed(q: string): (find: Find) => boolean {
  const letters = q.toLocaleLowerCase()
  return ({ title }) => title.toLocaleLowerCase().includes(letters)
}

function findIn(
  page: 'payments' | 'orders' | 'customers' | 'products' | 'subscriptions' | 'keys' | 'webhooks',
  id: string,
  words: string,
): Find {
  return { title: words === '' ? id : `${words} · ${id}`, note: text(`page.${page}`), path: `/${page}/${id}` }
}

/**
 * Searches all kinds of things at once, each by its own list's search. A kind that cannot be searched just now has no finds.
 *
 * @param operations The operations that the member may call.
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

/** Searches one kind of things. Without words, only short lists have finds: the newest of all payments are no answer. */
export async function searchKind(
  list: SearchedList,
  { q, operations, signal }: { q: string; operations: readonly string[]; signal: AbortSignal },
): Promise<readonly Find[]> {
  const isShort = list in shortLists
  if (!operations.includes(list) || (q === '' && !isShort)) return []
  const finds = await { ...searches, ...shortLists }[list](q, signal).catch(() => [])
  return finds.slice(0, isShort ? 2 * EACH : EACH)
}

/** The page of a request whose id was typed, or stands in what was pasted. */
export function requestNamed(typed: string, operations: readonly string[]): readonly Find[] {
  const id = /req_[0-9A-Za-z]{22}/.exec(typed)?.[0]
  if (id === undefined || !operations.includes('requests.get')) return []
  return [{ title: id, note: text('filter.requestId'), path: `/requests/${id}` }]
}

/** The pages of the menu whose name has these letters, also after "go to". */
export function pagesNamed(typed: string, operations: readonly string[]): readonly Find[] {
  const all = typed.trim().toLocaleLowerCase()
  const goTo = [text('key.go', { page: '' }).trim().toLocaleLowerCase(), 'go to'].find((each) =>
    all.startsWith(`${each} `),
  )
  const letters = all.slice(goTo?.length ?? 0).trim()
  return allowedSections(operations)
    .flatMap(({ pages }) => pages)
    .map(({ name, path }) => ({ title: text(`page.${name}`), note: text('pages'), path }))
    .filter(({ title }) => title.toLocaleLowerCase().includes(letters))
}

/** Separate for each member who uses this browser. */
const recentOf = (memberId: string) => `tillwright.recent.${memberId}`
const RECENT_MAX = 6

/** The member's recent finds in this browser, newest first. Only addresses and kinds are stored: no names. */
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
