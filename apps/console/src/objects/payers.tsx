import { QueriesObserver, type QueryObserverResult } from '@tanstack/query-core'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { api } from '../api/client.ts'
import { cache } from '../api/query.ts'
import { Bone } from '../design/states.tsx'
import { useMay } from '../shell/session.ts'
import { customerName } from './names.tsx'

/** Names of a list's customers, by id: `undefined` while one is loading, `null` where it cannot be read. */
type Names = (id: string) => string | null | undefined

const Known = createContext<Names>(() => null)

interface PayersProps {
  /** The pages of the list as far as it was read: whose each entry is. */
  pages: readonly (readonly string[])[]
  /** The store that the list is limited to, if it is. */
  storeId: string | undefined
  children: ComponentChildren
}

/** Reads who the customers of a list are, with one request a page of the list, and tells `Payer` below. */
export function Payers({ pages, storeId, children }: PayersProps) {
  const isAllowed = useMay()('customers.list')
  const wanted = isAllowed ? pages.filter((ids) => ids.length > 0).map((ids) => [...new Set(ids)]) : []
  const names = useNames(wanted, storeId)
  return <Known.Provider value={isAllowed ? names : () => null}>{children}</Known.Provider>
}

/** A customer in a row: by the e-mail address, else the name, else the id. */
export function Payer({ id }: { id: string }) {
  const name = useContext(Known)(id)
  if (name === undefined) return <Bone />
  return name === null ? <code>{id}</code> : <>{name}</>
}

/** The names of the customers that were asked for. */
type Answer = Readonly<Record<string, string | null>>

function useNames(pages: readonly (readonly string[])[], storeId: string | undefined): Names {
  const [observer] = useState(() => new QueriesObserver(cache, []))
  const [reads, setReads] = useState<readonly QueryObserverResult[]>([])
  const sent = JSON.stringify([pages, storeId])
  useEffect(() => observer.subscribe(setReads), [observer])
  useEffect(() => observer.setQueries(pages.map((ids) => queryOf(ids, storeId))), [observer, sent])
  return useMemo(() => {
    // Each read is one of `queryOf`.
    const known: Answer = Object.assign({}, ...reads.map(({ data }) => data as Answer | undefined))
    const missing = reads.some(({ isError }) => isError) ? null : undefined
    return (id) => (Object.hasOwn(known, id) ? known[id] : missing)
  }, [reads])
}

function queryOf(ids: readonly string[], storeId: string | undefined) {
  const of = storeId === undefined ? {} : { storeId }
  return {
    queryKey: ['customers.list', { ids, ...of }],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Answer> => {
      const { data } = await api.customers.list({ ids: ids.join(','), limit: ids.length, ...of }, { signal })
      const names = data.map((customer) => [customer.id, customerName(customer)] as const)
      return Object.fromEntries([...ids.map((id) => [id, null] as const), ...names])
    },
  }
}
