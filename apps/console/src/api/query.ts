import {
  type DefaultError,
  QueryCache,
  QueryClient,
  QueryObserver,
  type QueryKey,
  type QueryObserverResult,
} from '@tanstack/query-core'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ApiFailure, type CallOptions, type api, call, type OperationName } from './client.ts'

/** How often a read is sent again when the platform could not answer. */
const RETRIES = 2

const ME = 'me.get'

/** Has the page ask again who is signed in, where an answer says that nobody is: a session has ended under it. */
export function askWhoIsHere(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) void changed(ME)
}

/** The cache of all that has been read. A key begins with the operation's name. */
export const cache: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey: [name] }) => name !== ME && askWhoIsHere(error) }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      gcTime: 300_000,
      retry: (count, error) =>
        count < RETRIES && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      refetchOnWindowFocus: true,
    },
  },
})
cache.mount()

type Group = keyof typeof api
type NameIn<G extends Group> = keyof (typeof api)[G] & string
type Input<G extends Group, N extends NameIn<G>> = (typeof api)[G][N] extends (
  input: infer I,
  options: CallOptions,
) => unknown
  ? I
  : (typeof api)[G][N] extends (input?: infer I, options?: CallOptions) => unknown
    ? I
    : never
type Output<G extends Group, N extends NameIn<G>> = (typeof api)[G][N] extends (...args: never[]) => Promise<infer O>
  ? O
  : never

/** State of a read: its data or error, and whether it is loading. */
export type Read<Result> = QueryObserverResult<Result, DefaultError>

/**
 * Reads an operation for a component: from the cache at once where it is known, and again when it may have changed.
 *
 * @param name `payments.get`.
 * @param input Its input; `null` reads nothing yet.
 * @param again How soon it is read again while it is in sight, for what changes without an event.
 */
export function useRead<G extends Group, N extends NameIn<G>>(
  name: OperationName & `${G}.${N}`,
  input: Input<G, N> | null,
  again?: number,
): Read<Output<G, N>> {
  const options = useMemo(
    () => ({
      queryKey: [name, input] satisfies QueryKey,
      enabled: input !== null,
      ...(again !== undefined && { refetchInterval: again }),
      // The name and the input fit each other, as the signature says.
      queryFn: ({ signal }: { signal: AbortSignal }) => call(name, input ?? {}, { signal }) as Promise<Output<G, N>>,
    }),
    [name, JSON.stringify(input), again],
  )
  return useObserved(options)
}

/** How soon a page reads again what changes without an event, in milliseconds. */
export const AGAIN_MS = 1_000

/**
 * Reads several answers of one operation as one result for a component, as `useRead` does.
 *
 * @param name The operation, which also says when the result may have changed.
 * @param inputs One for each answer.
 * @param again See `useRead`.
 */
export function useReads<G extends Group, N extends NameIn<G>>(
  name: OperationName & `${G}.${N}`,
  inputs: readonly Input<G, N>[],
  again?: number,
): Read<readonly Output<G, N>[]> {
  const options = useMemo(
    () => ({
      queryKey: [name, inputs] satisfies QueryKey,
      enabled: inputs.length > 0,
      ...(again !== undefined && { refetchInterval: again }),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        // The name and the inputs fit each other, as the signature says.
        Promise.all(inputs.map((input) => call(name, input ?? {}, { signal }) as Promise<Output<G, N>>)),
    }),
    [name, JSON.stringify(inputs), again],
  )
  return useObserved(options)
}

interface Observed<Result> {
  queryKey: QueryKey
  enabled: boolean
  refetchInterval?: number
  queryFn: (context: { signal: AbortSignal }) => Promise<Result>
}

function useObserved<Result>(options: Observed<Result>): Read<Result> {
  const observer = useMemo(() => new QueryObserver<Result>(cache, options), [options])
  const [result, setResult] = useState(() => observer.getOptimisticResult(cache.defaultQueryOptions(options)))
  const [seen, setSeen] = useState(observer)
  const current = seen === observer ? result : observer.getOptimisticResult(cache.defaultQueryOptions(options))
  useEffect(() => {
    const update = (next: Read<Result>) => {
      setSeen(observer)
      setResult(next)
    }
    const stop = observer.subscribe(update)
    update(observer.getCurrentResult())
    return stop
  }, [observer])
  return current
}

/** Has everything read again whose operation's name begins with one of these: `payments.`, `orders.get`. */
export function changed(...names: readonly string[]): Promise<void> {
  return cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => typeof name === 'string' && names.some((each) => name.startsWith(each)),
  })
}
