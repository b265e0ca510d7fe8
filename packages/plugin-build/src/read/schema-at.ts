import type { JsonSchema } from '@tillwright/contract'
import type { JsonPath } from './json-pointer.ts'

/** The part of a schema that speaks of a path, or null where none does. Of branches the first that leads on is taken. */
export function schemaAt(schema: JsonSchema, path: JsonPath): JsonSchema | null {
  const [step, ...rest] = path
  if (step === undefined) return schema
  for (const branch of branchesOf(schema)) {
    const inner = typeof step === 'number' ? branch.items : (propertyOf(branch, step) ?? branch.additionalProperties)
    if (isSchema(inner)) return schemaAt(inner, rest)
  }
  return null
}

/** The schema itself, and what it may be instead. */
export function branchesOf(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [schema, ...inner.flatMap((branch) => (typeof branch === 'object' ? branchesOf(branch) : []))]
}

function propertyOf({ properties }: JsonSchema, name: string): unknown {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** Whether a schema has words of its own, and is no list of schemas. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
