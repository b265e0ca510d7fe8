import { isObject } from '@tillwright/contract/json'
import { refusePrintedCardNumber } from './card-numbers.ts'

/** A body without its large files, and the files where they came: as bytes, which can move between threads. */
export interface Lifted {
  body: unknown
  /** The `content` of these items is `files`' texts; `null` where an item has kept its own. */
  contents: (Uint8Array<ArrayBuffer> | null)[]
}

/** A shorter text costs little as text. */
const LONG_BYTES = 64 * 1024

/**
 * Reads a body whose field of files may hold many megabytes of base64. As texts those would be there several times: in the
 * body's own text, as values, in the message to another thread. So they are taken out first.
 *
 * @param field The field whose items are files.
 * @param read Reads what is left, and throws what is wrong with it.
 * @returns `null` where there is none, or one stands where it does not belong: then the body has to be read as it is.
 * @throws {ApiError} For a card number in a file; otherwise what `read` throws is found by reading the body as it is.
 */
export function liftFiles(
  bytes: Uint8Array<ArrayBuffer>,
  field: string,
  read: (rest: Uint8Array<ArrayBuffer>) => unknown,
): Lifted | null {
  const found = longBase64(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  if (found.length === 0) return null
  const mark = `lifted-${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => 'bcdfghjklmnpqrst'[byte % 16]).join('')}-`
  let body: unknown
  try {
    body = read(withMarks(bytes, found, mark))
  } catch {
    return null // the error tells of places in the body as it was sent
  }
  const items: unknown = isObject(body) ? body[field] : undefined
  if (!Array.isArray(items)) return null
  const contents = items.map((item: unknown) => contentOf(item, { bytes, found, mark }))
  if (contents.filter((content) => content !== null).length !== found.length) return null
  for (const content of contents) if (content !== null) refuseCardNumbers(content)
  return { body, contents }
}

/** The body again, with its files as texts. Their bytes are given back at once. */
export function lowerFiles({ body, contents }: Lifted, field: string): unknown {
  const items: unknown = isObject(body) ? body[field] : undefined
  if (!Array.isArray(items)) return body
  for (const [index, content] of contents.entries()) {
    if (content === null) continue
    items[index].content = Buffer.from(content.buffer, content.byteOffset, content.length).toString('latin1')
  }
  for (const { buffer } of contents.flatMap((content) => content ?? [])) if (!buffer.detached) buffer.transfer(0)
  return body
}

interface Span {
  start: number
  end: number
}

/** Where long texts of base64 alone stand, without their quotes. In JSON each quote outside of a text begins one. */
function longBase64(json: Buffer): Span[] {
  const spans: Span[] = []
  for (let opening = json.indexOf(QUOTE); opening !== -1;) {
    const start = opening + 1
    const end = endOfText(json, start)
    if (end === -1) return spans
    if (end - start >= LONG_BYTES && isBase64(json, { start, end })) spans.push({ start, end })
    opening = json.indexOf(QUOTE, end + 1)
  }
  return spans
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

function endOfText(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let escapes = 0
    while (end - escapes > start && json[end - escapes - 1] === BACKSLASH) escapes += 1
    if (escapes % 2 === 0) return end
  }
  return -1
}

const base64Bytes = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/='))
const isBase64Byte = Uint8Array.from({ length: 256 }, (_, byte) => Number(base64Bytes.has(byte)))

function isBase64(json: Buffer, { start, end }: Span): boolean {
  for (let index = start; index < end; index++) if (isBase64Byte[json[index] ?? 0] === 0) return false
  return true
}

function withMarks(bytes: Uint8Array<ArrayBuffer>, spans: readonly Span[], mark: string): Uint8Array<ArrayBuffer> {
  let from = 0
  const pieces = spans.flatMap(({ start, end }, index) => {
    const piece = bytes.subarray(from, start)
    from = end
    return [piece, Buffer.from(mark + index)]
  })
  return new Uint8Array(Buffer.concat([...pieces, bytes.subarray(from)]))
}

function contentOf(
  asset: unknown,
  { bytes, found, mark }: { bytes: Uint8Array<ArrayBuffer>; found: readonly Span[]; mark: string },
): Uint8Array<ArrayBuffer> | null {
  const content = isObject(asset) ? asset['content'] : undefined
  if (typeof content !== 'string' || !content.startsWith(mark)) return null
  const span = found[Number(content.slice(mark.length))]
  return span === undefined ? null : bytes.subarray(span.start, span.end)
}

const SLICE_BYTES = 512 * 1024

/** Slices begin and end with the same letter, so that no run of digits is cut, and what touches one is seen. */
function refuseCardNumbers(content: Uint8Array<ArrayBuffer>): void {
  const text = Buffer.from(content.buffer, content.byteOffset, content.length)
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + SLICE_BYTES, text.length)
    while (to < text.length && isDigit(text[to - 1])) to += 1
    refusePrintedCardNumber(text.toString('latin1', from, to))
    from = to === text.length ? to : to - 1
  }
}

function isDigit(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}
