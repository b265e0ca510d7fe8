import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'

/** A request as received. */
export interface Call {
  method: string
  /** Without the host. */
  path: string
  query: URLSearchParams
  headers: Readonly<Record<string, string>>
  /** Parsed JSON; the text if it is not JSON, `null` if it is empty. */
  body: unknown
}

/** The answer to a request. `body` is sent as JSON. */
export interface Answer {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
}

/**
 * A disturbance on the network.
 *
 * - `server_error`: a 500, nothing done. `too_many`, `unauthorized`: a 429, a 401, nothing done.
 * - `reset_before`, `hang_before`: the request is lost; `reset_after`, `hang_after`: the answer is lost.
 * - `hold_before`: the request waits until it is released. `hold_after`: the answer waits.
 */
export type Disturbance =
  | 'server_error'
  | 'too_many'
  | 'unauthorized'
  | 'reset_before'
  | 'reset_after'
  | 'hang_before'
  | 'hang_after'
  | 'hold_before'
  | 'hold_after'

/** A stand-in for a processor's API, on loopback. */
export interface StandIn {
  url: string
  /** The requests received, oldest first. */
  calls: Call[]
  /**
   * Disturbs the next requests to matching paths, up to a number of them. @returns Ends it, and releases held requests.
   */
  disturb(path: RegExp, how: Disturbance, times?: number): () => void
  /** Resolves once a number of requests to matching paths have been received. */
  until(path: RegExp, count: number): Promise<void>
  stop(): void
}

/** The work on a request: its delay, and an answer that replaces that of the books. */
export interface Work {
  done: Promise<unknown>
  instead: Answer | null
}

/** The books of a processor, and the shape of its errors. */
export interface StoodInFor {
  answer(call: Call, work: Work): Answer | Promise<Answer>
  error(status: 401 | 429 | 500): unknown
  /** Whether a 500 becomes the permanent answer for its idempotency key; only then is `instead` used. */
  keepsErrors?: boolean
}

interface Disturbing {
  path: RegExp
  how: Disturbance
  left: number
  released: PromiseWithResolvers<void>
}

/** Starts a stand-in on a free port. */
export async function standIn({ answer, error, keepsErrors = false }: StoodInFor): Promise<StandIn> {
  const calls: Call[] = []
  const disturbing = new Set<Disturbing>()
  const server = createServer(
    (request, response) => void take(request, response).catch((mistake) => fail(mistake, request)),
  ).listen(0, '127.0.0.1')

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request)
    calls.push(call)
    server.emit('taken')
    const disturbed = [...disturbing].find(({ path, left }) => left > 0 && path.test(call.path))
    if (disturbed !== undefined) disturbed.left -= 1
    const { how, released } = disturbed ?? {}
    const failure = how === 'server_error' ? { status: 500, body: error(500) } : null
    if (failure !== null && !keepsErrors) return send(response, failure)
    if (how === 'too_many') return send(response, { status: 429, body: error(429) })
    if (how === 'unauthorized') return send(response, { status: 401, body: error(401) })
    if (how === 'reset_before') return void request.socket.resetAndDestroy()
    if (how === 'hang_before') return
    const done = how === 'hold_before' ? (released?.promise ?? turn()) : turn()
    const answered = await answer(call, { done, instead: failure })
    if (how === 'hold_after') await released?.promise
    if (how === 'reset_after') return void request.socket.resetAndDestroy()
    if (how !== 'hang_after') send(response, answered)
  }

  /** A bug of the stand-in itself, reported to the test run and not to its client. */
  function fail(mistake: unknown, request: IncomingMessage): never {
    request.socket.resetAndDestroy()
    throw mistake
  }

  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    disturb(path, how, times = Number.POSITIVE_INFINITY) {
      const added: Disturbing = { path, how, left: times, released: Promise.withResolvers() }
      disturbing.add(added)
      return () => {
        disturbing.delete(added)
        added.released.resolve()
      }
    },
    async until(path, count) {
      while (calls.filter((call) => path.test(call.path)).length < count) await once(server, 'taken')
    },
    stop() {
      for (const { released } of disturbing) released.resolve()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
  const sent = await text(request)
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(headers),
    body: parsed(sent),
  }
}

function parsed(sent: string): unknown {
  if (sent === '') return null
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(body === null ? undefined : JSON.stringify(body))
}

/** The rules for two requests with one idempotency key. */
export interface KeyRules {
  /** The answer while the first request is in progress. */
  atWork: Answer
  /** Whether an answer is stored for its key. */
  isKept(answer: Answer): boolean
}

/** Executes each request once for its key, and repeats the stored answer. */
export function idempotency({ atWork, isKept }: KeyRules) {
  const known = new Map<string, Answer | null>()
  return async (key: string | undefined, { done }: Work, perform: () => Answer): Promise<Answer> => {
    if (key === undefined) return perform()
    const before = known.get(key)
    if (before !== undefined) return before ?? atWork
    known.set(key, null)
    await done
    const answered = structuredClone(perform()) // the books go on, the answer stays
    if (isKept(answered)) known.set(key, answered)
    else known.delete(key)
    return answered
  }
}
