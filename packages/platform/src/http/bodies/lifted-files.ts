import { createHash, type Hash } from 'node:crypto'
import { isObject } from '@tillwright/contract/json'
import type { SentFile } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import type { Outline } from './body-outline.ts'
import { refusePrintedCardNumber } from './card-numbers.ts'
import { readSpooled, release, type Span, type SpooledBody, streamSpooled } from './spooled-body.ts'

/** A file that has stayed on disk. */
export interface LiftedFile extends Span {
  /** The placeholder that the body has as the file's `content`. */
  mark: string
  encoding: FileEncoding
  /** `null` if the content claims to be base64 and is not. */
  described: DescribedContent | null
}

/**
 * Reads the files of a body that was parsed from its outline.
 *
 * @param options.field The field whose items are files.
 * @throws {ApiError} For characters that no text may contain, and for a card number.
 */
export function describeFiles(
  body: unknown,
  { contents }: Outline,
  { spooled, field }: { spooled: SpooledBody; field: string },
): readonly LiftedFile[] {
  const items: unknown = isObject(body) ? body[field] : undefined
  const encodings = new Map<unknown, FileEncoding>()
  for (const item of Array.isArray(items) ? items : []) {
    // Where there is no choice, it is base64.
    if (isObject(item)) encodings.set(item['content'], item['encoding'] === 'utf-8' ? 'utf-8' : 'base64')
  }
  return contents.map(({ start, end, mark }) => {
    const encoding = encodings.get(mark)
    if (encoding === undefined) throw new Error('A file that was taken out of a body is not in what was parsed of it.')
    return { start, end, mark, encoding, described: describeContent(readSpooled(spooled, { start, end }), encoding) }
  })
}

/** Files on disk as a handler sees them, by what it finds as their `content`. */
export function filesOnDisk(files: readonly LiftedFile[], spooled: SpooledBody): ReadonlyMap<string, SentFile> {
  return new Map(
    files.map(({ mark, encoding, described, start, end }) => {
      const bytes = () => decoded(streamSpooled(spooled, { start, end }), encoding)
      return [mark, { described, bytes }]
    }),
  )
}

async function* decoded(pieces: AsyncIterable<Buffer>, encoding: FileEncoding): AsyncGenerator<Uint8Array> {
  const decoder = contentDecoder(encoding)
  for await (const piece of pieces) {
    const bytes = decoder.add(piece)
    yield bytes
    release(bytes)
  }
  yield decoder.end()
}

/** How a file's content stands in a text of JSON. */
export type FileEncoding = 'utf-8' | 'base64'

/** The size of a decoded content in bytes, and its hash. */
interface DescribedContent {
  size: number
  sha256: string
}

/**
 * Decodes the content of a file as it stands between its quotes in JSON, piece by piece, so that a large one is never in
 * memory as a whole.
 */
export interface ContentDecoder {
  /**
   * Takes the next piece, wherever it was cut.
   *
   * @throws {ApiError} `json_invalid` for what is no text in JSON, or cannot be kept.
   * @throws {NotBase64} Unless its text is what encoding the result would give again (RFC 4648 section 3.5).
   */
  add(piece: Buffer): Buffer
  /** The rest, after the last piece. */
  end(): Buffer
}

/** Thrown for a content that claims to be base64 and is not. */
class NotBase64 extends Error {
  override readonly name = 'NotBase64'
}

/** @param seen Is given the text of the content, piece by piece. */
function contentDecoder(encoding: FileEncoding, seen: (text: string) => void = () => {}): ContentDecoder {
  const unescape = jsonText(encoding)
  const encode = encoding === 'base64' ? fromBase64() : toUtf8()
  const take = (piece: Buffer, isLast: boolean) => {
    const text = unescape(piece, isLast)
    seen(text)
    return encode(text, isLast)
  }
  return { add: (piece) => take(piece, false), end: () => take(Buffer.alloc(0), true) }
}

/**
 * Reads a whole content.
 *
 * @returns `null` if it is not base64 although it should be.
 * @throws {ApiError} For a card number in its text, as it was sent; and as above.
 */
