import { pluginFileSchema, type JsonSchema } from '@tillwright/contract'
import type { Finding } from './finding.ts'
import { atKey, keyAt, type JsonDocument } from './json-document.ts'
import { shortened, type JsonPath } from './json-pointer.ts'
import { nearMiss } from './near-miss.ts'
import { branchesOf, isSchema } from './schema-at.ts'

const fileSchema: JsonSchema = pluginFileSchema()

/** A warning for every key that nobody knows and that does not begin with `x-`. Objects of any names have none. */
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

/** @param free The known names that no key has yet; a name is proposed once. */
function unknown(document: JsonDocument, path: JsonPath, free: Set<string>): Finding {
  const key = String(path.at(-1))
  const meant = nearMiss(key, free)
  if (meant !== null) free.delete(meant)
  const node = keyAt(document, path)
  return atKey(document, path, {
    code: 'unknown-key',
    severity: 'warning',
    rule: `No key is called "${shortened(key)}" here; it is kept as it is.`,
    fix:
      meant === null
        ? 'Take it out, or begin its name with "x-" if it is your own.'
        : `Did you mean "${meant}"? A key of your own begins with "x-".`,
    ...(meant !== null &&
      node !== undefined && {
        repair: [{ offset: node.offset, length: node.length, content: JSON.stringify(meant) }],
      }),
  })
}
