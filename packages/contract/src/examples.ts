import { z } from 'zod'
import { type EventType, eventTypes } from './resources/event-types.ts'

/**
 * Composes an example from a JSON Schema. Examples in the schema take precedence at every level; then a constant, the
 * first value of an enumeration, and a default. Anything else is built by type: an object with all its properties, an
 * array with the minimum number of items but at least one, the first branch that is not null, otherwise the smallest
 * value within the bounds.
 *
 * @param root The document that contains the targets of references.
 * @param correct Corrects the composed example of a reference's target.
 * @throws {Error} For a pattern that no simple text matches: its schema needs an example.
 */
export function exampleOf(schema: JsonSchema, root: JsonSchema = schema, correct: Correct = asComposed): unknown {
  return compose(schema, { root, correct, open: [] })
}

/** Turns the composed example of a reference's target into the one to show. */
type Correct = (reference: string, example: unknown) => unknown
const asComposed: Correct = (_, example) => example

/** `open` contains the references being followed, so that a recursive schema comes to an end. */
interface ExampleContext {
  root: JsonSchema
  correct: Correct
  open: readonly string[]
}

function compose(schema: JsonSchema | boolean | undefined, context: ExampleContext): unknown {
  const reference = typeof schema === 'object' ? schema.$ref : undefined
  if (reference === undefined) return composeHere(schema, context)
  if (context.open.includes(reference)) return null
  return context.correct(reference, composeHere(schema, { ...context, open: [...context.open, reference] }))
}

function composeHere(schema: JsonSchema | boolean | undefined, context: ExampleContext): unknown {
  const { root } = context
  const resolved = resolveSchema(schema, root)
  const given = [...(resolved.examples ?? []), ...constOf(resolved, 'const'), ...(resolved.enum ?? [])]
  if (given.length > 0) return given[0]
  if (resolved.default !== undefined) return resolved.default
  const branches = resolved.anyOf ?? resolved.oneOf
  const branch = branches?.find((one) => firstType(resolveSchema(one, root)) !== 'null')
  return branch === undefined ? byType(resolved, context) : compose(branch, context)
}

/** A constant may be `null`, so its presence counts. */
function constOf(schema: JsonSchema, keyword: 'const'): unknown[] {
  return keyword in schema ? [schema[keyword]] : []
}

function firstType({ type }: JsonSchema): z.core.JSONSchema.SchemaType {
  return [type ?? 'string'].flat()[0] ?? 'string'
}

function byType(schema: JsonSchema, context: ExampleContext): unknown {
  switch (firstType(schema)) {
    case 'object':
      return objectExample(schema, context)
    case 'array':
      return arrayExample(schema, context)
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

function objectExample(schema: JsonSchema, context: ExampleContext): Record<string, unknown> {
  const { properties = {}, additionalProperties, propertyNames, required = [] } = schema
  const named = Object.entries(properties).map(([name, property]) => [name, compose(property, context)] as const)
  if (named.length > 0 || typeof additionalProperties !== 'object') return Object.fromEntries(named)
  const names = required.length > 0 ? required : [String(compose(propertyNames ?? { type: 'string' }, context))]
  return Object.fromEntries(names.map((name) => [name, compose(additionalProperties, context)]))
}

function arrayExample({ items, minItems = 1 }: JsonSchema, context: ExampleContext): unknown[] {
  const item = compose(Array.isArray(items) ? items[0] : items, context)
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
  if (found === undefined) throw new Error(`No simple text matches the pattern ${pattern}: give its schema an example.`)
  return found
}

/**
 * Example `properties` of an event of this type, as shown in the reference: plausible values for objects that do not
 * exist.
 */
export function exampleProperties(type: EventType): Record<string, unknown> {
  const { shape } = eventTypes[type]
  const composed = Object.entries<z.ZodType>(shape).map(([name, field]) => [
    name,
    exampleOf(z.toJSONSchema(field, { unrepresentable: 'any' })),
  ])
  return { ...Object.fromEntries(composed), ...afterwards[type] }
}

/** The properties that say what an event of the type has led to. */
const afterwards: { readonly [Type in EventType]?: Record<string, unknown> } = {
  s_payment_created: { status: 'processing' },
  s_payment_action_required: { status: 'requires_action' },
  s_payment_authorized: { status: 'authorized' },
  s_payment_capture_failed: { status: 'authorized' },
  s_payment_canceled: { status: 'canceled' },
  s_payment_void_failed: { status: 'authorized' },
  s_payment_refunded: { status: 'partially_refunded' },
  s_payment_failed: { status: 'declined' },
  s_dispute_won: { status: 'won' },
  s_dispute_lost: { status: 'lost' },
  s_subscription_past_due: { status: 'past_due' },
  s_subscription_action_required: { status: 'past_due' },
  s_subscription_paused: { status: 'paused' },
  s_subscription_canceled: { status: 'canceled' },
}

/** JSON Schema, draft 2020-12, as generated by zod and used by OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.JSONSchema

/**
 * Merges a schema with the targets of its `$ref` and `allOf`, so that its own keywords describe everything except
 * branches (`anyOf`, `oneOf`). The schema's own keywords take precedence, then later entries.
 *
 * @param schema `true`, `false` and `undefined` count as an empty schema.
 * @param root The document that contains the targets of references.
 * @throws {Error} If a reference has no target.
 */
export function resolveSchema(schema: JsonSchema | boolean | undefined, root: JsonSchema): JsonSchema {
  if (typeof schema !== 'object') return {}
  const { $ref, allOf = [], ...own } = schema
  const inherited = [...($ref === undefined ? [] : [targetOf($ref, root)]), ...allOf]
  return [...inherited.map((part) => resolveSchema(part, root)), own].reduce(merge, {})
}

function targetOf(reference: string, root: JsonSchema): JsonSchema {
  const steps = reference.split('/').slice(1)
  const found = steps.reduce<unknown>((inner, step) => (isSchema(inner) ? inner[step] : undefined), root)
  if (!isSchema(found)) throw new Error(`The reference ${reference} has no target: add it to the document.`)
  return found
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const required = [...(one.required ?? []), ...(other.required ?? [])]
  const properties = { ...one.properties, ...other.properties }
  return {
    ...one,
    ...other,
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  }
}
