import { type JsonSchema, pluginFileSchema } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import { atKey, type Finding, type JsonDocument, type JsonPath, keyAt, nearMiss, shortened } from '../json/index.ts'

const fileSchema: JsonSchema = pluginFileSchema()

/** A warning for every unknown key that does not start with `x-`. Objects with arbitrary keys have none. */
export function unknownKeys(document: JsonDocument): Finding[] {
  return inValue(document, { path: [], value: document.value, schema: fileSchema })
}

interface Place {
  path: JsonPath
  value: unknown
  schema: JsonSchema
}

function inValue(document: JsonDocument, { path, value, schema }: Place): Finding[] {
  const branches = branchesOf(schema)
  if (Array.isArray(value)) {
    const items = branches.map((branch) => branch.items).find((inner) => isSchema(inner))
    return isSchema(items)
      ? value.flatMap((item, index) => inValue(document, { path: [...path, index], value: item, schema: items }))
      : []
  }
  const properties = branches.find((branch) => branch.properties !== undefined)?.properties
  if (typeof value !== 'object' || value === null || properties === undefined) return []
  const free = new Set(Object.keys(properties).filter((name) => !Object.hasOwn(value, name)))
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (isSchema(known)) return inValue(document, { path: [...path, key], value: inner, schema: known })
    return key.startsWith('x-') ? [] : [unknown(document, [...path, key], free)]
  })
}

/** @param free The known names that are not used yet; each is suggested once. */
function unknown(document: JsonDocument, path: JsonPath, free: Set<string>): Finding {
  const key = String(path.at(-1))
  const meant = nearMiss(key, free)
  if (meant !== null) free.delete(meant)
  const node = keyAt(document, path)
  return atKey(document, path, {
    code: 'unknown-key',
    severity: 'warning',
    rule: `"${shortened(key)}" is not a key here; it is kept unchanged.`,
    fix:
      meant === null
        ? 'Remove it, or start its name with "x-" if it is your own.'
        : `Did you mean "${meant}"? A key of your own starts with "x-".`,
    ...(meant !== null &&
      node !== undefined && {
        repair: [{ offset: node.offset, length: node.length, content: JSON.stringify(meant) }],
      }),
  })
}

/**
 * The part of a schema that describes a path, or null if there is none. Of several branches, the first that matches is
 * used.
 */
export function schemaAt(schema: JsonSchema, path: JsonPath): JsonSchema | null {
  const [step, ...rest] = path
  if (step === undefined) return schema
  for (const branch of branchesOf(schema)) {
    const inner = typeof step === 'number' ? branch.items : (propertyOf(branch, step) ?? branch.additionalProperties)
    if (isSchema(inner)) return schemaAt(inner, rest)
  }
  return null
}

/** The schema itself and its alternatives. */
function branchesOf(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [schema, ...inner.flatMap((branch) => (typeof branch === 'object' ? branchesOf(branch) : []))]
}

function propertyOf({ properties }: JsonSchema, name: string): unknown {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** Whether a value is a schema object rather than a list of schemas. */
function isSchema(value: unknown): value is JsonSchema {
  return isObject(value)
}
