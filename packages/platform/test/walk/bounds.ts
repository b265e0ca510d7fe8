import type { JsonSchema } from '@tillwright/contract'
import { typeOf } from './json-types.ts'

/** A value at or next to a bound that a schema states, and the keyword that states it. */
export interface Sample {
  rule: string
  value: unknown
}

/** Strings of which some break any pattern. */
const oddTexts = ['', ' ', '§', 'a b', 'x'.repeat(80), '../..', '0', 'usd', 'A']

/**
 * Values just outside the bounds of a schema.
 *
 * @param example A value inside, from which the others are made.
 */
export function* outside(schema: JsonSchema, example: unknown): Generator<Sample> {
  if (schema.const !== undefined) yield { rule: 'const', value: anotherThan([schema.const]) }
  else if (schema.enum !== undefined)
    yield* schema.enum.map((_, i, values) => ({ rule: 'enum', value: i === 0 ? anotherThan(values) : `${values[i]} ` }))
  else if (typeof example === 'string') yield* strings(schema, example)
  else if (typeof example === 'number') yield* numbersOutside(schema)
  else if (Array.isArray(example)) yield* arraysOutside(schema, example)
}

/** Values on the bounds of a schema, and each of an enumeration. */
export function* inside(schema: JsonSchema, example: unknown): Generator<Sample> {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  if (schema.enum !== undefined) yield* schema.enum.map((value) => ({ rule: 'enum', value }))
  else if (typeof example === 'string') {
    for (const [rule, length] of Object.entries({ minLength, maxLength })) {
      const value = length === undefined ? null : ofLength(example, length, schema)
      if (value !== null) yield { rule, value }
    }
  } else if (typeof example === 'number') {
    for (const [rule, value] of Object.entries({ minimum, maximum })) if (value !== undefined) yield { rule, value }
  } else if (Array.isArray(example)) {
    for (const [rule, length] of Object.entries({ minItems, maxItems }))
      if (length !== undefined) yield { rule, value: items(example, length) }
  }
}

function* strings(schema: JsonSchema, example: string): Generator<Sample> {
  const { minLength = 0, maxLength, pattern, format } = schema
  if (minLength > 0)
    yield { rule: 'minLength', value: ofLength(example, minLength - 1, schema) ?? 'x'.repeat(minLength - 1) }
  if (maxLength !== undefined)
    yield { rule: 'maxLength', value: ofLength(example, maxLength + 1, schema) ?? 'x'.repeat(maxLength + 1) }
  if (pattern !== undefined)
    yield* oddTexts
      .filter((text) => !new RegExp(pattern).test(text))
      .slice(0, 3)
      .map((value) => ({ rule: 'pattern', value }))
  else if (format !== undefined) yield { rule: 'format', value: 'not one' }
}

/** An example drawn out, or cut, to a length, so that it still has its form; `null` when it cannot be. */
function ofLength(example: string, length: number, { pattern = '', format }: JsonSchema): string | null {
  const form = new RegExp(pattern)
  const missing = 'a'.repeat(Math.max(0, length - example.length))
  for (let at = example.length; at >= 0; at--) {
    const text = (example.slice(0, at) + missing + example.slice(at)).slice(0, length)
    if (form.test(text) && (format !== 'uri' || URL.canParse(text))) return text
  }
  return null
}

function* numbersOutside(schema: JsonSchema): Generator<Sample> {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const isInteger = [type].flat().includes('integer')
  if (isInteger) yield { rule: 'integer', value: (minimum ?? 0) + 0.5 }
  if (minimum !== undefined) yield { rule: 'minimum', value: below(minimum, isInteger) }
  if (maximum !== undefined) yield { rule: 'maximum', value: -below(-maximum, isInteger) }
  for (const [rule, value] of Object.entries({ exclusiveMinimum, exclusiveMaximum }))
    if (typeof value === 'number') yield { rule, value }
  if (multipleOf !== undefined) yield { rule: 'multipleOf', value: (minimum ?? 0) + 1.5 * multipleOf }
}

/** The next number below: of all doubles, or of the whole ones. */
function below(bound: number, isInteger: boolean): number {
  return isInteger ? bound - 1 : bound - Math.max(Number.MIN_VALUE, Math.abs(bound) * Number.EPSILON)
}

function* arraysOutside(
  { minItems = 0, maxItems, uniqueItems }: JsonSchema,
  example: readonly unknown[],
): Generator<Sample> {
  if (minItems > 0) yield { rule: 'minItems', value: items(example, minItems - 1) }
  if (maxItems !== undefined) yield { rule: 'maxItems', value: items(example, maxItems + 1) }
  if (uniqueItems === true) yield { rule: 'uniqueItems', value: items(example.slice(0, 1), 2) }
}

/** The first item as often as it takes. */
function items(example: readonly unknown[], length: number): unknown[] {
  return Array.from({ length }, () => example[0])
}

function anotherThan(values: readonly unknown[]): unknown {
  const [first] = values
  switch (typeOf(first)) {
    case 'boolean':
      return first !== true
    case 'number':
      return Math.max(...values.map(Number)) + 1
    case 'string':
      return `${String(first)}x`
    case 'null':
    case 'array':
    case 'object':
      return 'x'
  }
}
