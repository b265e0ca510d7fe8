import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'

const document = openApi('1.2.3', ['https://api.tillwright.test'])

interface Schema {
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  allOf?: Schema[]
}
/** A schema in the document with a readable name of its location. */
interface NamedSchema {
  name: string
  schema: Schema
}

const components = document['components'] as { schemas: Record<string, Schema>; headers: Record<string, Header> } // as openApi() writes it
interface Header {
  description?: string
  schema: Schema
}

test('every field of every request, response and event has a description', () => {
  const silent = [...fields()].filter(({ schema }) => textOf(schema) === '').map(({ name }) => name)
  expect(silent).toEqual([])
})

test('every field of every request, response and event has an example', () => {
  const blank = [...fields()].filter(({ schema }) => !showsItself(schema)).map(({ name }) => name)
  expect(blank).toEqual([])
})

test('there are hundreds of fields to check', () => {
  expect([...fields()].length).toBeGreaterThan(200)
})

test('every description is a sentence', () => {
  for (const { name, schema } of fields()) expect(textOf(schema), name).toMatch(/^[^a-z].*[.]$/)
})

test('every operation and webhook has more than a name', () => {
  for (const { name, operation } of operations()) expect(operation.description, name).toMatch(/\w+ \w+.*\./)
})

/** Each property of each reachable schema, once. */
function* fields(): Generator<NamedSchema> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* within({ name, schema })
  for (const [name, header] of Object.entries(components.headers)) yield asField(name, header)
  for (const { name, operation } of operations()) {
    for (const parameter of operation.parameters) yield asField(`${name} ${parameter.name}`, parameter)
    for (const schema of schemasOf(operation.requestBody)) yield* within({ name, schema })
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const schema of schemasOf(response)) yield* within({ name: `${name} ${status}`, schema })
    }
  }
}

/** A parameter or a header, whose description is next to its schema. */
function asField(name: string, { description = '', schema }: Header): NamedSchema {
  return { name, schema: { ...schema, description } }
}

/** The fields below a schema. Targets of references are visited where they are defined. */
function* within({ name, schema }: NamedSchema): Generator<NamedSchema> {
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    const place = { name: `${name}.${key}`, schema: inner }
    yield place
    yield* within(place)
  }
  if (schema.items) yield* within({ name: `${name}[]`, schema: schema.items })
  if (typeof schema.additionalProperties === 'object') {
    yield* within({ name: `${name}{}`, schema: schema.additionalProperties })
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) yield* within({ name, schema: part })
}

function textOf(schema: Schema): string {
  return schema.description ?? (schema.$ref === undefined ? '' : textOf(target(schema.$ref)))
}

/** Whether a schema has an example: its own, or those of all its parts. */
function showsItself(schema: Schema): boolean {
  if (['examples', 'const', 'enum', 'default'].some((keyword) => keyword in schema)) return true
  if (schema.$ref !== undefined) return showsItself(target(schema.$ref))
  if (schema.items !== undefined) return showsItself(schema.items)
  const parts = schema.anyOf ?? schema.allOf
  if (parts !== undefined) return parts.some(showsItself)
  return schema.properties !== undefined // its fields are checked one by one
}

function target(reference: string): Schema {
  return components.schemas[reference.replace('#/components/schemas/', '')] ?? {}
}

interface Described {
  description?: string
  parameters: (Header & { name: string })[]
  requestBody?: Content
  responses: Record<string, Content>
}
interface Content {
  content?: Record<string, { schema: Schema }>
}

function* operations(): Generator<{ name: string; operation: Described }> {
  const webhooks = document['webhooks'] as Record<string, Record<string, Described>> // as openApi() writes it
  const paths = document.paths as Record<string, Record<string, Described>> // likewise
  for (const [path, methods] of [...Object.entries(paths), ...Object.entries(webhooks)]) {
    for (const [method, operation] of Object.entries(methods)) yield { name: `${method} ${path}`, operation }
  }
}

function schemasOf(part: Content | undefined): Schema[] {
  return Object.values(part?.content ?? {}).map(({ schema }) => schema)
}
