import { z } from 'zod'

/** Which side of a default a schema describes: what may be sent (`input`), or what is answered (`output`). */
export type Direction = 'input' | 'output'

/**
 * A schema as JSON Schema 2020-12. Those with an id go to the components once and are referred to. One that reads
 * otherwise when it is sent, because of its defaults, stands in its place: generators of clients take a default for a
 * promise, except in a body that is sent.
 */
export function schemaOf(schema: z.ZodType, io: Direction, schemas: Json): Json {
  const { root, definitions } = read(schema, io)
  const inline = io === 'input' ? differing(definitions, read(schema, 'output').definitions) : new Set<string>()
  const resolve: Resolve = (id) => (inline.has(id) ? definitions[id] : `#/components/schemas/${id}`)
  for (const [id, definition] of Object.entries(definitions)) {
    if (!inline.has(id)) schemas[id] = resolved(definition, resolve)
  }
  return resolved(root, resolve)
}

/** What takes the place of a reference to an id: a definition, or the address of one. */
type Resolve = (id: string) => Json | string | undefined

interface Read {
  root: Json
  definitions: Record<string, Json>
}

/** Stands in an object of its own while it is read, so that it is treated like any field even if it has an id. */
function read(schema: z.ZodType, io: Direction): Read {
  const options = {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }: { jsonSchema: Json }) => tidy(jsonSchema, io),
  } as const
  // An object's schema as JSON Schema has its properties, and is JSON.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), options) as unknown as {
    properties: { root: Json }
    $defs?: Record<string, Json>
  }
  const definitions = Object.entries($defs).map(([name, { id: _, ...definition }]) => [name, definition] as const)
  return { root: properties.root, definitions: Object.fromEntries(definitions) }
}

/** Formats that say it in a word, where zod adds a long pattern. */
const formats: readonly unknown[] = ['date-time', 'email', 'uri']

/** Takes out what is true and helps no reader. */
function tidy(schema: Json, io: Direction): void {
  if (formats.includes(schema['format'])) delete schema['pattern']
  if ('default' in schema && JSON.stringify(schema['examples']) === JSON.stringify([schema['default']]))
    delete schema['examples']
  // Answers may get further fields at any time; a reader must not be told otherwise.
  if (io === 'output' && schema['additionalProperties'] === false) delete schema['additionalProperties']
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}') delete schema['propertyNames']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) {
    delete schema['minimum']
    if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  }
}

/** The ids whose definitions are not the same for both directions, or lead to such a one. */
function differing(sent: Record<string, Json>, answered: Record<string, Json>): Set<string> {
  const found = new Set(Object.keys(sent).filter((id) => JSON.stringify(sent[id]) !== JSON.stringify(answered[id])))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const [id, definition] of Object.entries(sent)) {
      if (referencesOf(definition).some((other) => found.has(other))) found.add(id)
    }
  }
  return found
}

function referencesOf(definition: Json): string[] {
  return [...JSON.stringify(definition).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, id = '']) => id)
}

function resolved(schema: Json, resolve: Resolve): Json {
  const rewrite = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rewrite)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...others } = value as Json // an object that is no array is one
    const rest = Object.fromEntries(Object.entries(others).map(([key, inner]) => [key, rewrite(inner)]))
    if (typeof $ref !== 'string') return orNull($ref === undefined ? rest : { ...rest, $ref: rewrite($ref) })
    const target = resolve($ref.replace('#/$defs/', ''))
    // What stands beside a reference says more than what it leads to.
    return typeof target === 'object' ? { ...resolved(target, resolve), ...rest } : { $ref: target, ...rest }
  }
  return rewrite(schema) as Json // rewrite keeps an object an object
}

/** What is either something or null, said as one: the text of the something is the text of the whole. */
function orNull(schema: Json): Json {
  const { anyOf, ...whole } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== 'null') return schema
  const { description, examples, ...something } = anyOf[0] as Json // the alternatives of a schema are schemas
  const told = {
    ...(description !== undefined && { description }),
    ...(examples !== undefined && { examples }),
    ...whole,
  }
  if (typeof something['type'] !== 'string' || 'const' in something)
    return { anyOf: [something, { type: 'null' }], ...told }
  const values = Array.isArray(something['enum']) ? { enum: [...something['enum'], null] } : {}
  return { ...something, ...values, type: [something['type'], 'null'], ...told }
}

/** What the parts of the document share: each is put here by its first use, and referred to. */
export interface Components {
  schemas: Json
  headers: Json
  examples: Json
}

/** A JSON object whose shape the code that makes it knows. */
export type Json = { [key: string]: unknown }
