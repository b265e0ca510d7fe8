import { type Operation, PAGE_BODY_MAX_BYTES } from '@tillwright/contract'
import { ApiError, TaskStopped, workerPool, type WorkerPool } from '../runtime/index.ts'
import type { BodyTask, BodyVerdict } from './body-worker.ts'
import { fingerprint } from './idempotency.ts'
import { type ParsedRequest, parseParameters, parseRequest, type RawRequest } from './parse-request.ts'

/** A request that has arrived whole. */
export interface ArrivedRequest {
  /**
   * Equal for identical requests.
   *
   * @throws {ApiError} When a large body could not be read at all: `rate_limit_exceeded` when the account has too many
   *   waiting.
   */
  fingerprint: () => Promise<string>
  /** Parses the request as `parseRequest` does, and throws what that throws. Again is free where the body is large. */
  parse: () => Promise<ParsedRequest>
}

/** Takes requests in, those with large bodies in threads of their own. */
export interface RequestReader {
  read: (operation: Operation, raw: RawRequest, sender: Sender) => ArrivedRequest
  close: () => Promise<void>
}

/** Whose request it is, and of what address if it is to be done once. */
export interface Sender {
  accountId: string
  path: string | null
}

/** Bodies up to the limit for pages are parsed on the main thread; larger ones are not. */
const LARGE_BYTES = PAGE_BODY_MAX_BYTES
const THREADS = 2
/** A body is bounded, and so is its time: this is for a machine that does not get on. */
const READ_MS = 10_000
/** The largest body as text of two bytes a character, its strings once more, and what is made of them. */
const HEAP_MB = 384
const WAITING_MAX = 8

/** Makes a reader. Its threads are started when they are first needed. */
export function requestReader(): RequestReader {
  const pool = workerPool<BodyTask, BodyVerdict>(new URL('./body-worker', import.meta.url), {
    threads: THREADS,
    taskMs: READ_MS,
    heapMb: HEAP_MB,
    waiting: WAITING_MAX,
  })
  return {
    read: (operation, raw, sender) => {
      const isLarge = operation.body !== undefined && raw.body.length > LARGE_BYTES
      return isLarge ? readElsewhere(pool, { operation, raw, sender }) : readHere(operation, raw, sender)
    },
    close: () => pool.close(),
  }
}

function readHere(operation: Operation, raw: RawRequest, { path }: Sender): ArrivedRequest {
  return {
    fingerprint: async () => fingerprint(operation.method, path ?? '', raw.body),
    parse: async () => parseRequest(operation, raw),
  }
}

/** The bytes move to the thread, so that they are there once: a request is done again when its unit lost a race. */
function readElsewhere(
  pool: WorkerPool<BodyTask, BodyVerdict>,
  { operation, raw, sender }: { operation: Operation; raw: RawRequest; sender: Sender },
): ArrivedRequest {
  const { contentType, body } = raw
  let reading: Promise<BodyVerdict> | undefined
  function verdict(): Promise<BodyVerdict> {
    const task = { operation: `${operation.method} ${operation.path}`, path: sender.path, contentType, body }
    reading ??= pool.run(sender.accountId, task, [body.buffer]).catch(toRefusal)
    return reading
  }
  return {
    fingerprint: async () => (await verdict()).fingerprint ?? '',
    parse: async () => {
      const parameters = parseParameters(operation, raw)
      const read = await verdict()
      if ('body' in read) return { ...parameters, body: read.body }
      const { code, message, details } = read.refused
      throw new ApiError(code, message, details)
    },
  }
}

function toRefusal(error: unknown): never {
  if (!(error instanceof TaskStopped)) throw error
  switch (error.reason) {
    case 'time':
      throw new ApiError('unavailable', 'The service is too busy to read a body of this size; try again later.', {
        headers: { 'Retry-After': '5' },
      })
    case 'memory':
      throw new ApiError('body_too_large', 'The body takes too much memory to be read; send it in parts.')
    case 'crowded':
      throw new ApiError(
        'rate_limit_exceeded',
        `${WAITING_MAX} large bodies of the account are waiting to be read already; send fewer at a time.`,
        { headers: { 'Retry-After': '1' } },
      )
  }
}
