import { bodyLimitsOf, contract, type ErrorCode, type Operation } from '@tillwright/contract'
import { ApiError, type ApiErrorDetails, serveTasks } from '../../runtime/index.ts'
import { fingerprint, fingerprintOf } from './fingerprint.ts'
import { OUTLINE_MAX_BYTES, Outliner, placeInBody } from './body-outline.ts'
import { describeFiles, type LiftedFile } from './lifted-files.ts'
import { parseBody, type RawRequest, tooManyValues } from './parse-request.ts'
import { readSpooled, type SpooledBody } from './spooled-body.ts'

/** To the thread: a body, and of which operation of the contract, as `POST /api/...`. */
export interface BodyTask extends Pick<RawRequest, 'contentType'> {
  body: Uint8Array<ArrayBuffer> | SpooledBody
  operation: string
  /** The path of the address, where the request's fingerprint is wanted. */
  path: string | null
}

/** From the thread: the body as the operation's schema reads it, or the error of a request that must fail. */
export type BodyVerdict = { fingerprint: string | null } & (
  | { body: unknown; files: readonly LiftedFile[] }
  | { refused: { code: ErrorCode; message: string; details: ApiErrorDetails } }
)

const operations = new Map<string, Operation>(
  Object.values(contract)
    .flatMap((group) => Object.values<Operation>(group))
    .map((operation) => [`${operation.method} ${operation.path}`, operation]),
)

// This file is the body of the threads that `large-bodies.ts` starts.
serveTasks<BodyTask, BodyVerdict>(({ operation, body, ...sent }) => {
  const described = operations.get(operation)
  if (described === undefined) throw new Error(`The contract has no ${operation}.`)
  return body instanceof Uint8Array ? readWhole(described, { body, ...sent }) : readParts(described, { body, ...sent })
})

type Sent<Body> = Pick<BodyTask, 'contentType' | 'path'> & { body: Body }

function readWhole(operation: Operation, { contentType, path, body }: Sent<Uint8Array<ArrayBuffer>>): BodyVerdict {
  const mark = path === null ? null : fingerprint(operation.method, path, body)
  return verdict(mark, () => ({ body: parseBody(operation, { contentType, body }), files: [] }))
}

/** The fingerprint is that of the whole body, whatever is wrong with its beginning. */
function readParts(operation: Operation, { contentType, path, body: spooled }: Sent<SpooledBody>): BodyVerdict {
  const hashing = path === null ? null : fingerprintOf(operation.method, path)
  const { files: field = '' } = operation
  const { values: maxValues } = bodyLimitsOf(operation)
  const outliner = new Outliner({ field, maxValues })
  for (const block of readSpooled(spooled)) {
    hashing?.update(block)
    outliner.add(block)
  }
  return verdict(hashing?.digest('base64url') ?? null, () => {
    const outline = outliner.end()
    if (outline === 'too_many_values') throw tooManyValues(maxValues)
    if (outline === 'too_long') throw tooLongApart()
    const placeOf = (place: number) => placeInBody(outline, place)
    const body = parseBody(operation, { contentType, body: outline.text, placeOf })
    return { body, files: describeFiles(body, outline, { spooled, field }) }
  })
}

function verdict(mark: string | null, read: () => { body: unknown; files: readonly LiftedFile[] }): BodyVerdict {
  try {
    return { fingerprint: mark, ...read() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { fingerprint: mark, refused: { code: error.code, message: error.message, details: error.details } }
  }
}

function tooLongApart(): ApiError {
  return new ApiError(
    'body_too_large',
    `Apart from the contents of files, the body is larger than ${OUTLINE_MAX_BYTES} bytes; send files as the content of files, and less of everything else.`,
  )
}
