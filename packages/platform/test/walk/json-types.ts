import { type JsonSchema, resolveSchema } from '@tillwright/contract'

/** The types of JSON values. Whether a number is whole is a bound of its own here. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const all: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']

/** The type of a value that was, or could have been, read from JSON. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return all.find((type) => type === typeof value) ?? 'object'
}

/** The shapes that a schema lets its value choose from: itself when it has no branches. */
export function branchesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const resolved = resolveSchema(schema, root)
  const branches = resolved.anyOf ?? resolved.oneOf
  return branches === undefined ? [resolved] : branches.flatMap((branch) => branchesOf(branch, root))
}

/** The types that a schema without branches allows: all where it says nothing of them. */
export function typesOf({ type, const: constant, enum: values }: JsonSchema): readonly JsonType[] {
  if (constant !== undefined) return [typeOf(constant)]
  if (values !== undefined) return values.map(typeOf)
  if (type === undefined) return all
  return [type].flat().map((one) => (one === 'integer' ? 'number' : one))
}
