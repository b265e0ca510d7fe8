import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { type ContentEncoding, encodedOnce } from './content-encoding.ts'

const brotli = promisify(brotliCompress)

/** The best of Brotli's levels, whose output ends at a whole byte and can be gone on with. */
const OPEN_ENDED = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
}

/** The beginning of a document, which everybody is sent alike, and which is compressed once by Brotli. */
export class SharedBeginning {
  readonly #text: string
  #compressed: Promise<Buffer> | undefined

  constructor(text: string) {
    this.#text = text
  }

  /**
   * The whole document.
   *
   * @param end Is of one request alone. Brotli takes it as it is: a few hundred bytes that are mostly random would hardly
   * become smaller.
   */
  async followedBy(end: string, encoding: ContentEncoding): Promise<Uint8Array<ArrayBuffer>> {
    if (encoding !== 'br') return encodedOnce(this.#text + end, encoding)
    this.#compressed ??= brotli(this.#text, OPEN_ENDED)
    return new Uint8Array(Buffer.concat([await this.#compressed, ...uncompressed(new TextEncoder().encode(end))]))
  }
}

/** The longest piece that a meta-block with a length of four nibbles holds. */
const META_BLOCK_BYTES = 0x1_0000

/** The end of a Brotli stream: meta-blocks that are not compressed, and the empty last one. Source: RFC 7932 section 9.2. */
function uncompressed(bytes: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += META_BLOCK_BYTES) {
    const block = bytes.subarray(at, at + META_BLOCK_BYTES)
    const header = Buffer.alloc(3)
    // From the lowest bit on: ISLAST (1 bit), MNIBBLES (2), MLEN - 1 (16), ISUNCOMPRESSED (1), and zeroes up to a byte.
    header.writeUIntLE(((block.length - 1) << 3) | (1 << 19), 0, header.length)
    blocks.push(header, block)
  }
  const last = 0b11 // ISLAST and ISLASTEMPTY
  return [...blocks, Uint8Array.of(last)]
}
