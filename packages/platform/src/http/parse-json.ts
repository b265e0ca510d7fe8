import { BODY_MAX_DEPTH, BODY_MAX_VALUES, BODY_NAME_MAX_CHARS } from '@tillwright/contract'
import { ApiError } from '../ambient/api-error.ts'
import { findJsonAmbiguity } from '../ambient/find-json-ambiguity.ts'
import { refuseCardNumber } from './refuse-card-number.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a body more strictly than `JSON.parse`: what two parsers could read differently, or a database could not keep,
 * is refused. Source: RFC 8259 sections 4 and 8, I-JSON (RFC 7493).
 *
 * @param maxValues How many values it may have: objects, arrays and what stands in them, names not counted.
 * @throws {ApiError} `json_invalid` for invalid UTF-8 or JSON, nesting deeper than 64, more values than it may have, a
 *   repeated name, `__proto__`, a number that a double does not keep, a NUL or a lone surrogate in a string; `parameter_invalid` for a card number.
 */
export function parseJson(bytes: Uint8Array, maxValues = BODY_MAX_VALUES): unknown {
  const text = decode(bytes)
  refuseAmbiguity(text, maxValues)
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

/** Says of whatever could be read in two ways why it is refused. */
function refuseAmbiguity(text: string, maxValues: number): void {
  const found = findJsonAmbiguity(text, { maxDepth: BODY_MAX_DEPTH, maxValues, maxNameChars: BODY_NAME_MAX_CHARS })
  switch (found?.kind) {
    case undefined:
      return
    case 'repeated_name':
      throw invalid('The body names a field twice in one object; which of the two counts would be a guess.')
    case 'prototype_name':
      throw invalid('The body has a field named "__proto__", which is never accepted.')
    case 'too_deep':
      throw invalid(`The body is nested deeper than ${BODY_MAX_DEPTH} levels.`)
    case 'too_many_values':
      throw invalid(`The body has more than ${maxValues} values, the most that this operation takes; send it in parts.`)
    case 'long_name':
      throw invalid(`The body has a field whose name is longer than ${BODY_NAME_MAX_CHARS} characters.`)
    case 'inexact_number':
      throw invalid('The body has a number that is too large, or too long, to be kept as it is; send it as a string.')
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
