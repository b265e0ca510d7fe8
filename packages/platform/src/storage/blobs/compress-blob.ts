import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
/** Up to this size the best compression is worth its time, which is about a second a MiB; beyond it, a quick one. */
const BEST_UP_TO_BYTES = 2 * 1024 * 1024
const BEST_QUALITY = 11
const QUICK_QUALITY = 5

/** Bytes in Brotli, as they are kept beside a blob. */
export async function compressBlob(bytes: Uint8Array): Promise<Uint8Array> {
  const quality = bytes.length <= BEST_UP_TO_BYTES ? BEST_QUALITY : QUICK_QUALITY
  return compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}
