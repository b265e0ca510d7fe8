import type { Span } from './spooled-body.ts'

/** A body with the contents of its larger files replaced by marks. */
export interface Outline {
  text: Uint8Array<ArrayBuffer>
  contents: readonly LiftedContent[]
}

/** Where the content of a file stands in a body, and where its mark in the outline. */
export interface LiftedContent extends Span {
  mark: string
  markAt: number
}

/** A shorter content costs little as text. */
export const LIFTED_BYTES = 2 * 1024
/**
 * The most that is left without those contents: the largest number of files at `LIFTED_BYTES` each, and all other
 * fields.
 */
export const OUTLINE_MAX_BYTES = 8 * 1024 * 1024

/** Why reading a body stopped early. */
export type Excess = 'too_many_values' | 'too_long'

/**
 * Separates a body from its files as it is read, so that the whole is never in memory. If the body is not JSON, neither
 * is the outline.
 *
 * @param field The field whose items are files.
 */
export class Outliner {
  readonly #text = new GrowingText()
  readonly #contents: LiftedContent[] = []
  readonly #field: string
  readonly #maxValues: number
  readonly #markOf = marks()
  /** Bytes of the body so far. */
  #position = 0
  #values = 0
  #excess: Excess | null = null
  /** The brackets that are open; of the first three, which. */
  #depth = 0
  readonly #brackets: number[] = []
  /** Whether the next text is a name, and the last names on the levels of the body and of its files. */
  #nameNext = false
  #names = { outer: '', inner: '' }
  /** The text that is being read. */
  #open: OpenText | null = null

  constructor({ field, maxValues }: { field: string; maxValues: number }) {
    this.#field = field
    this.#maxValues = maxValues
  }

  add(block: Buffer): void {
    for (let at = 0; at < block.length && this.#excess === null;) {
      at = this.#open === null ? this.#readBetween(block, at) : this.#readText(block, at, this.#open)
      if (this.#text.length > OUTLINE_MAX_BYTES) this.#excess = 'too_long'
      if (this.#values > this.#maxValues) this.#excess = 'too_many_values'
    }
    this.#position += block.length
  }

  end(): Outline | Excess {
    return this.#excess ?? { text: this.#text.whole(), contents: this.#contents }
  }

  /** Up to and including the quote that begins a text. */
  #readBetween(block: Buffer, from: number): number {
    let at = from
    while (at < block.length) {
      const byte = block[at++]
      if (byte === QUOTE) {
        this.#begin(this.#position + at)
        break
      }
      this.#note(byte)
    }
    this.#text.append(block.subarray(from, at))
    return at
  }

  #note(byte = 0): void {
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (this.#depth < FILE_DEPTH) this.#brackets[this.#depth] = byte
        this.#depth += 1
        this.#nameNext = byte === OPEN_OBJECT
        return
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#depth -= 1
        this.#nameNext = false
        return
      case COMMA: // a body has more values than commas
        this.#values += 1
        this.#nameNext = this.#depth <= FILE_DEPTH && this.#brackets[this.#depth - 1] === OPEN_OBJECT
        return
      case COLON:
        this.#nameNext = false
        return
    }
  }

  #begin(start: number): void {
    const { outer, inner } = this.#names
    const isContent =
      !this.#nameNext &&
      this.#depth === FILE_DEPTH &&
      outer === this.#field &&
      inner === 'content' &&
      FILE_BRACKETS.every((bracket, level) => this.#brackets[level] === bracket)
    this.#open = { start, textAt: null, isContent, isLifted: false, backslashes: 0 }
  }

  #readText(block: Buffer, from: number, open: OpenText): number {
    open.textAt ??= this.#text.length
    const end = endOfText(block, from, open)
    if (!open.isLifted) this.#text.append(block.subarray(from, end ?? block.length))
    if (open.isContent && !open.isLifted && this.#text.length - open.textAt > LIFTED_BYTES) {
      this.#text.cut(open.textAt)
      open.isLifted = true
    }
    if (end === null) return block.length
    this.#close(open, this.#position + end)
    this.#text.append(block.subarray(end, end + 1))
    this.#open = null
    return end + 1
  }

  #close({ start, textAt, isLifted }: OpenText, end: number): void {
    const markAt = textAt ?? this.#text.length
    if (isLifted) {
      const mark = this.#markOf(this.#contents.length)
      this.#contents.push({ start, end, mark, markAt })
      this.#text.append(Buffer.from(mark))
    }
    if (!this.#nameNext) return
    if (this.#depth === 1) this.#names.outer = this.#text.tail(markAt)
    if (this.#depth === FILE_DEPTH) this.#names.inner = this.#text.tail(markAt)
  }
}

interface OpenText {
  /** Of the body. */
  start: number
  /** Of the outline. */
  textAt: number | null
  isContent: boolean
  isLifted: boolean
  /** How many the last block has ended with. */
  backslashes: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
/** A content stands in a file, in the list of files, in the body. */
const FILE_BRACKETS = [OPEN_OBJECT, OPEN_ARRAY, OPEN_OBJECT]
const FILE_DEPTH = FILE_BRACKETS.length

/** @returns Where the quote stands that ends a text; `null` if not in this block. */
function endOfText(block: Buffer, from: number, open: OpenText): number | null {
  for (let end = block.indexOf(QUOTE, from); end !== -1; end = block.indexOf(QUOTE, end + 1)) {
    if (backslashesBefore(block, { from, end }, open) % 2 === 0) return end
  }
  open.backslashes = backslashesBefore(block, { from, end: block.length }, open)
  return null
}

function backslashesBefore(block: Buffer, { from, end }: { from: number; end: number }, open: OpenText): number {
  let at = end
  while (at > from && block[at - 1] === BACKSLASH) at -= 1
  return end - at + (at === from ? open.backslashes : 0)
}

/** Marks that no sender can know beforehand, of letters alone. */
function marks(): (index: number) => string {
  const random = crypto.getRandomValues(new Uint8Array(32))
  const letters = Array.from(random, (byte) => 'bcdfghjklmnpqrst'[byte % 16]).join('')
  return (index) => `lifted-${letters}-${index}`
}

/** Bytes that are added to, and taken back. */
class GrowingText {
  length = 0
  #bytes = new Uint8Array(64 * 1024)

  append(more: Uint8Array): void {
    const length = this.length + more.length
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.length))
      this.#bytes = larger
    }
    this.#bytes.set(more, this.length)
    this.length = length
  }

  cut(length: number): void {
    this.length = length
  }

  tail(from: number): string {
    return Buffer.from(this.#bytes.buffer, from, this.length - from).toString('latin1')
  }

  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }
}

/** Where a place in an outline is in the body that it is of. */
export function placeInBody({ contents }: Outline, place: number): number {
  return contents
    .filter(({ markAt }) => markAt < place)
    .reduce((sum, { start, end, mark }) => sum + end - start - mark.length, place)
}
