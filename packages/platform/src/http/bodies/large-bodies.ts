import type { IncomingMessage } from 'node:http'
import { BODY_MAX_BYTES, bodyLimitsOf, type Operation, PAGE_BODY_MAX_BYTES } from '@tillwright/contract'
import type { SentFile } from '../../request-context.ts'
import { ApiError, TaskStopped, workerPool, type WorkerPool } from '../../runtime/index.ts'
import type { Room } from './body-budget.ts'
import type { BodyTask, BodyVerdict } from './body-worker.ts'
import { fingerprint } from './fingerprint.ts'
import { filesOnDisk } from './lifted-files.ts'
import { type ParsedRequest, parseParameters, parseRequest, type RawRequest } from './parse-request.ts'
import { announcedBytes, readBody } from './read-body.ts'
import { spoolBody, type SpooledBody } from './spooled-body.ts'

/** A body, where it is. */
export type ArrivedBody = RawRequest['body'] | SpooledBody

/** A request that has arrived whole. */
export interface ArrivedRequest {
  /**
   * Equal for identical requests.
   *
   * @throws {ApiError} When a large body could not be read at all: `unavailable` when its turn has not come in time.
   */
  fingerprint: () => Promise<string>
  /** Parses the request as `parseRequest` does, and throws what that throws. Again is free where the body is large. */
  parse: () => Promise<ReadRequest>
}

/** A request as it was read, with the files of its body that have stayed on disk. */
export interface ReadRequest extends ParsedRequest {
  files: ReadonlyMap<string, SentFile>
}

const NO_FILES: ReadRequest['files'] = new Map()

/** Takes requests in, those with large bodies in threads of their own. */
export interface RequestReader {
  /**
   * Reads a body, large ones to disk where an operation takes very large ones.
   *
   * @throws {ApiError} As `readBody` does.
   */
  receive: (operation: Operation, incoming: IncomingMessage, room: Room) => Promise<ArrivedBody>
  read: (operation: Operation, raw: RawRequestOf<ArrivedBody>, sender: Sender) => ArrivedRequest
  close: () => Promise<void>
}

type RawRequestOf<Body> = Omit<RawRequest, 'body'> & { body: Body }

/** The account of a request, its part of the body budget, and its path if it must not be executed twice. */
export interface Sender {
  accountId: string
  room: Room
  path: string | null
}

/** Bodies up to the limit for pages are parsed on the main thread; larger ones are not. */
const LARGE_BYTES = PAGE_BODY_MAX_BYTES
const THREADS = 2
/** A body is bounded, and so is its time: this is for a machine that does not get on. */
const READ_MS = 10_000
/** The largest outline as text of two bytes a character, its strings once more, and what is made of them. */
const HEAP_MB = 192
const WAITING_MAX = 8
/** After so long the threads end, so that the memory they took is free again. */
const IDLE_MS = 5_000

/** Makes a reader. Its threads are started when they are first needed. `folder` is where bodies lie on disk. */
export function requestReader(folder: string): RequestReader {
  const pool = workerPool<BodyTask, BodyVerdict>(new URL('./body-worker', import.meta.url), {
    threads: THREADS,
    taskMs: READ_MS,
    heapMb: HEAP_MB,
    waiting: WAITING_MAX,
    idleMs: IDLE_MS,
  })
  return {
    async receive(operation, incoming, room) {
      const { bytes: maxBytes } = bodyLimitsOf(operation)
      const isOpen = incoming.headers['transfer-encoding'] !== undefined
      if (maxBytes <= BODY_MAX_BYTES || (!isOpen && announcedBytes(incoming) <= LARGE_BYTES))
        return readBody(incoming, maxBytes, room)
      const { body, close } = await spoolBody(incoming, maxBytes, { room, folder })
      room.onLeave(close)
      return body
    },
    read: (operation, raw, sender) => {
      const { body } = raw
      const isHere = body instanceof Uint8Array && (operation.body === undefined || body.length <= LARGE_BYTES)
      return isHere ? readHere(operation, { ...raw, body }, sender) : readElsewhere(pool, { operation, raw, sender })
    },
    close: () => pool.close(),
  }
}

function readHere(operation: Operation, raw: RawRequest, { path }: Sender): ArrivedRequest {
  return {
    fingerprint: async () => fingerprint(operation.method, path ?? '', raw.body),
    parse: async () => ({ ...parseRequest(operation, raw), files: NO_FILES }),
  }
}

/**
 * The bytes move to the thread, so that they are there once: a request is done again when its transaction lost a race.
 */
function readElsewhere(
  pool: WorkerPool<BodyTask, BodyVerdict>,
  { operation, raw, sender }: { operation: Operation; raw: RawRequestOf<ArrivedBody>; sender: Sender },
): ArrivedRequest {
  const { contentType, body } = raw
  let reading: Promise<BodyVerdict> | undefined
  async function run(): Promise<BodyVerdict> {
    const task = { operation: `${operation.method} ${operation.path}`, path: sender.path, contentType, body }
    const isHere = body instanceof Uint8Array
    if (isHere) return pool.run(sender.accountId, task, { transfer: [body.buffer] })
    return sender.room.parseInTurn(body.size, () => pool.run(sender.accountId, task))
  }
  const verdict = () => (reading ??= run().catch(toRefusal))
  return {
    fingerprint: async () => (await verdict()).fingerprint ?? '',
    parse: async () => {
      const parameters = parseParameters(operation, raw)
      const read = await verdict()
      if ('body' in read)
        return { ...parameters, body: read.body, files: 'fd' in body ? filesOnDisk(read.files, body) : NO_FILES }
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
