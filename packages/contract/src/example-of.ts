import type { z } from 'zod'
import { resolveSchema, type JsonSchema } from './resolve-schema.ts'

/**
 * Composes an example from a JSON Schema. Examples in the schema win, at every level; then a constant, the first of an
 * enumeration, a default. What is left is built by type: an object of all its properties, an array of as few items as
 * it may hold but at least one, the first branch that is not null, otherwise the least value within the bounds.
 *
 * @param root The document that references lead into.
 * @throws {Error} For a pattern that no plain text fits: its schema needs an example.
 */
export function exampleOf(schema: JsonSchema, root: JsonSchema = schema): unknown {
  return compose(schema, { root, open: [] })
}

/** `open` holds the references that are being followed, so that a schema which contains itself comes to an end. */
interface Place {
  root: JsonSchema
  open: readonly string[]
}

function compose(schema: JsonSchema | boolean | undefined, { root, open }: Place): unknown {
  const reference = typeof schema === 'object' ? schema.$ref : undefined
  if (reference !== undefined && open.includes(reference)) return null
  const place = { root, open: reference === undefined ? open : [...open, reference] }
  const resolved = resolveSchema(schema, root)
  const given = [...(resolved.examples ?? []), ...said(resolved, 'const'), ...(resolved.enum ?? [])]
  if (given.length > 0) return given[0]
  if (resolved.default !== undefined) return resolved.default
  const branches = resolved.anyOf ?? resolved.oneOf
  const branch = branches?.find((one) => firstType(resolveSchema(one, root)) !== 'null')
  return branch === undefined ? byType(resolved, place) : compose(branch, place)
}

/** A constant may be `null`, so that its presence counts. */
function said(schema: JsonSchema, keyword: 'const'): unknown[] {
  return keyword in schema ? [schema[keyword]] : []
}

function firstType({ type }: JsonSchema): z.core.JSONSchema.SchemaType {
  return [type ?? 'string'].flat()[0] ?? 'string'
}

function byType(schema: JsonSchema, place: Place): unknown {
  switch (firstType(schema)) {
    case 'object':
      return objectExample(schema, place)
    case 'array':
      return arrayExample(schema, place)
    case 'boolean':
      return true
    case 'null':
      return null
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'string':
      return stringExample(schema)
  }
}

function objectExample(schema: JsonSchema, place: Place): Record<string, unknown> {
  const { properties = {}, additionalProperties, propertyNames, required = [] } = schema
  const named = Object.entries(properties).map(([name, property]) => [name, compose(property, place)] as const)
  if (named.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(named)
  const names = required.length > 0 ? required : [String(compose(propertyNames ?? { type: 'string' }, place))]
  return Object.fromEntries(names.map((name) => [name, compose(additionalProperties, place)]))
}

function arrayExample({ items, minItems = 1 }: JsonSchema, place: Place): unknown[] {
  const item = compose(Array.isArray(items) ? items[0] : items, place)
  return Array.from({ length: Math.max(1, minItems) }, () => item)
}

function numberExample({ minimum, maximum, exclusiveMinimum }: JsonSchema): number {
  const least = minimum ?? (typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : 0)
  return Math.min(Math.max(0, least), maximum ?? Number.MAX_SAFE_INTEGER)
}

const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2030-01-31T12:00:00.000Z',
  date: '2030-01-31',
  email: 'ada@example.com',
  uri: 'https://shop.example/',
}
const plainTexts = ['text', 'USD', 'DE', '1']

function stringExample({ format = '', pattern = '', minLength = 0, maxLength = Infinity }: JsonSchema): string {
  const texts = [...(ofFormat[format] === undefined ? [] : [ofFormat[format]]), ...plainTexts]
  const fits = (text: string) => text.length <= maxLength && new RegExp(pattern).test(text)
  const found = texts.map((text) => text.padEnd(minLength, 'x')).find(fits)
  if (found === undefined) throw new Error(`No plain text fits the pattern ${pattern}: give its schema an example.`)
  return found
}
