import { brotliCompressSync, constants } from 'node:zlib'
import type { BundleFile, FileSize } from './bundle.ts'

/** A tenth more bytes than at the highest quality, in a seventieth of the time. */
const QUALITY = 5
/** Bits of a window that most files fit into: a larger one takes longer to set up than they take to compress. */
const WINDOW_BITS = 16

/** Sizes by path. What is compressed by its nature is not compressed once more. */
export function measureFiles(files: readonly BundleFile[]): ReadonlyMap<string, FileSize> {
  return new Map(files.map((file) => [file.path, measure(file)]))
}

function measure({ path, bytes, contentType }: BundleFile): FileSize {
  const isText = /^text\/|json|xml|wasm/.test(contentType)
  return { path, bytes: bytes.length, brotliBytes: isText ? brotliBytes(bytes) : bytes.length }
}

/** Not in the background: with files as small as a page's, handing them over takes several times longer. */
function brotliBytes(bytes: Uint8Array): number {
  const bits = Math.ceil(Math.log2(bytes.length + 1))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(Math.max(bits, WINDOW_BITS), constants.BROTLI_MAX_WINDOW_BITS),
  }
  return brotliCompressSync(bytes, { params }).length
}
