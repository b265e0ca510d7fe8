import { InfiniteQueryObserver, type InfiniteData, type InfiniteQueryObserverResult } from '@tanstack/query-core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { call, type ListEntry, type ListName } from '../api/client.ts'
import { cache } from '../api/query.ts'

/** The query of a list: its filters, and `order`. */
export type ListQuery = Readonly<Record<string, string>>

/** The entries of a list that were read so far. */
export interface Entries<Entry> {
  entries: readonly Entry[]
  /** The same, page by page. */
  pages: readonly (readonly Entry[])[]
  isLoading: boolean
  isComplete: boolean
  failure: Error | null
  /** Why the next page could not be read; the pages before it are there. */
  moreFailure: Error | null
  /** Reads the next page, unless that has failed. */
  more: () => void
  retry: () => void
  retryMore: () => void
}

interface ListPage<Entry> {
  data: readonly Entry[]
  nextCursor: string | null
}

/** A page of the API's lists. */
const PAGE = 50

/**
 * Reads a list page by page, as far as it was scrolled.
 *
 * @param again How soon its first page is read again, for entries that come without an event.
 */
export function useEntries<Name extends ListName>(
  list: Name,
  query: ListQuery,
  again?: number,
): Entries<ListEntry<Name>> {
  type Pages = InfiniteData<ListPage<ListEntry<Name>>, unknown>
  const sent = JSON.stringify(query)
  const options = useMemo(() => optionsOf<ListEntry<Name>>(list, query, again), [list, sent])
  const observer = useMemo(() => new InfiniteQueryObserver(cache, options), [options])
  const [seen, setSeen] = useState<{ observer: unknown; result: InfiniteQueryObserverResult<Pages> } | null>(null)
  useEffect(() => {
    const update = (result: InfiniteQueryObserverResult<Pages>) => setSeen({ observer, result })
    const stop = observer.subscribe(update)
    update(observer.getCurrentResult())
    return stop
  }, [observer])
  const result = seen?.observer === observer ? seen.result : observer.getCurrentResult()
  const pages = useMemo(() => result.data?.pages.map(({ data }) => data) ?? [], [result.data])
  const entries = useMemo(() => pages.flat(), [pages])
  return {
    entries,
    pages,
    isLoading: result.isPending || result.isFetchingNextPage,
    isComplete: result.data !== undefined && !result.hasNextPage,
    failure: result.isFetchNextPageError ? null : result.error,
    moreFailure: result.isFetchNextPageError ? result.error : null,
    more: () => {
      if (result.hasNextPage && !result.isFetching && !result.isFetchNextPageError) void result.fetchNextPage()
    },
    retry: () => void result.refetch(),
    retryMore: () => void result.fetchNextPage(),
  }
}

function optionsOf<Entry>(list: ListName, query: ListQuery, again: number | undefined) {
  return {
    queryKey: [list, query] as const,
    queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }) => {
      const after = typeof pageParam === 'string' && pageParam !== '' ? { after: pageParam } : {}
      // The operation is a list: it answers pages.
      return call(list, { ...query, ...after, limit: PAGE }, { signal }) as Promise<ListPage<Entry>>
    },
    initialPageParam: '',
    // A reader who has scrolled down is looking at older entries.
    refetchInterval: ({ state }: { state: { data?: InfiniteData<unknown> | undefined } }) =>
      again !== undefined && state.data?.pages.length === 1 ? again : (false as const),
    getNextPageParam: ({ nextCursor }: ListPage<Entry>) => nextCursor,
  }
}
