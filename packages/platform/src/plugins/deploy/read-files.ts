import { hash } from 'node:crypto'
import { ASSET_MAX_BYTES, DEPLOYMENT_MAX_BYTES, type InlineAsset } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import { contentTypeOf } from '@tillwright/contract/content-type-of'
import { refuseFalseType } from './refuse-false-type.ts'

/** A file of a deployment. */
export interface DeployedFile {
  path: string
  sha256: string
  size: number
  contentType: string
  /** `null` for one that is named by its hash: its bytes were stored before. */
  bytes: Buffer | null
}

/**
 * Reads the files of a deployment, in the order of their paths, and checks what is said of each against its content.
 *
 * @throws {ApiError} `parameter_invalid` with the field that is wrong: `inlineAssets[3].sha256`.
 */
export function readFiles(assets: readonly InlineAsset[]): DeployedFile[] {
  const files = assets.map(readFile)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > DEPLOYMENT_MAX_BYTES) {
    throw invalid(
      `The files have ${total} bytes together; a deployment takes ${DEPLOYMENT_MAX_BYTES} at most.`,
      'inlineAssets',
    )
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function readFile(asset: InlineAsset, index: number): DeployedFile {
  const { content, encoding } = asset
  const path = asset.path.normalize('NFC') // one name has one spelling, however its marks are written
  const contentType = asset.contentType ?? contentTypeOf(path)
  const param = `inlineAssets[${index}]`
  refuseFalseType(path, contentType, `${param}.contentType`)
  if (content === undefined) {
    // The schema has made sure of both.
    return { path, sha256: asset.sha256 ?? '', size: asset.size ?? 0, contentType, bytes: null }
  }
  const bytes = encoding === 'base64' ? decodeBase64(content, `${param}.content`) : Buffer.from(content)
  return { path, contentType, bytes, ...checkBytes(bytes, asset, param) }
}

/**
 * Hash and size of a file's content.
 *
 * @param said What its sender says of it, where it does.
 * @param param Where it stands in the request.
 * @throws {ApiError} When the content is something else, or too large.
 */
export function checkBytes(
  bytes: Uint8Array,
  said: { sha256?: string | undefined; size?: number | undefined },
  param: string,
): { sha256: string; size: number } {
  const size = bytes.length
  if (size > ASSET_MAX_BYTES) {
    throw invalid(`The file has ${size} bytes; a file has ${ASSET_MAX_BYTES} at most.`, `${param}.content`)
  }
  if (said.size !== undefined && said.size !== size) {
    throw invalid(`The content has ${size} bytes, not the ${said.size} of its size; send it whole.`, `${param}.content`)
  }
  const sha256 = hash('sha256', bytes)
  if (said.sha256 !== undefined && said.sha256 !== sha256) {
    throw invalid('The content has another SHA-256; correct the hash or the content.', `${param}.sha256`)
  }
  return { sha256, size }
}

/**
 * Decodes base64 strictly: only what encoding the result would give again (RFC 4648 section 3.5).
 *
 * @throws {ApiError}
 */
export function decodeBase64(content: string, param: string): Buffer {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64') === content) return bytes
  throw invalid('The content is not base64 with padding and without line breaks (RFC 4648).', param)
}

function invalid(message: string, param: string): ApiError {
  return new ApiError('parameter_invalid', message, { param })
}