export function describeContent(pieces: Iterable<Buffer>, encoding: FileEncoding): DescribedContent | null {
  const hashing = createHash('sha256')
  const cards = cardNumberSearch()
  const decoder = contentDecoder(encoding, cards.add)
  let size = 0
  const count = (bytes: Buffer, into: Hash) => {
    size += bytes.length
    into.update(bytes)
    release(bytes)
  }
  try {
    for (const piece of pieces) count(decoder.add(piece), hashing)
    count(decoder.end(), hashing)
  } catch (error) {
    if (error instanceof NotBase64) return null
    throw error
  }
  cards.end()
  return { size, sha256: hashing.digest('hex') }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const QUOTE = '"'
const BACKSLASH = 0x5c
const U = 0x75

/**
 * Unescapes the text between two quotes of JSON. An escape or a character cut off at the end of a piece waits for the
 * next.
 */
function jsonText(encoding: FileEncoding): (piece: Buffer, isLast: boolean) => string {
  let rest = Buffer.alloc(0)
  return (piece, isLast) => {
    const isPlain = encoding === 'base64' && rest.length === 0 && !piece.includes(BACKSLASH)
    if (isPlain) return piece.toString('latin1') // what is not base64 is not base64 either then
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = isLast ? bytes.length : wholeCharacters(bytes)
    rest = Buffer.from(bytes.subarray(whole)) // a copy: the piece is its giver's
    return textOf(bytes.subarray(0, whole))
  }
}

function textOf(bytes: Buffer): string {
  let written: string
  try {
    written = utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
  try {
    return String(JSON.parse(QUOTE + written + QUOTE))
  } catch {
    throw invalid(
      'The body is not JSON: the content of a file has a character that must be escaped, or a wrong escape.',
    )
  }
}

/** How many bytes there are up to an escape, or a character of several bytes, that is cut off. */
function wholeCharacters(bytes: Buffer): number {
  let end = bytes.length
  for (let at = bytes.indexOf(BACKSLASH); at !== -1;) {
    const after = at + (bytes[at + 1] === U ? 6 : 2)
    if (after > bytes.length) {
      end = at
      break
    }
    at = bytes.indexOf(BACKSLASH, after)
  }
  let lead = end - 1
  while (lead >= 0 && end - lead < 4 && isContinuation(bytes[lead])) lead -= 1
  const isCut = lead >= 0 && lead + lengthOfCharacter(bytes[lead]) > end
  return isCut ? lead : end
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80
}

function lengthOfCharacter(lead = 0): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}

/** Halves of a surrogate pair may be escaped each by itself. */
function toUtf8(): (text: string, isLast: boolean) => Buffer {
  let half = ''
  return (piece, isLast) => {
    const text = half + piece
    const last = text.charCodeAt(text.length - 1)
    half = !isLast && last >= 0xd8_00 && last <= 0xdb_ff ? text.slice(-1) : ''
    const whole = half === '' ? text : text.slice(0, -1)
    if (whole.includes('\0'))
      throw invalid('A string in the body contains a NUL character (\\u0000), which is not accepted.')
    if (!whole.isWellFormed())
      throw invalid('A string in the body contains half of a surrogate pair, which is not valid text.')
    return Buffer.from(whole, 'utf8')
  }
}

/** Strictly: only what encoding the result would give again, with padding at the end alone. */
function fromBase64(): (text: string, isLast: boolean) => Buffer {
  let rest = ''
  let isOver = false
  return (piece, isLast) => {
    const text = rest + piece
    const whole = isLast ? text : text.slice(0, text.length - (text.length % 4))
    rest = text.slice(whole.length)
    if (isOver && whole !== '') throw new NotBase64()
    isOver ||= whole.endsWith('=')
    const bytes = Buffer.from(whole, 'base64')
    if (bytes.toString('base64') !== whole) throw new NotBase64()
    return bytes
  }
}

/** More than a card number as it is printed. */
const HELD_MAX_CHARS = 4_096
/** More than an id that a number may be the end of. */
const BEFORE_CHARS = 48

/** Looks for card numbers in a text that comes in pieces: what one may begin in waits for the next piece. */
function cardNumberSearch(): { add: (text: string) => void; end: () => void } {
  let held = ''
  return {
    add(piece) {
      const text = held + piece
      const start = startOfNumbers(text)
      const isTable = text.length - start > HELD_MAX_CHARS
      refusePrintedCardNumber(text.slice(0, isTable ? beforeLastDigits(text) : start))
      // With what stands before the digits, which may tell that they are none; a table from between two groups of digits.
      held = text.slice(isTable ? afterDigits(text, text.length - HELD_MAX_CHARS) : Math.max(start - BEFORE_CHARS, 0))
    },
    end: () => refusePrintedCardNumber(held),
  }
}

/** Where the digits, and what may stand between them, begin that a text ends with. */
function startOfNumbers(text: string): number {
  let start = text.length
  while (start > 0 && mayBeInNumber(text.charCodeAt(start - 1))) start -= 1
  return start
}

function beforeLastDigits(text: string): number {
  let end = text.length
  while (end > 0 && isDigit(text.charCodeAt(end - 1))) end -= 1
  return end
}

function afterDigits(text: string, from: number): number {
  let at = from
  while (at < text.length && isDigit(text.charCodeAt(at))) at += 1
  return at
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function mayBeInNumber(code: number): boolean {
  return isDigit(code) || code === 0x20 || code === 0x2d
}

function invalid(message: string): ApiError {
  return new ApiError('json_invalid', message)
}
