import type { JsonPath } from '../read/json-pointer.ts'
import { listOf, objectOf } from '../read/plain.ts'

/** A schema within a schema, and where it stands. */
export interface Subschema {
  path: JsonPath
  schema: Record<string, unknown>
}

/** What draft-07 keeps schemas in: one, a list of them, or an object of them by name. */
const ONE = [
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]
const LISTS = ['items', 'allOf', 'anyOf', 'oneOf']
const NAMED = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']

/** A schema and all that it holds, from the outside in. What is no object is no schema that could say something. */
export function subschemas(value: unknown, path: JsonPath = []): Subschema[] {
  const schema = objectOf(value)
  if (schema !== value && Object.keys(schema).length === 0) return []
  const inner = [
    ...ONE.filter((word) => !Array.isArray(schema[word])).map((word) => [schema[word], [...path, word]] as const),
    ...LISTS.flatMap((word) => listOf(schema[word]).map((one, index) => [one, [...path, word, index]] as const)),
    ...NAMED.flatMap((word) =>
      Object.entries(objectOf(schema[word])).map(([name, one]) => [one, [...path, word, name]] as const),
    ),
  ]
  return [{ path, schema }, ...inner.flatMap(([one, where]) => subschemas(one, where))]
}
