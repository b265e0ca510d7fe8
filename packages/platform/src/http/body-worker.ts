import { contract, type ErrorCode, type Operation } from '@tillwright/contract'
import { ApiError, type ApiErrorDetails, serveTasks } from '../runtime/index.ts'
import { fingerprint } from './idempotency.ts'
import { liftFiles, type Lifted } from './lifted-files.ts'
import { parseBody, type RawRequest } from './parse-request.ts'
import { readSpooled, type SpooledBody } from './read-body.ts'

/** To the thread: a body, and of which operation of the contract, as `POST /api/...`. */
export interface BodyTask extends Pick<RawRequest, 'contentType'> {
  body: Uint8Array<ArrayBuffer> | SpooledBody
  operation: string
  /** The path of the address, where the request's fingerprint is wanted. */
  path: string | null
}

/** From the thread: the body as the operation's schema reads it, or the error of a request that must fail. */
export type BodyVerdict = { fingerprint: string | null } & (
  | { body: unknown }
  | { lifted: Lifted }
  | { refused: { code: ErrorCode; message: string; details: ApiErrorDetails } }
)

const operations = new Map<string, Operation>(
  Object.values(contract)
    .flatMap((group) => Object.values<Operation>(group))
    .map((operation) => [`${operation.method} ${operation.path}`, operation]),
)

// This file is the body of the threads that `large-bodies.ts` starts.
serveTasks<BodyTask, BodyVerdict>(({ operation, path, contentType, body: sent }) => {
  const described = operations.get(operation)
  if (described === undefined) throw new Error(`The contract has no ${operation}.`)
  const body = sent instanceof Uint8Array ? sent : readSpooled(sent)
  const mark = path === null ? null : fingerprint(described.method, path, body)
  try {
    const read = (bytes: Uint8Array<ArrayBuffer>) => parseBody(described, { contentType, body: bytes })
    const lifted = described.files === undefined ? null : liftFiles(body, described.files, read)
    return { fingerprint: mark, ...(lifted === null ? { body: read(body) } : { lifted }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { fingerprint: mark, refused: { code: error.code, message: error.message, details: error.details } }
  }
}, buffersOf)

/** The files of one body are parts of one buffer. */
function buffersOf(verdict: BodyVerdict): ArrayBuffer[] {
  if (!('lifted' in verdict)) return []
  return [...new Set(verdict.lifted.contents.flatMap((content) => content?.buffer ?? []))]
}
