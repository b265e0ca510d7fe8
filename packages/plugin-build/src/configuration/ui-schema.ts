import {
  atKey,
  atValue,
  type Finding,
  type JsonDocument,
  type JsonPath,
  listOf,
  nearMiss,
  objectOf,
  pathOfPointer,
  pathText,
  renameKey,
  replaceValue,
  shortened,
} from '../json/index.ts'

/** Problems of a uiSchema: fields missing from the schema, and unknown keywords. */
export function checkUiSchema(document: JsonDocument, schema: Record<string, unknown>): Finding[] {
  return inObject({ document, root: schema }, { path: [], value: document.value, schemas: [schema] })
}

/** Constant during the walk. */
interface Check {
  document: JsonDocument
  root: Record<string, unknown>
}

/** An object of the uiSchema, and the schemas that may describe its field. */
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
    if (key.startsWith('ui:')) return [...checkWord(check, path, key), ...checkOrder(check, { path, value, names })]
    if (fields.has(key)) return inObject(check, { path, value, schemas: fields.get(key) ?? [] })
    if (key === 'items') return inItems(check, { path, value, schemas: itemsOf(check.root, place.schemas) })
    if (key === 'anyOf' || key === 'oneOf' || key === 'additionalProperties' || key === 'additionalItems') return []
    if (names.length === 0) return [] // a schema without named fields allows any
    return [unknownField(check, path, names)]
  })
}

function inItems(check: Check, place: Place): Finding[] {
  if (!Array.isArray(place.value)) return inObject(check, place)
  return place.value.flatMap((value, index) => inObject(check, { ...place, path: [...place.path, index], value }))
}

function checkWord({ document }: Check, path: JsonPath, key: string): Finding[] {
  const keyword = key.slice('ui:'.length)
  if (uiKeywords.includes(keyword)) return []
  const meant = nearMiss(keyword, uiKeywords)
  return [
    atKey(document, path, {
      code: 'ui-unknown-key',
      severity: 'warning',
      rule: `Forms do not support "${shortened(key)}"; it is kept but has no effect.`,
      fix:
        meant === null
          ? 'Remove it, or move it to "ui:options" if one of your widgets reads it.'
          : `Did you mean "ui:${meant}"?`,
      ...(meant !== null && { repair: renameKey(document, path, `ui:${meant}`) }),
    }),
  ]
}

function unknownField({ document }: Check, path: JsonPath, names: readonly string[]): Finding {
  const meant = nearMiss(String(path.at(-1)), names)
  return atKey(document, path, {
    code: 'ui-unknown-field',
    severity: 'warning',
    rule: `${pathText(path)} must be a field of the schema.`,
    fix: meant === null ? 'Remove it, or add the field to the schema.' : `Did you mean "${meant}"?`,
    ...(meant !== null && { repair: renameKey(document, path, meant) }),
  })
}

interface Named {
  path: JsonPath
  value: unknown
  /** The existing fields. */
  names: readonly string[]
}

/** Checks keywords whose values are field names: `ui:order`, and the groups in `ui:groups` or `ui:options`. */
function checkOrder(check: Check, { path, value, names }: Named): Finding[] {
  const keyword = path.at(-1)
  if (keyword === 'ui:groups') return inGroups(check, { path, value, names })
  if (keyword === 'ui:order') {
    return [
      ...inList(check, { path, value, names: [...names, '*'] }),
      ...incompleteOrder(check, { path, value, names }),
    ]
  }
  const { order: inner, groups } = keyword === 'ui:options' ? objectOf(value) : {}
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
        rule: `${pathText(path)} must be a list of fields.`,
        fix: 'Write ["first", "second", "*"].',
      }),
    ]
  }
  return value.flatMap((name, index) =>
    names.includes(String(name)) ? [] : [unknownListedField(document, [...path, index], { name, names })],
  )
}

function unknownListedField(
  document: JsonDocument,
  path: JsonPath,
  { name, names }: { name: unknown; names: readonly string[] },
): Finding {
  const meant = nearMiss(String(name), names)
  return atValue(document, path, {
    code: 'ui-unknown-field',
    severity: 'warning',
    rule: `${pathText(path)} must be a field of the schema, but there is no "${shortened(String(name))}".`,
    fix: meant === null ? 'Remove it, or add the field to the schema.' : `Did you mean "${meant}"?`,
    ...(meant !== null && { repair: replaceValue(document, path, meant) }),
  })
}

