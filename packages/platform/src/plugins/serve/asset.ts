import { filePolicy, pageHeaders } from '@tillwright/contract'
import { isScriptType } from '@tillwright/contract/content-type-of'
import { isUnchanged } from '../../runtime/index.ts'
import type { Blobs } from '../../storage/index.ts'
import { isContentHashed, type ServedFile } from '../assets/index.ts'
import { acceptsBrotli } from './negotiation.ts'
import type { PageRequest, PageServing } from './page-request.ts'
import { type PageAnswer, BytesMissing } from './status-page.ts'

/** A name that changes with its content need not be asked about for a year. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
/** Types worth compressing; images, video and fonts for the web are compressed already. */
const compressible =
  /^(?:text\/|application\/(?:json|xml|wasm|manifest\+json|[\w.-]+\+(?:json|xml))|image\/svg\+xml|font\/[ot]tf)/
/** A file of fewer bytes gains nothing. */
const COMPRESS_FROM_BYTES = 256

/** Answers with a file as it was deployed: whole, compressed, or the part that was asked for. */
export async function serveAsset(
  file: ServedFile,
  request: PageRequest,
  serverContext: PageServing,
): Promise<PageAnswer> {
  const etag = `"${file.sha256}"`
  const headers = assetHeaders(file, serverContext)
  const range = partOf(request, etag)
  if (range !== undefined) return servePart(file, { range, headers, blobs: serverContext.blobs })
  const isCompressed = canCompress(file) && acceptsBrotli(request.header('accept-encoding'))
  const tag = isCompressed ? `"${file.sha256}-br"` : etag
  if (isUnchanged(request.header('if-none-match'), tag))
    return { status: 304, headers: { ...headers, ETag: tag }, body: null }
  if (!isCompressed) return whole(file, await serverContext.blobs.get(file.sha256), headers)
  const body = await serverContext.blobs.compressed(file.sha256)
  return whole(file, body, { ...headers, ETag: tag, 'Content-Encoding': 'br' })
}

/** @throws {BytesMissing} */
function whole({ sha256 }: ServedFile, body: Uint8Array | null, headers: PageAnswer['headers']): PageAnswer {
  if (body === null) throw new BytesMissing(sha256)
  return { status: 200, headers, body }
}

function canCompress({ contentType, size }: ServedFile): boolean {
  const isCompressible = isScriptType(contentType) || compressible.test(contentType.toLowerCase())
  return size >= COMPRESS_FROM_BYTES && isCompressible
}

/** The range that is asked for, unless it is meant for other content than there is (RFC 9110 section 13.1.5). */
function partOf(request: PageRequest, etag: string): string | undefined {
  const meant = request.header('if-range')
  return meant === undefined || meant === etag ? request.header('range') : undefined
}

async function servePart(
  file: ServedFile,
  { range, headers, blobs }: { range: string; headers: PageAnswer['headers']; blobs: Blobs },
): Promise<PageAnswer> {
  const wanted = readRange(range, file.size)
  if (wanted.outcome === 'unsatisfiable') {
    const none = { ...headers, 'Cache-Control': 'no-store', 'Content-Range': `bytes */${file.size}` }
    return { status: 416, headers: none, body: null }
  }
  const bytes = await blobs.get(file.sha256)
  if (bytes === null || wanted.outcome === 'whole') return whole(file, bytes, headers)
  const { start, end } = wanted
  const part = { ...headers, 'Content-Range': `bytes ${start}-${end}/${file.size}` }
  return { status: 206, headers: part, body: bytes.subarray(start, end + 1) }
}

function assetHeaders(file: ServedFile, serverContext: PageServing): Record<string, string> {
  const { path, sha256, contentType } = file
  const policy = filePolicy(contentType, serverContext)
  return {
    ...pageHeaders,
    'Content-Type': contentType,
    'Cache-Control': isContentHashed(path) ? FOR_A_YEAR : 'no-cache',
    ETag: `"${sha256}"`,
    'Accept-Ranges': 'bytes',
    ...(canCompress(file) && { Vary: 'Accept-Encoding' }),
    ...(policy !== null && { 'Content-Security-Policy': policy }),
  }
}

/** The part of a file that a request asks for. `end` is the last byte's position, as in `Content-Range`. */
export type Wanted =
  | { outcome: 'whole' }
  | { outcome: 'part'; start: number; end: number }
  | { outcome: 'unsatisfiable' }

/**
 * Reads a `Range` header. One range of bytes is honoured; several, another unit, and what is no range at all mean the
 * whole file, as RFC 9110 section 14.2 allows.
 *
 * @param size How many bytes the file has.
 */
export function readRange(header: string | undefined, size: number): Wanted {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return { outcome: 'whole' }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { outcome: 'unsatisfiable' } : { outcome: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return { outcome: 'whole' }
  return start >= size ? { outcome: 'unsatisfiable' } : { outcome: 'part', start, end }
}
