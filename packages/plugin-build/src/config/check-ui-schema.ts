import type { Finding } from '../read/finding.ts'
import { atKey, atValue, type JsonDocument } from '../read/json-document.ts'
import { shortened, spoken, type JsonPath } from '../read/json-pointer.ts'
import { nearMiss } from '../read/near-miss.ts'
import { listOf, objectOf } from '../read/plain.ts'
import { fieldsOf, itemsOf } from './fields-of.ts'
import { uiWords } from './ui-words.ts'

/** What a uiSchema says of fields that the schema does not have, or in words that forms do not read. */
export function checkUiSchema(document: JsonDocument, schema: Record<string, unknown>): Finding[] {
  return inObject({ document, root: schema }, { path: [], value: document.value, schemas: [schema] })
}

/** What stays the same on the way down. */
interface Check {
  document: JsonDocument
  root: Record<string, unknown>
}

/** One object of the uiSchema, and the schemas that may speak of its field. */
interface Place {
  path: JsonPath
  value: unknown
  schemas: readonly unknown[]
}

function inObject(check: Check, place: Place): Finding[] {
  const fields = fieldsOf(check.root, place.schemas)
  const names = [...fields.keys()]
  return Object.entries(objectOf(place.value)).flatMap(([key, value]) => {
    const path = [...place.path, key]
    if (key.startsWith('ui:')) return [...word(check, path, key), ...order(check, { path, value, names })]
    if (fields.has(key)) return inObject(check, { path, value, schemas: fields.get(key) ?? [] })
    if (key === 'items') return inItems(check, { path, value, schemas: itemsOf(check.root, place.schemas) })
    if (key === 'anyOf' || key === 'oneOf' || key === 'additionalProperties' || key === 'additionalItems') return []
    if (names.length === 0) return [] // a schema that names no field allows any
    return [noField(check, path, names)]
  })
}

function inItems(check: Check, place: Place): Finding[] {
  if (!Array.isArray(place.value)) return inObject(check, place)
  return place.value.flatMap((value, index) => inObject(check, { ...place, path: [...place.path, index], value }))
}

function word({ document }: Check, path: JsonPath, key: string): Finding[] {
  const said = key.slice('ui:'.length)
  if (uiWords.includes(said)) return []
  const meant = nearMiss(said, uiWords)
  return [
    atKey(document, path, {
      code: 'ui-unknown-key',
      severity: 'warning',
      rule: `Forms know no "${shortened(key)}"; it is kept, and says nothing.`,
      fix:
        meant === null
          ? 'Take it out, or put it into "ui:options" if a widget of your own reads it.'
          : `Did you mean "ui:${meant}"?`,
    }),
  ]
}

function noField({ document }: Check, path: JsonPath, names: readonly string[]): Finding {
  const meant = nearMiss(String(path.at(-1)), names)
  return atKey(document, path, {
    code: 'ui-unknown-field',
    severity: 'warning',
    rule: `${spoken(path)} must be a field that the schema has.`,
    fix: meant === null ? 'Take it out, or add the field to the schema.' : `Did you mean "${meant}"?`,
  })
}

interface Named {
  path: JsonPath
  value: unknown
  /** The fields that there are. */
  names: readonly string[]
}

/** The words whose values name fields: `ui:order`, and the groups in `ui:groups` or `ui:options`. */
function order(check: Check, { path, value, names }: Named): Finding[] {
  const said = path.at(-1)
  if (said === 'ui:groups') return inGroups(check, { path, value, names })
  if (said === 'ui:order') {
    return [...inList(check, { path, value, names: [...names, '*'] }), ...incomplete(check, { path, value, names })]
  }
  const { order: inner, groups } = said === 'ui:options' ? objectOf(value) : {}
  return [
    ...(inner === undefined ? [] : inList(check, { path: [...path, 'order'], value: inner, names: [...names, '*'] })),
    ...(groups === undefined ? [] : inGroups(check, { path: [...path, 'groups'], value: groups, names })),
  ]
}

function inList({ document }: Check, { path, value, names }: Named): Finding[] {
  if (!Array.isArray(value)) {
    return [
      atValue(document, path, {
        code: 'ui-invalid',
        rule: `${spoken(path)} must be a list of fields.`,
        fix: 'Write ["first", "second", "*"].',
      }),
    ]
  }
  return value.flatMap((name, index) =>
    names.includes(String(name)) ? [] : [notAField(document, [...path, index], { name, names })],
  )
}

function notAField(
  document: JsonDocument,
  path: JsonPath,
  { name, names }: { name: unknown; names: readonly string[] },
): Finding {
  const meant = nearMiss(String(name), names)
  return atValue(document, path, {
    code: 'ui-unknown-field',
    severity: 'warning',
    rule: `${spoken(path)} must be a field that the schema has, but there is no "${shortened(String(name))}".`,
    fix: meant === null ? 'Take it out, or add the field to the schema.' : `Did you mean "${meant}"?`,
  })
}

/** A form refuses to show an object whose order leaves fields out. */
function incomplete({ document }: Check, { path, value, names }: Named): Finding[] {
  const named = listOf(value)
  const left = named.includes('*') ? [] : names.filter((name) => !named.includes(name))
  if (left.length === 0) return []
  const shown = left.slice(0, 5).map((name) => `"${shortened(name)}"`)
  return [
    atValue(document, path, {
      code: 'ui-invalid',
      rule: `${spoken(path)} must name every field, or hold "*" for the others: ${shown.join(', ')} ${left.length === 1 ? 'is' : 'are'} left out.`,
      fix: 'Add "*" where the others are to stand.',
    }),
  ]
}

/** Groups are a list of `{ title, fields }`, or an object of such or of lists of fields by their titles. */
function inGroups(check: Check, { path, value, names }: Named): Finding[] {
  const groups = Array.isArray(value) ? [...value.entries()] : Object.entries(objectOf(value))
  return groups.flatMap(([key, group]) => {
    if (Array.isArray(group)) return inList(check, { path: [...path, key], value: group, names })
    const { fields, groups: inner } = objectOf(group)
    return [
      ...(fields === undefined ? [] : inList(check, { path: [...path, key, 'fields'], value: fields, names })),
      ...(inner === undefined ? [] : inGroups(check, { path: [...path, key, 'groups'], value: inner, names })),
    ]
  })
}