/** A form cannot show an object whose order leaves out fields. */
function incompleteOrder({ document }: Check, { path, value, names }: Named): Finding[] {
  const named = listOf(value)
  const left = named.includes('*') ? [] : names.filter((name) => !named.includes(name))
  if (left.length === 0) return []
  const shown = left.slice(0, 5).map((name) => `"${shortened(name)}"`)
  return [
    atValue(document, path, {
      code: 'ui-invalid',
      rule: `${pathText(path)} must name every field, or contain "*" for the others: ${shown.join(', ')} ${left.length === 1 ? 'is' : 'are'} left out.`,
      fix: 'Add "*" at the position of the others.',
    }),
  ]
}

/** Groups are a list of `{ title, fields }`, or an object of these or of lists of fields by title. */
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

type Schema = Record<string, unknown>

/**
 * The fields that schemas of one object may have, including those from references and conditions, each with its
 * schemas.
 */
function fieldsOf(root: Schema, schemas: readonly unknown[]): Map<string, unknown[]> {
  const fields = new Map<string, unknown[]>()
  for (const schema of sameValueSchemas(root, schemas)) {
    for (const [name, inner] of Object.entries(objectOf(schema['properties']))) {
      fields.set(name, [...(fields.get(name) ?? []), inner])
    }
  }
  return fields
}

/** The schemas of the items that schemas of one list may have. */
function itemsOf(root: Schema, schemas: readonly unknown[]): unknown[] {
  return sameValueSchemas(root, schemas).flatMap(({ items }) => (items === undefined ? [] : items))
}

/** All schemas for the same value: the given ones, their references, and their conditions and choices. */
function sameValueSchemas(root: Schema, schemas: readonly unknown[]): Schema[] {
  const seen = new Set(schemas) // iterating a set includes items added meanwhile, and circles end because items are unique
  for (const each of seen) for (const inner of appliedSchemas(root, objectOf(each))) seen.add(inner)
  return [...seen].map(objectOf)
}

function appliedSchemas(root: Schema, schema: Schema): unknown[] {
  const target = schema['$ref']
  return [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((word) => listOf(schema[word])),
    ...['if', 'then', 'else'].map((word) => schema[word]),
    ...Object.values(objectOf(schema['dependencies'])),
    ...(typeof target === 'string' ? [referencedSchema(root, target)] : []),
  ]
}

function referencedSchema(root: Schema, target: string): unknown {
  return pathOfPointer(target).reduce<unknown>(
    (inner, step) => (Array.isArray(inner) ? inner[Number(step)] : objectOf(inner)[step]),
    root,
  )
}

/**
 * The keywords allowed after `ui:` in a uiSchema: those of RJSF (its reference page "uiSchema" and the type
 * `UIOptionsBaseType`), the replaceable templates, and our own `groups`.
 */
const uiKeywords: readonly string[] = `
  field fieldReplacesAnyOrOneOf globalOptions definitions options widget order groups layout layoutGrid title
  description help placeholder label labels classNames style inline rows accept filePreview inputType
  autocomplete autocapitalize autofocus disabled readonly emptyValue enumDisabled enumNames enumOrder hideError
  rootFieldId addable orderable removable copyable duplicateKeySuffixSeparator submitButtonOptions
  allowClearTextInputs deprecatedHandling enableMarkdownInDescription enableMarkdownInHelp
  enableOptionalDataFieldForType additionalPropertyKeyDefault optionalDataControls optionsSchemaSelector name
  yearsRange format hideNowButton hideClearButton norender formContext keys useRawInputForNumber FieldTemplate
  ArrayFieldTemplate ArrayFieldItemTemplate ArrayFieldTitleTemplate ArrayFieldDescriptionTemplate
  ObjectFieldTemplate BaseInputTemplate TitleFieldTemplate DescriptionFieldTemplate ErrorListTemplate
  FieldErrorTemplate FieldHelpTemplate ButtonTemplates UnsupportedFieldTemplate WrapIfAdditionalTemplate
  MultiSchemaFieldTemplate GridTemplate
`
  .trim()
  .split(/\s+/)
