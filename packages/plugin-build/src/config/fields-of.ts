import { pathOfPointer } from '../read/json-pointer.ts'
import { listOf, objectOf } from '../read/plain.ts'

type Schema = Record<string, unknown>

/** The fields that schemas of one object may bring, through references and conditions too, each with its schemas. */
export function fieldsOf(root: Schema, schemas: readonly unknown[]): Map<string, unknown[]> {
  const fields = new Map<string, unknown[]>()
  for (const schema of aboutTheSame(root, schemas)) {
    for (const [name, inner] of Object.entries(objectOf(schema['properties']))) {
      fields.set(name, [...(fields.get(name) ?? []), inner])
    }
  }
  return fields
}

/** The schemas of the items that schemas of one list may bring. */
export function itemsOf(root: Schema, schemas: readonly unknown[]): unknown[] {
  return aboutTheSame(root, schemas).flatMap(({ items }) => (items === undefined ? [] : items))
}

/** Schemas, and all that speaks of the same value: what they refer to, and what their conditions and choices bring. */
function aboutTheSame(root: Schema, schemas: readonly unknown[]): Schema[] {
  const seen = new Set(schemas) // a set is walked to its end, also while it grows; so circles end too
  for (const each of seen) for (const inner of besides(root, objectOf(each))) seen.add(inner)
  return [...seen].map(objectOf)
}

function besides(root: Schema, schema: Schema): unknown[] {
  const target = schema['$ref']
  return [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((word) => listOf(schema[word])),
    ...['if', 'then', 'else'].map((word) => schema[word]),
    ...Object.values(objectOf(schema['dependencies'])),
    ...(typeof target === 'string' ? [referred(root, target)] : []),
  ]
}

function referred(root: Schema, target: string): unknown {
  return pathOfPointer(target).reduce<unknown>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : objectOf(inner)[step]),
    root,
  )
}
