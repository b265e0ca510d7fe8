import { BODY_MAX_DEPTH } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import { refuseCardNumber } from './refuse-card-number.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a body more strictly than `JSON.parse`: what two parsers could read differently, or a database could not keep,
 * is refused. Source: RFC 8259 sections 4 and 8, I-JSON (RFC 7493).
 *
 * @throws {ApiError} `json_invalid` for invalid UTF-8 or JSON, nesting deeper than 64, a repeated name, `__proto__`, a
 *   number that a double does not keep, a NUL or a lone surrogate in a string; `parameter_invalid` for a card number.
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decode(bytes)
  refuseAmbiguity(text)
  refuseCardNumber(text, 'body')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not JSON: ${error instanceof SyntaxError ? position(error) : 'it cannot be read'}.`)
  }
  if (text.includes('\\')) refuseEscaped(value)
  return value
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/** Where the parser stopped, without the text that stood there: a body can hold secrets. */
function position({ message }: SyntaxError): string {
  const [, at] = /at position (\d+)/.exec(message) ?? []
  return at === undefined ? 'it ends too early or is empty' : `there is a mistake at character ${at}`
}

/** Walks over the text once; whether it is JSON at all is left to `JSON.parse`. */
function refuseAmbiguity(text: string): void {
  const open: (Set<string> | null)[] = [] // the names seen in each object around the position; null for an array
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = closingQuote(text, at)
      const names = open.at(-1)
      if (names && isName(text, end)) addName(names, text.slice(at, end + 1))
      at = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      open.push(char === OPEN_OBJECT ? new Set() : null)
      if (open.length > BODY_MAX_DEPTH) throw invalid(`The body is nested deeper than ${BODY_MAX_DEPTH} levels.`)
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) open.pop()
    else if (char >= DIGIT_0 && char <= DIGIT_9) at = endOfNumber(text, at)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && escaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function escaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
  return backslashes % 2 === 1
}

/** Some parsers read 1e400 as infinite, and a 30-digit integer as another one; where it is only stored, nobody would notice. */
function endOfNumber(text: string, start: number): number {
  numeral.lastIndex = start
  const [literal = ''] = numeral.exec(text) ?? []
  const value = Number(literal)
  const isLongInteger = literal.length > SURE_DIGITS && /^\d+$/.test(literal)
  if (value === Infinity || (isLongInteger && String(value) !== literal))
    throw invalid('The body has a number that is too large, or too long, to be kept as it is; send it as a string.')
  return start + literal.length - 1
}

const numeral = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Every integer of this many digits is one that a double keeps. */
const SURE_DIGITS = 15

function isName(text: string, end: number): boolean {
  let next = end + 1
  while (text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === COLON
}

function addName(names: Set<string>, literal: string): void {
  const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1)
  if (name === '__proto__') throw invalid('The body has a field named "__proto__", which is never accepted.')
  if (names.has(name))
    throw invalid('The body names a field twice in one object; which of the two counts would be a guess.')
  names.add(name)
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal // not JSON: the parser will say so
  }
}

/** What an escape can hide from a look at the text: a character that no column holds, or a card number. */
function refuseEscaped(value: unknown): void {
  if (typeof value === 'string') {
    refuseCardNumber(value, 'body')
    if (value.includes('\0'))
      throw invalid('A string of the body holds a NUL character (\\u0000), which is not accepted.')
    if (!value.isWellFormed()) throw invalid('A string of the body holds half of a surrogate pair, which is not text.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseEscaped(name)
      refuseEscaped(inner)
    }
  }
}

function invalid(message: string): ApiError {
  return new ApiError('json_invalid', message)
}
