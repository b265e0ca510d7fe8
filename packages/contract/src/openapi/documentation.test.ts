import { expect, test } from 'vitest'
import type { JsonSchema } from '../examples.ts'
import type { Header, Parameter } from './document.ts'
import { openApi } from './openapi.ts'

const { components, paths, webhooks } = openApi('1.2.3', ['https://api.tillwright.test'])

/** A schema in the document with a readable name of its location. */
interface NamedSchema {
  name: string
  schema: JsonSchema
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
function asField(name: string, { description, schema }: Header | Parameter): NamedSchema {
  return { name, schema: { ...schema, description } }
}

/** The fields below a schema. Targets of references are visited where they are defined. */
function* within({ name, schema }: { name: string; schema: Schema }): Generator<NamedSchema> {
  const { properties = {}, items, additionalProperties, anyOf = [], allOf = [] } = keywordsOf(schema)
  for (const [key, inner] of Object.entries(properties)) {
    const place = { name: `${name}.${key}`, schema: keywordsOf(inner) }
    yield place
    yield* within(place)
  }
  if (typeof items === 'object' && !Array.isArray(items)) yield* within({ name: `${name}[]`, schema: items })
  if (typeof additionalProperties === 'object') yield* within({ name: `${name}{}`, schema: additionalProperties })
  for (const part of [...anyOf, ...allOf]) yield* within({ name, schema: part })
}

type Schema = JsonSchema | boolean | undefined

function keywordsOf(schema: Schema): JsonSchema {
  return typeof schema === 'object' ? schema : {}
}

function textOf({ description, $ref }: JsonSchema): string {
  return description ?? ($ref === undefined ? '' : textOf(target($ref)))
}

/** Whether a schema has an example: its own, or those of all its parts. */
function showsItself(schema: Schema): boolean {
  const { $ref, items, anyOf, allOf, properties, ...others } = keywordsOf(schema)
  if (['examples', 'const', 'enum', 'default'].some((keyword) => keyword in others)) return true
  if ($ref !== undefined) return showsItself(target($ref))
  if (items !== undefined) return !Array.isArray(items) && showsItself(items)
  const parts = anyOf ?? allOf
  if (parts !== undefined) return parts.some(showsItself)
  return properties !== undefined // its fields are checked one by one
}

function target(reference: string): JsonSchema {
  return components.schemas[reference.replace('#/components/schemas/', '')] ?? {}
}

function* operations(): Generator<{ name: string; operation: Described }> {
  const described: [path: string, methods: Record<string, Described>][] = [
    ...Object.entries(paths),
    ...Object.entries(webhooks),
  ]
  for (const [path, methods] of described) {
    for (const [method, operation] of Object.entries(methods)) yield { name: `${method} ${path}`, operation }
  }
}

/** Documented parts that operations and events share. */
interface Described {
  description: string
  parameters: readonly Parameter[]
  requestBody?: Bodies
  responses: Record<string, Bodies>
}
interface Bodies {
  description?: string
  content?: Record<string, { schema: JsonSchema }>
}

function schemasOf(part: Bodies | undefined): JsonSchema[] {
  return Object.values(part?.content ?? {}).map(({ schema }) => schema)
}
