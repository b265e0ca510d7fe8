import { brotliDecompressSync, constants } from 'node:zlib'

/**
 * How many bytes of a document have to come until it goes as far as the first occurrence of a text, with the text: a browser
 * decompresses and reads a document while it comes.
 *
 * @param compressed The document, by Brotli.
 * @throws {Error} When the text is not in it.
 */
export function bytesUntil(compressed: Uint8Array, text: string): number {
  const at = brotliDecompressSync(compressed).indexOf(text)
  if (at === -1) throw new Error(`The document has no ${text}.`)
  const wanted = at + Buffer.byteLength(text)
  const known = (bytes: number) =>
    brotliDecompressSync(compressed.subarray(0, bytes), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).length
  let [short, enough] = [0, compressed.length]
  while (enough - short > 1) {
    const middle = (short + enough) >> 1
    if (known(middle) >= wanted) enough = middle
    else short = middle
  }
  return enough
}
