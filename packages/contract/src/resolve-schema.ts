import type { z } from 'zod'

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
