import { PAGE_BODY_MAX_BYTES, type Operation } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import { TaskStopped, workerPool, type WorkerPool } from '../ambient/worker-pool.ts'
import type { BodyTask, BodyVerdict } from './body-worker.ts'
import { parseParameters, parseRequest, type ParsedRequest, type RawRequest } from './parse-request.ts'

/** Reads requests, the large bodies among them in threads of their own. */
export interface RequestReader {
  /**
   * Prepares a request to be read. Reading it again is free where its body is large.
   *
   * @throws {ApiError} As `parseRequest` does; `rate_limit_exceeded` when the account has too many large bodies waiting.
   */
  read: (operation: Operation, raw: RawRequest, accountId: string) => () => Promise<ParsedRequest>
  close: () => Promise<void>
}

/** What a page may send is read on the main thread; what is larger is not. */
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
    read: (operation, raw, accountId) => {
      if (raw.body.length <= LARGE_BYTES || !operation.body) return async () => parseRequest(operation, raw)
      // The bytes move to the thread, so that they are there once; a request is done again when its unit lost a race.
      let reading: Promise<ParsedRequest> | undefined
      return () => (reading ??= readElsewhere(pool, { operation, raw, accountId }))
    },
    close: () => pool.close(),
  }
}

async function readElsewhere(
  pool: WorkerPool<BodyTask, BodyVerdict>,
  { operation, raw, accountId }: { operation: Operation; raw: RawRequest; accountId: string },
): Promise<ParsedRequest> {
  const parameters = parseParameters(operation, raw)
  const { contentType, body } = raw
  const task = { operation: `${operation.method} ${operation.path}`, contentType, body }
  const verdict = await pool.run(accountId, task, [body.buffer]).catch(toRefusal)
  if ('body' in verdict) return { ...parameters, body: verdict.body }
  const { code, message, details } = verdict.refused
  throw new ApiError(code, message, details)
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
