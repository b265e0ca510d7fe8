import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How the bytes of an answer are written. `identity`: as they are. */
export type ContentEncoding = 'br' | 'gzip' | 'identity'

/**
 * The best encoding that an `Accept-Encoding` header takes: named, or by `*`, and not with a quality of 0. Whatever their
 * qualities, Brotli is better than gzip, and both are than none. Source: RFC 9110 section 12.5.3.
 */
export function acceptedEncoding(header: string | undefined): ContentEncoding {
  const qualities = new Map<string, number>()
  for (const each of (header ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = each.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    qualities.set(coding, quality === undefined ? 1 : Number(quality))
  }
  const takes = (coding: string) => (qualities.get(coding) ?? qualities.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** Up to this size the best level takes less than half a second, on a thread of its own. */
const BEST_MAX_BYTES = 256 * 1024
const BEST = 11
/** A megabyte in a tenth of a second; the best level would take two to save a fifth more. */
const QUICK = 5

/** Bytes that everybody is sent alike: compressed once for each encoding, off the main thread, for the first who asks. */
export class SharedBytes {
  readonly #made = new Map<ContentEncoding, Promise<Uint8Array<ArrayBuffer>>>()
  readonly #identity: Uint8Array<ArrayBuffer>

  /** @param br The same, where it was compressed before. */
  constructor(content: string | Uint8Array, br?: Uint8Array<ArrayBuffer>) {
    this.#identity = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
    if (br !== undefined) this.#made.set('br', Promise.resolve(br))
  }

  /** The bytes in an encoding. */
  in(encoding: ContentEncoding): Promise<Uint8Array<ArrayBuffer>> {
    const found = this.#made.get(encoding)
    if (found !== undefined) return found
    const quality = this.#identity.length <= BEST_MAX_BYTES ? BEST : QUICK
    const made = encoded(this.#identity, encoding, quality)
    this.#made.set(encoding, made)
    return made
  }
}

/** An answer of this one request, compressed quickly rather than well. */
export function encodedOnce(text: string, encoding: ContentEncoding): Promise<Uint8Array<ArrayBuffer>> {
  return encoded(new TextEncoder().encode(text), encoding, QUICK)
}

async function encoded(bytes: Uint8Array<ArrayBuffer>, encoding: ContentEncoding, quality: number) {
  switch (encoding) {
    case 'br':
      return new Uint8Array(await brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }))
    case 'gzip':
      return new Uint8Array(await gzipped(bytes))
    case 'identity':
      return bytes
  }
}
