import { z } from 'zod'
import { type EventType, eventTypes } from './resources/event-types.ts'

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

/** The `properties` of an event of the type, as the reference shows them: plausible values of nothing that exists. */
export function exampleProperties(type: EventType): Record<string, unknown> {
  const { shape } = eventTypes[type]
  return Object.fromEntries(
    Object.entries<z.ZodType>(shape).map(([name, field]) => [
      name,
      exampleOf(z.toJSONSchema(field, { unrepresentable: 'any' })),
    ]),
  )
}

/** JSON Schema, draft 2020-12, as zod and OpenAPI 3.1 write it. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * A schema together with what its `$ref` and its `allOf` bring, so that its own keywords tell everything but its
 * branches (`anyOf`, `oneOf`). Where several speak, the schema's own word counts, then the later of the others.
 *
 * @param schema `true`, `false` and `undefined` stand for a schema that says nothing.
 * @param root The document that references lead into.
 * @throws {Error} When a reference leads nowhere.
 */
export function resolveSchema(schema: JsonSchema | boolean | undefined, root: JsonSchema): JsonSchema {
  if (typeof schema !== 'object') return {}
  const { $ref, allOf = [], ...own } = schema
  const brought = [...($ref === undefined ? [] : [referred($ref, root)]), ...allOf]
  return [...brought.map((part) => resolveSchema(part, root)), own].reduce(merged, {})
}

function referred(reference: string, root: JsonSchema): JsonSchema {
  const steps = reference.split('/').slice(1)
  const found = steps.reduce<unknown>((inner, step) => (isSchema(inner) ? inner[step] : undefined), root)
  if (!isSchema(found)) throw new Error(`The reference ${reference} leads nowhere: add what it names to the document.`)
  return found
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [...(one.required ?? []), ...(other.required ?? [])]
  const properties = { ...one.properties, ...other.properties }
  return {
    ...one,
    ...other,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}
