import type { z } from 'zod'

/** A rule of a schema that a value breaks, without a message yet. */
type BrokenRule = z.core.$ZodRawIssue

/**
 * The message for a broken rule that has none of its own, in words that continue the field's name: "must be a string,
 * not a number". Pass it as `error` when parsing a request.
 */
export function ruleMessage(rule: BrokenRule): string {
  switch (rule.code) {
    case 'invalid_type':
      return `must be ${kindNames[rule.expected] ?? 'another kind of value'}${received(rule)}`
    case 'invalid_value':
      return rule.values.length === 1
        ? `must be ${quoted(rule.values[0])}`
        : `must be one of ${rule.values.map(quoted).join(', ')}`
    case 'too_small':
      return sizeMessage(rule.origin, 'at least', { bound: rule.minimum, ...rule })
    case 'too_big':
      return sizeMessage(rule.origin, 'at most', { bound: rule.maximum, ...rule })
    case 'not_multiple_of':
      return `must be a multiple of ${rule.divisor}`
    case 'invalid_format':
      return (
        formatNames[rule.format] ?? `must have another form${rule.pattern === undefined ? '' : `: ${rule.pattern}`}`
      )
    case 'unrecognized_keys':
      return 'is not a field of this object; correct its name or leave it out'
    case 'invalid_key':
      return 'is not a name that this object accepts'
    case 'invalid_union':
      return `must be ${alternatives(rule.errors)}`
    case 'invalid_element':
    case 'custom':
      return 'is not valid'
  }
}

/** Names for the types that zod calls `expected`. */
const kindNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  safeint: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  tuple: 'a list',
  null: 'null',
  date: 'a date',
  nonoptional: 'present',
}

const formatNames: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address, such as "ada@example.com"',
  url: 'must be an absolute web address, such as "https://shop.example/tote.png"',
  datetime: 'must be an ISO 8601 timestamp in UTC with milliseconds, such as "2026-11-20T09:30:00.000Z"',
  date: 'must be a date, such as "2026-11-20"',
  base64: 'must be base64',
  base64url: 'must be base64url',
  ipv4: 'must be an IPv4 address',
  ipv6: 'must be an IPv6 address',
}

/** A query parameter that is no number arrives as NaN, which is nothing that anybody sent. */
function received({ input, expected }: { input?: unknown; expected: string }): string {
  if (Number.isNaN(input)) return ''
  if (typeof input === 'number' && kindNames[expected] === 'a whole number') return ''
  const kind = input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input
  const name = kind === 'boolean' ? 'a boolean' : kindNames[kind]
  return name === undefined ? '' : `, not ${name}`
}

interface Size {
  bound: number | bigint
  inclusive?: boolean
  exact?: boolean
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['name', 'names'],
}

function sizeMessage(origin: string, limit: 'at least' | 'at most', { bound, inclusive = true, exact }: Size): string {
  const unit = units[origin]
  if (unit === undefined) {
    if (inclusive) return `must be ${limit} ${bound}`
    return `must be ${limit === 'at least' ? 'more' : 'less'} than ${bound}`
  }
  const [one, many] = unit
  if (exact) return `must have exactly ${bound} ${bound === 1 ? one : many}`
  if (origin === 'string' && limit === 'at least' && bound === 1) return 'must not be empty'
  return `must have ${limit} ${bound} ${bound === 1 ? one : many}`
}

/** The kinds of value that a union accepts: "a string or a list". */
function alternatives(branches: readonly (readonly z.core.$ZodIssue[])[]): string {
  const kinds = branches.flatMap(([first]) =>
    first?.code === 'invalid_type' ? [kindNames[first.expected] ?? 'another kind of value'] : [],
  )
  return kinds.length === 0 ? 'one of the accepted values' : [...new Set(kinds)].join(' or ')
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}
