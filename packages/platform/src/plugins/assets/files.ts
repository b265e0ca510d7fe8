import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { ASSET_MAX_BYTES, DEPLOYMENT_MAX_BYTES, DOCUMENT_MAX_BYTES, type InlineAsset } from '@tillwright/contract'
import { contentTypeOf, essenceOf, isScriptType } from '@tillwright/contract/content-type-of'
import type { RequestContext } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'

/** A file of a deployment. */
export interface DeployedFile {
  path: string
  sha256: string
  size: number
  contentType: string
  /** `null` for one that is named by its hash: its bytes were stored before. */
  bytes: Bytes | null
}

/** In memory, or read from the disk as they are needed. */
export type Bytes = Uint8Array | (() => AsyncIterable<Uint8Array>)

/**
 * Reads the files of a deployment, in the order of their paths, and checks what is said of each against its content.
 *
 * @throws {ApiError} `parameter_invalid` with the field that is wrong: `inlineAssets[3].sha256`.
 */
export async function readFiles(assets: readonly InlineAsset[], sent?: SentFiles): Promise<DeployedFile[]> {
  const files: DeployedFile[] = []
  const read = contentReader(sent)
  for (const [index, asset] of assets.entries()) {
    const file = await readFile(asset, `inlineAssets[${index}]`, read)
    refuseLargeDocument(file, `inlineAssets[${index}]`)
    files.push(file)
  }
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > DEPLOYMENT_MAX_BYTES) {
    throw invalid(
      `The files have ${total} bytes together; a deployment can have at most ${DEPLOYMENT_MAX_BYTES}.`,
      'inlineAssets',
    )
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether browsers show a file as a page. */
export function isDocument({ contentType }: Pick<DeployedFile, 'contentType'>): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)
}

function refuseLargeDocument(file: DeployedFile, param: string): void {
  if (!isDocument(file) || file.size <= DOCUMENT_MAX_BYTES) return
  throw invalid(
    `The document '${file.path}' has ${file.size} bytes; an HTML document can have at most ${DOCUMENT_MAX_BYTES}. Move its scripts, styles and pictures into files of their own.`,
    param,
  )
}

async function readFile(asset: InlineAsset, param: string, read: ContentReader): Promise<DeployedFile> {
  const { content, encoding } = asset
  const path = asset.path.normalize('NFC') // one name has one spelling, however its marks are written
  const contentType = asset.contentType ?? contentTypeOf(path)
  refuseFalseType(path, contentType, `${param}.contentType`)
  if (content === undefined) {
    // The schema has made sure of both.
    return { path, sha256: asset.sha256 ?? '', size: asset.size ?? 0, contentType, bytes: null }
  }
  return { path, contentType, ...(await read({ ...asset, content, encoding }, param)) }
}

/** The content of a file, and what its sender says of it, where they do. */
export interface SentContent {
  content: string
  encoding: 'utf-8' | 'base64'
  sha256?: string | undefined
  size?: number | undefined
}

/** Bytes by their hash. */
export interface ReadContent {
  sha256: string
  size: number
  bytes: Bytes
}

/** A request's files on disk, by the mark in their content's place. */
export type SentFiles = RequestContext['files']

/** How much of a file is read before others may have their turn; a multiple of the four characters of base64. */
const SLICE_CHARS = 512 * 1024

/**
 * Reads the content of a file.
 *
 * @param param Where it stands in the request.
 * @throws {ApiError} When it is not encoded as it says, is something else than is said of it, or too large.
 */
export type ContentReader = (content: SentContent, param: string) => Promise<ReadContent>

/**
 * Reads the contents of one request, giving way to other requests every few milliseconds: many small ones take as long as
 * a large one.
 *
 * @param sent One that is on disk was read already.
 */
export function contentReader(sent?: SentFiles): ContentReader {
  /** How much was read since others had their turn, over all files. */
  let turn = 0
  return async ({ content, encoding, ...said }, param) => {
    const onDisk = sent?.get(content)
    if (onDisk?.described === null) throw notBase64(`${param}.content`)
    if (onDisk !== undefined) {
      refuseOther(onDisk.described, said, param)
      return { ...onDisk.described, bytes: () => onDisk.bytes() }
    }
    const hashing = createHash('sha256')
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content, encoding))
    let size = 0
    for (let from = 0; from < content.length;) {
      const to = endOfSlice(content, from)
      const slice = content.slice(from, to)
      const part = Buffer.from(slice, encoding)
      const isLast = to === content.length
      if (encoding === 'base64' && !isBase64(slice, part, isLast)) throw notBase64(`${param}.content`)
      hashing.update(part)
      bytes.set(part, size)
      size += part.length
      from = to
      turn += slice.length
      if (turn < SLICE_CHARS) continue
      turn = 0
      await setImmediate()
    }
    const sha256 = hashing.digest('hex')
    refuseOther({ sha256, size }, said, param)
    return { sha256, size, bytes }
  }
}

/** Two halves of a surrogate pair stay together. */
function endOfSlice(content: string, from: number): number {
  const to = from + SLICE_CHARS
  if (to >= content.length) return content.length
  const last = content.charCodeAt(to - 1)
  return last >= 0xd8_00 && last <= 0xdb_ff ? to + 1 : to
}

/** Strictly: only what encoding the result would give again (RFC 4648 section 3.5), with padding at the end alone. */
function isBase64(slice: string, bytes: Buffer, isLast: boolean): boolean {
  return bytes.toString('base64') === slice && (isLast || !slice.endsWith('='))
}

function refuseOther(
  { sha256, size }: Omit<ReadContent, 'bytes'>,
  said: Pick<SentContent, 'sha256' | 'size'>,
  param: string,
): void {
  if (size > ASSET_MAX_BYTES) {
    throw invalid(`The file has ${size} bytes; a file can have at most ${ASSET_MAX_BYTES}.`, `${param}.content`)
  }
  if (said.size !== undefined && said.size !== size) {
    throw invalid(`The content has ${size} bytes, not the ${said.size} of its size; send it whole.`, `${param}.content`)
  }
  if (said.sha256 !== undefined && said.sha256 !== sha256) {
    throw invalid('The content has another SHA-256; correct the hash or the content.', `${param}.sha256`)
  }
}

function notBase64(param: string): ApiError {
  return invalid('The content is not base64 with padding and without line breaks (RFC 4648).', param)
}

function invalid(message: string, param: string): ApiError {
  return new ApiError('parameter_invalid', message, { param })
}

/** Types that a browser runs, or builds a document of. */
const active = /html|xml|text\/(?:css|javascript)/
/** XML that is data and no document of the web. */
const feed = /^(?:application|text)\/(?:(?:atom|rdf|rss)\+)?xml$/

/**
 * Refuses a type that a browser would run and that the name of the file does not show, and the reverse. A name without
 * an extension leaves the type to the author.
 *
 * @throws {ApiError} `parameter_invalid`.
 */
function refuseFalseType(path: string, declared: string, param: string): void {
  const named = kindOf(contentTypeOf(path))
  const essence = kindOf(declared)
  if (named === essence || !/\.[^./]+$/.test(path)) return
  if (!active.test(essence) && !active.test(named)) return
  throw new ApiError(
    'parameter_invalid',
    `${path} is declared as ${essence}, but its name says ${named}; make the two agree, or leave contentType out.`,
    { param },
  )
}

/** Maps types that browsers treat alike to one name. */
function kindOf(type: string): string {
  if (isScriptType(type)) return 'text/javascript'
  const essence = essenceOf(type)
  return feed.test(essence) ? 'application/xml' : essence
}
