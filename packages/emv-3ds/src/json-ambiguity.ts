/** Why two parsers could read a text differently. For a duplicate, its name is included. */
export type JsonAmbiguity =
  | { kind: 'repeated_name'; name: string }
  | { kind: 'prototype_name' }
  | { kind: 'too_deep' }
  | { kind: 'too_many_values' }
  | { kind: 'long_name' }
  | { kind: 'inexact_number' }

/** Limits for the text. */
export interface JsonLimits {
  /** Levels of nesting. */
  maxDepth: number
  /** Number of values, including objects and arrays but not names; unlimited by default. */
  maxValues?: number
  /** Length of a name as written, including escapes; unlimited by default. */
  maxNameChars?: number
}

/**
 * Finds the first ambiguity in a JSON text that two parsers could read differently: a duplicate name in an object,
 * `__proto__`, deep nesting, a number that a double cannot represent. Whether the text is valid JSON is left to
 * `JSON.parse`. Source: RFC 8259 sections 4 to 6, I-JSON (RFC 7493).
 *
 * @returns `null` for a text without ambiguity.
 */
export function findJsonAmbiguity(
  text: string,
  { maxDepth, maxValues = Infinity, maxNameChars = Infinity }: JsonLimits,
): JsonAmbiguity | null {
  let values = 0
  const open: (Set<string> | null)[] = [] // the names seen in each object around the position; null for an array
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = closingQuote(text, at)
      const names = open.at(-1)
      if (names && isName(text, end)) {
        if (end - at - 1 > maxNameChars) return { kind: 'long_name' }
        const found = addName(names, text.slice(at, end + 1))
        if (found !== null) return found
      } else values++
      at = end
    } else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
      open.push(char === OPEN_OBJECT ? new Set() : null)
      values++
      if (open.length > maxDepth) return { kind: 'too_deep' }
    } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) open.pop()
    else if (char >= DIGIT_0 && char <= DIGIT_9) {
      const end = endOfNumber(text, at)
      if (end === null) return { kind: 'inexact_number' }
      values++
      at = end
    } else if (char === TRUE || char === FALSE || char === NULL) values++
    if (values > maxValues) return { kind: 'too_many_values' }
  }
  return null
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const TRUE = 0x74 // each of these letters occurs once in its own word, and in neither of the others
const FALSE = 0x66
const NULL = 0x6e
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

/** Some parsers read 1e400 as infinity, and round a 30-digit integer; if it is only stored, no one would notice. */
function endOfNumber(text: string, start: number): number | null {
  numeral.lastIndex = start
  const [literal = ''] = numeral.exec(text) ?? []
  const value = Number(literal)
  const isLongInteger = literal.length > SURE_DIGITS && /^\d+$/.test(literal)
  if (value === Infinity || (isLongInteger && String(value) !== literal)) return null
  return start + literal.length - 1
}

const numeral = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Doubles represent every integer of this many digits exactly. */
const SURE_DIGITS = 15

function isName(text: string, end: number): boolean {
  let next = end + 1
  while (text.charCodeAt(next) <= 0x20) next++
  return text.charCodeAt(next) === COLON
}

function addName(names: Set<string>, literal: string): JsonAmbiguity | null {
  const name = literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1)
  if (name === '__proto__') return { kind: 'prototype_name' }
  if (names.has(name)) return { kind: 'repeated_name', name }
  names.add(name)
  return null
}

function unescaped(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal // not JSON: the parser will report it
  }
}
