import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { type KeyedAnswer, keyedAnswers, type KeyedCall } from './keyed-answers.ts'
import { type StripeAnswer, stripeBooks, type StripeBooks } from './stripe-books.ts'

/**
 * What happens to requests on their way.
 *
 * - `rate_limit`: a 429, nothing done. `server_error`: a 500, nothing done, and kept for the key as Stripe does.
 * - `reset_before`, `hang_before`: the request is lost; `reset_after`, `hang_after`: the answer is.
 * - `hold_before`: Stripe is at work until it is released. `hold_after`: the answer is under way until then.
 */
export type Disturbance =
  | 'rate_limit'
  | 'server_error'
  | 'reset_before'
  | 'reset_after'
  | 'hang_before'
  | 'hang_after'
  | 'hold_before'
  | 'hold_after'

/** Stands in for Stripe on loopback. */
export interface StripeDouble {
  url: string
  books: StripeBooks
  /** Those that came in, in their order. */
  requests: KeyedCall[]
  /**
   * Disturbs the requests to paths that match, so many of them.
   *
   * @returns Ends it, and lets go what was held.
   */
  disturb(path: RegExp, how: Disturbance, times?: number): () => void
  /** Resolves when so many requests to paths that match have come in. */
  until(path: RegExp, count: number): Promise<void>
  stop(): void
}

/** The key of the account that the double has. */
export const DOUBLE_KEY = 'sk_test_double'

interface Disturbing {
  path: RegExp
  how: Disturbance
  left: number
  released: PromiseWithResolvers<void>
}

/** Starts one on a free port. */
export async function startStripeDouble(): Promise<StripeDouble> {
  const books = stripeBooks()
  const perform = keyedAnswers(books)
  const requests: KeyedCall[] = []
  const disturbing = new Set<Disturbing>()
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request)
    requests.push(call)
    server.emit('taken')
    if (request.headers.authorization !== `Bearer ${DOUBLE_KEY}`) return send(response, { answer: unauthorized })
    const disturbed = [...disturbing].find(({ path, left }) => left > 0 && path.test(call.path))
    if (disturbed !== undefined) disturbed.left -= 1
    const { how, released } = disturbed ?? {}
    if (how === 'rate_limit') return send(response, { answer: rateLimited })
    if (how === 'reset_before') return void request.socket.resetAndDestroy()
    if (how === 'hang_before') return
    const done = how === 'hold_before' ? released?.promise : turn()
    const answered = await perform(call, {
      done: Promise.resolve(done),
      instead: how === 'server_error' ? serverError : null,
    })
    if (how === 'hold_after') await released?.promise
    if (how === 'reset_after') return void request.socket.resetAndDestroy()
    if (how !== 'hang_after') send(response, answered)
  }

  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server always has a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    books,
    requests,
    disturb(path, how, times = Number.POSITIVE_INFINITY) {
      const added: Disturbing = { path, how, left: times, released: Promise.withResolvers() }
      disturbing.add(added)
      return () => {
        disturbing.delete(added)
        added.released.resolve()
      }
    },
    async until(path, count) {
      while (requests.filter((request) => path.test(request.path)).length < count) await once(server, 'taken')
    },
    stop() {
      for (const { released } of disturbing) released.resolve()
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readCall(request: IncomingMessage): Promise<KeyedCall> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
  const body = new URLSearchParams(await text(request))
  const key = request.headers['idempotency-key']
  return {
    method: request.method ?? '',
    path: pathname.replace('/v1/', ''),
    form: new Map([...searchParams, ...body]),
    idempotencyKey: typeof key === 'string' ? key : undefined,
  }
}

function send(response: ServerResponse, { answer: { status, body }, headers }: KeyedAnswer): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_double', ...headers })
  response.end(JSON.stringify(body))
}

const rateLimited: StripeAnswer = {
  status: 429,
  body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' } },
}

const serverError: StripeAnswer = { status: 500, body: { error: { type: 'api_error', message: 'Something broke.' } } }

const unauthorized: StripeAnswer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } },
}
