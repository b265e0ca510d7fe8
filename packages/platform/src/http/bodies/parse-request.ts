import { isObject } from '@tillwright/contract/json'
import {
  BODY_MAX_DEPTH,
  BODY_MAX_VALUES,
  BODY_NAME_MAX_CHARS,
  bodyLimitsOf,
  type ErrorCode,
  type ErrorIssue,
  isErrorCode,
  ISSUES_MAX,
  type Operation,
} from '@tillwright/contract'
import { ruleMessage } from '@tillwright/contract/rule-messages'
import { findJsonAmbiguity } from '@tillwright/emv-3ds/json-ambiguity'
import type { ZodType } from 'zod'
import { ApiError } from '../../runtime/index.ts'
import { refuseCardNumber, refusePrintedCardNumber } from './card-numbers.ts'

/** A request's parts before they are known to fit the contract. */
export interface RawRequest {
  params: Record<string, string>
  query: Record<string, string>
  contentType: string | undefined
  body: Uint8Array<ArrayBuffer>
}

/** A request's parts as the operation's schemas read them. */
export interface ParsedRequest {
  params: unknown
  query: unknown
  body: unknown
}

/** @throws {ApiError} With every problem of the request, at most 50; the first one gives code and `param`. */
export function parseRequest(operation: Operation, raw: RawRequest): ParsedRequest {
  return { ...parseParameters(operation, raw), body: parseBody(operation, raw) }
}

/** Everything except the body. */
export function parseParameters(
  { params, query }: Operation,
  raw: Pick<RawRequest, 'params' | 'query'>,
): Omit<ParsedRequest, 'body'> {
  return {
    params: params && check(params, withoutNul(raw.params)),
    query: query && check(query, withoutNul(raw.query)),
  }
}

/**
 * Only the body; `undefined` if the operation has none.
 *
 * @param raw.placeOf Where a place in `body` is in what was sent; the same place unless given.
 */
export function parseBody(operation: Operation, raw: RawBody): unknown {
  return operation.body && check(operation.body, jsonBody(raw, operation), operation.decided)
}

interface RawBody extends Pick<RawRequest, 'contentType' | 'body'> {
  placeOf?: (place: number) => number
}

/** An address can contain a NUL (%00), which the database cannot store. */
function withoutNul(values: Record<string, string>): Record<string, string> {
  for (const [param, value] of Object.entries(values)) {
    if (!value.includes('\0')) continue
    throw new ApiError('parameter_invalid', `${param} contains a NUL character (%00), which is not accepted.`, {
      param,
    })
  }
  return values
}

function jsonBody({ contentType, body, placeOf }: RawBody, operation: Operation): unknown {
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) {
    throw new ApiError(
      'content_type_unsupported',
      'Send the body as JSON, with the header "Content-Type: application/json".',
    )
  }
  return parseJson(body, { maxValues: bodyLimitsOf(operation).values, files: operation.files, placeOf })
}

function check(schema: ZodType, value: unknown, decided: Operation['decided'] = {}): unknown {
  const result = schema.safeParse(value, { error: ruleMessage })
  if (result.success) return result.data
  const issues = result.error.issues
    .flatMap(ofBranch)
    .flatMap((issue) => ofEachUnknown(issue, decided))
    .slice(0, ISSUES_MAX)
    .map((issue) => toIssue(issue, value))
  const [first] = issues
  const code: ErrorCode = isErrorCode(first?.code) ? first.code : 'parameter_invalid'
  throw new ApiError(code, first === undefined ? 'The request is invalid.' : sentence(first), {
    ...(first !== undefined && first.path !== '' && { param: first.path }),
    issues,
  })
}

type ZodIssue = NonNullable<ReturnType<ZodType['safeParse']>['error']>['issues'][number]

/** For a union, returns the problems of the intended branch: the one whose outer type fits. */
function ofBranch(issue: ZodIssue): readonly ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [meant] = issue.errors
    .filter((issues) => issues.every(({ path }) => path.length > 0))
    .toSorted((one, other) => one.length - other.length)
  return meant?.flatMap((inner) => ofBranch({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue]
}

/** Reports each unknown field of a strict object by its own name, one of the whole body with who decides it. */
function ofEachUnknown(issue: ZodIssue, decided: NonNullable<Operation['decided']>): readonly ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue]
  return issue.keys.map((key) => {
    const by = issue.path.length === 0 && Object.hasOwn(decided, key) ? decided[key] : undefined
    return { ...issue, keys: [key], path: [...issue.path, key], message: by ?? issue.message }
  })
}

function toIssue(issue: ZodIssue, value: unknown): ErrorIssue {
  const path = dotted(issue.path)
  const rule = ruleOf(issue)
  const ownCode = rule.code === 'custom' && isErrorCode(rule.params?.['code']) ? rule.params['code'] : null
  if (valueAt(value, issue.path) !== undefined)
    return { message: rule.message, path, code: ownCode ?? 'parameter_invalid' }
  // A rule between fields says itself why this one is required; a rule about a value says nothing about a missing one.
  const message = rule.code === 'custom' && ownCode === null ? rule.message : 'is required'
  return { message, path, code: 'parameter_missing' }
}

