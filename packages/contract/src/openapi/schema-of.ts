import { z } from 'zod'
import type { JsonSchema } from '../examples.ts'

/** The side that a schema describes: requests, before defaults apply (`input`), or responses (`output`). */
export type Direction = 'input' | 'output'

/**
 * Converts a schema to JSON Schema 2020-12. Schemas with an id are defined in the components and referenced. Those that
 * differ between requests and responses, because of defaults, are inlined in requests: client generators treat a field
 * with a default as always present, except in a request body.
 */
export function schemaOf(schema: z.ZodType, io: Direction, schemas: Record<string, JsonSchema>): JsonSchema {
  const { root, definitions } = read(schema, io)
  const inline = io === 'input' ? differing(definitions, read(schema, 'output').definitions) : new Set<string>()
  const resolve: Resolve = (id) => (inline.has(id) ? definitions[id] : `#/components/schemas/${id}`)
  for (const [id, definition] of Object.entries(definitions)) {
    if (!inline.has(id)) schemas[id] ??= resolved(definition, resolve)
  }
  return resolved(root, resolve)
}

/** Resolves an id to the replacement of a reference: a definition, or the address of one. */
type Resolve = (id: string) => JsonSchema | string | undefined

interface Read {
  root: JsonSchema
  definitions: Record<string, JsonSchema>
}

/** Cache of schemas that were read: operations share most of them, such as that of errors. */
const known: Record<Direction, WeakMap<z.ZodType, Read>> = { input: new WeakMap(), output: new WeakMap() }

function read(schema: z.ZodType, io: Direction): Read {
  const found = known[io].get(schema) ?? readOnce(schema, io)
  known[io].set(schema, found)
  return found
}

/** Wraps the schema in an object while reading it, so that it is treated like any field even if it has an id. */
function readOnce(schema: z.ZodType, io: Direction): Read {
  const options = {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }: { jsonSchema: JsonSchema }) => tidy(jsonSchema, io),
  } as const
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), options)
  const root = properties?.['root']
  if (typeof root !== 'object') throw new Error('The JSON Schema of an object lacks its property.')
  const definitions = Object.entries($defs).map(([name, { id: _, ...definition }]) => [name, definition] as const)
  return { root, definitions: Object.fromEntries(definitions) }
}

/** Formats that need no pattern, where zod adds a long one. */
const formats: readonly unknown[] = ['date-time', 'email', 'uri']

/** Removes keywords that are true but do not help readers. */
function tidy(schema: JsonSchema, io: Direction): void {
  if (formats.includes(schema['format'])) delete schema['pattern']
  if ('default' in schema && JSON.stringify(schema['examples']) === JSON.stringify([schema['default']]))
    delete schema['examples']
  // Responses may get further fields at any time, so the document must not exclude them.
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties']
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) {
    delete schema['minimum']
    if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  }
}

/** The ids whose definitions differ between the two directions, directly or through a reference. */
function differing(sent: Record<string, JsonSchema>, answered: Record<string, JsonSchema>): Set<string> {
  const found = new Set(Object.keys(sent).filter((id) => JSON.stringify(sent[id]) !== JSON.stringify(answered[id])))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [id, definition] of Object.entries(sent)) {
      if (referencesOf(definition).some((other) => found.has(other))) found.add(id)
    }
  }
  return found
}

function referencesOf(definition: JsonSchema): string[] {
  return [...JSON.stringify(definition).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, id = '']) => id)
}

function resolved(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...others } = value as JsonSchema // an object that is not an array is a JSON object
    const rest = Object.fromEntries(Object.entries(others).map(([key, inner]) => [key, rewrite(inner)]))
    if (typeof $ref !== 'string') return orNull($ref === undefined ? rest : { ...rest, $ref: rewrite($ref) })
    const target = resolve($ref.replace('#/$defs/', ''))
    // Keywords next to a reference take precedence over its target.
    return typeof target === 'object' ? { ...resolved(target, resolve), ...rest } : { $ref: target, ...rest }
  }
  return rewrite(schema) as JsonSchema // rewrite keeps an object an object
}

/** Simplifies "something or null", and moves the description to the whole. */
function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...whole } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const { description, examples, ...something } = anyOf[0] as JsonSchema // the alternatives of a schema are schemas
  const annotations = {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...whole,
  }
  if (typeof something['type'] !== 'string' || 'const' in something)
    return { anyOf: [something, { type: 'null' }], ...annotations }
  const values = Array.isArray(something['enum']) ? { enum: [...something['enum'], null] } : {}
  return { ...something, ...values, type: [something['type'], 'null'], ...annotations }
}
