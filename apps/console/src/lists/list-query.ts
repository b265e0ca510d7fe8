import { useLocation } from 'preact-iso'
import type { ConsoleOperation, FilterField } from '../api/operations.ts'
import type { ListQuery } from './entries.ts'

/** The query of the page's list: it stands in the address, so that it can be kept, sent to others and gone back to. */
export interface ListAddress {
  query: ListQuery
  /** Filters that are set, in the order of the list's fields. */
  filters: readonly (readonly [name: string, value: string])[]
  set: (name: string, value: string) => void
  replace: (query: ListQuery) => void
}

/** Reads and changes the query of the page's list. What the list has no field for is left out. */
export function useListAddress({ filters: fields = {} }: ConsoleOperation): ListAddress {
  const { query: sent, path, route } = useLocation()
  const names = [...Object.keys(fields), 'order']
  const query = Object.fromEntries(names.flatMap((name) => (sent[name] ? [[name, sent[name]]] : [])))
  const replace = (next: ListQuery) => {
    const search = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== ''))
    route(search.size === 0 ? path : `${path}?${search}`, true)
  }
  return {
    query,
    filters: Object.entries(query).filter(([name]) => name !== 'order' && name !== 'q'),
    set: (name, value) => replace({ ...query, [name]: value }),
    replace,
  }
}

/** The fields of a list that a reader adds as filters; the search has a place of its own. */
export function filterFields({ filters = {} }: ConsoleOperation): readonly (readonly [string, FilterField])[] {
  return Object.entries(filters).filter(([, { type }]) => type !== 'search')
}