/** The issue of an invalid name is the inner one, from the rule for names. */
function ruleOf(issue: ZodIssue): ZodIssue {
  const [inner] = issue.code === 'invalid_key' ? issue.issues : []
  return inner ?? issue
}

/** `['variants', 0, 'name']` as `variants[0].name`. */
function dotted(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    // Reading any property of an object is safe; what comes back is only compared with undefined.
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[step] : undefined,
    value,
  )
}

function sentence({ path, message }: ErrorIssue): string {
  const text = `${path === '' ? 'The body' : path} ${/^[a-z]/.test(message) ? message : `is invalid: ${message}`}`
  return text.endsWith('.') ? text : `${text}.`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a body more strictly than `JSON.parse`: what two parsers could read differently, or a database could not keep,
 * is refused. Source: RFC 8259 sections 4 and 8, I-JSON (RFC 7493).
 *
 * @param options.maxValues How many values it may have: objects, arrays and what stands in them, names not counted.
 * @param options.files The field whose items are files, as the operation names it.
 * @param options.placeOf As in `parseBody`.
 * @throws {ApiError} `json_invalid` for invalid UTF-8 or JSON, nesting deeper than 64, more values than it may have, a
 *   repeated name, `__proto__`, a number that a double does not keep, a NUL or a lone surrogate in a string; `parameter_invalid` for a card number.
 */
export function parseJson(
  bytes: Uint8Array,
  { maxValues = BODY_MAX_VALUES, files, placeOf = (place) => place }: JsonRules = {},
): unknown {
  const text = decode(bytes)
  refuseAmbiguity(text, maxValues)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(
      `The body is not JSON: ${error instanceof SyntaxError ? position(error, placeOf) : 'it cannot be read'}.`,
    )
  }
  refuseBody(value, files)
  return value
}

interface JsonRules {
  maxValues?: number
  files?: string | undefined
  placeOf?: ((place: number) => number) | undefined
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw invalid('The body begins with a byte order mark; save or send it as UTF-8 without one.')
  }
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

/** Where the parser stopped, without quoting the text there: a body can contain secrets. */
function position({ message }: SyntaxError, placeOf: (place: number) => number): string {
  const [, at] = /at position (\d+)/.exec(message) ?? []
  return at === undefined ? 'it ends too early or is empty' : `syntax error at character ${placeOf(Number(at))}`
}

/** Refuses text that two parsers could read differently. */
function refuseAmbiguity(text: string, maxValues: number): void {
  const found = findJsonAmbiguity(text, { maxDepth: BODY_MAX_DEPTH, maxValues, maxNameChars: BODY_NAME_MAX_CHARS })
  switch (found?.kind) {
    case undefined:
      return
    case 'repeated_name':
      throw invalid('The body has the same field twice in one object; send it once.')
    case 'prototype_name':
      throw invalid('The body has a field named "__proto__", which is never accepted.')
    case 'too_deep':
      throw invalid(`The body is nested deeper than ${BODY_MAX_DEPTH} levels; send a flatter one.`)
    case 'too_many_values':
      throw tooManyValues(maxValues)
    case 'long_name':
      throw invalid(`The body has a field whose name is longer than ${BODY_NAME_MAX_CHARS} characters.`)
    case 'inexact_number':
      throw invalid('The body has a number that is too large, or too long, to be kept as it is; send it as a string.')
  }
}

/** The error for a body with more values than its operation accepts. */
export function tooManyValues(maxValues: number): ApiError {
  return invalid(`The body has more than the ${maxValues} values that this operation accepts; send it in parts.`)
}

/** Only the operation's own field of files is read as such: elsewhere, any name is the sender's choice. */
function refuseBody(value: unknown, files: string | undefined): void {
  if (files === undefined || !isObject(value)) return refuseValues(value)
  const { [files]: sent, ...rest } = value
  refuseValues(rest)
  if (Array.isArray(sent)) sent.forEach(refuseFile)
  else refuseValues(sent)
}

/** Refuses card numbers and characters that the database cannot store, in every name and value. */
function refuseValues(value: unknown): void {
  if (typeof value === 'string') {
    refuseCardNumber(value, 'body')
    refuseUnkept(value)
  } else if (typeof value === 'number') {
    if (Number.isInteger(value)) refuseCardNumber(String(value), 'body')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      refuseValues(name)
      refuseValues(inner)
    }
  }
}

/** A plugin's file contains code or an image rather than data. */
function refuseFile(asset: unknown): void {
  if (!isObject(asset) || typeof asset['content'] !== 'string') return refuseValues(asset)
  const { content, ...rest } = asset
  refuseValues(rest)
  refusePrintedCardNumber(content)
  refuseUnkept(content)
}

/** Refuses text that a database cannot store. */
function refuseUnkept(text: string): void {
  if (text.includes('\0')) {
    throw invalid('A string in the body contains a NUL character (\\u0000), which is not accepted.')
  }
  if (!text.isWellFormed())
    throw invalid('A string in the body contains half of a surrogate pair, which is not valid text.')
}

function invalid(message: string): ApiError {
  return new ApiError('json_invalid', message)
}
