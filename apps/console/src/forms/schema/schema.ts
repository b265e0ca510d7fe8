import { isObject, type JsonObject, valueOf } from './json.ts'

/**
 * The part of JSON Schema (draft-07) that a form is made of. It is an author's: a keyword may have any value, so each is read
 * by a function that leaves out what does not fit.
 */
export type Schema = JsonObject

/** Kinds of controls. `json`: any value that no other one fits. */
export type FieldKind = 'object' | 'list' | 'choices' | 'choice' | 'check' | 'number' | 'text' | 'translation' | 'json'

/** One value that may be chosen. */
export interface Choice {
  value: unknown
  name: string
}

/** References within references end here: a schema may refer to itself. */
const REFERENCES_MAX = 16

/**
 * A schema as it applies to a value: references followed, `allOf` and the conditions that hold put together, and without the
 * possibility of `null`.
 *
 * @param root The whole schema, which references lead into.
 */
export function appliedSchema(schema: unknown, value: unknown, root: Schema): Schema {
  return applied(schema, { value, root, references: 0 })
}

interface Applying {
  value: unknown
  root: Schema
  references: number
}

function applied(schema: unknown, context: Applying): Schema {
  if (!isObject(schema) || context.references > REFERENCES_MAX) return {}
  const inner = { ...context, references: context.references + 1 }
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: elseSchema, ...own } = schema
  if (typeof $ref === 'string') return applied(referenced($ref, context.root), inner)
  const parts = listIn(allOf).map((part) => applied(part, inner))
  const branch = condition === undefined ? undefined : matches(condition, context.value) ? then : elseSchema
  if (branch !== undefined) parts.push(applied(branch, inner))
  for (const [name, dependent] of Object.entries(objectIn(own['dependencies']))) {
    if (isObject(dependent) && isObject(context.value) && Object.hasOwn(context.value, name))
      parts.push(applied(dependent, inner))
  }
  const choices = listIn(oneOf ?? anyOf)
  const possible = choices.filter((choice) => !(isObject(choice) && choice['type'] === 'null'))
  const [only] = possible
  if (choices.length > 0 && possible.length === 1) parts.push(applied(only, inner))
  else if (choices.length > 0) parts.push({ oneOf: possible })
  return parts.reduce(together, own)
}

/** Both apply: properties of the two, and of other keywords the former's. */
function together(one: Schema, other: Schema): Schema {
  const properties = { ...objectIn(one['properties']), ...objectIn(other['properties']) }
  const required = [...listIn(one['required']), ...listIn(other['required'])]
  return {
    ...other,
    ...one,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

/** The schema that a reference within the document leads to. */
function referenced(reference: string, root: Schema): unknown {
  if (!reference.startsWith('#')) return undefined
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1)
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((inner, step) => (Array.isArray(inner) ? inner[Number(step)] : valueOf(inner, step)), root)
}

/** Whether a condition holds, as far as conditions of forms are written: `const`, `enum`, `type`, `required`, `properties`, `not`. */
function matches(condition: unknown, value: unknown): boolean {
  if (!isObject(condition)) return condition !== false
  const { const: constant, enum: among, required, properties, not } = condition
  const text = JSON.stringify(value)
  if ('const' in condition && JSON.stringify(constant) !== text) return false
  if (Array.isArray(among) && !among.some((each) => JSON.stringify(each) === text)) return false
  if (not !== undefined && matches(not, value)) return false
  if (!isObject(value)) return true
  if (listIn(required).some((name) => !Object.hasOwn(value, String(name)))) return false
  return Object.entries(objectIn(properties)).every(
    ([name, each]) => !Object.hasOwn(value, name) || matches(each, valueOf(value, name)),
  )
}

/** The one type of a schema, but for `null`; `undefined` where it has several or none. */
function typeOf({ type, properties, enum: among }: Schema): unknown {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null')
  if (types.length === 1 && types[0] !== undefined) return types[0]
  if (isObject(properties)) return 'object'
  return among === undefined ? undefined : 'string'
}

/** The kind of control for a schema. */
export function kindOf(schema: Schema): FieldKind {
  const { format, properties, items } = schema
  if (choicesOf(schema).length > 0) return 'choice'
  switch (typeOf(schema)) {
    case 'object':
      if (format === 'translation') return 'translation'
      return isObject(properties) ? 'object' : 'json'
    case 'array':
      if (isObject(items) && schema['uniqueItems'] === true && choicesOf(items).length > 0) return 'choices'
      return isObject(items) ? 'list' : 'json'
    case 'boolean':
      return 'check'
    case 'number':
    case 'integer':
      return 'number'
    case 'string':
      return 'text'
  }
  return 'json'
}

/** The values of an `enum`, or of a `oneOf` of constants; none where the schema has other values. */
export function choicesOf(schema: Schema): readonly Choice[] {
  const names = listIn(schema['enumNames'])
  const among = listIn(schema['enum']).map((value, index) => ({ value, name: textIn(names[index]) ?? shown(value) }))
  if (among.length > 0) return among
  const constants = listIn(schema['oneOf']).flatMap((each) =>
    isObject(each) && 'const' in each
      ? [{ value: each['const'], name: textIn(each['title']) ?? shown(each['const']) }]
      : [],
  )
  return constants.length === listIn(schema['oneOf']).length ? constants : []
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Initial value of a new item of a list: the default, or the smallest value that its type allows. */
export function initialValue(schema: Schema): unknown {
  if (schema['default'] !== undefined) return schema['default']
  const [first] = choicesOf(schema)
  if (first !== undefined) return first.value
  switch (kindOf(schema)) {
    case 'object':
    case 'translation':
      return {}
    case 'list':
    case 'choices':
      return []
    case 'check':
      return false
    case 'number':
      return numberIn(schema['minimum']) ?? 0
    case 'text':
      return ''
    case 'choice':
    case 'json':
      return null
  }
}

/** Label of a setting, by its path: the titles of the schema where it has them, from the outside in. */
export function titleOf(path: readonly (string | number)[], value: unknown, root: Schema): string {
  const titles: string[] = []
  let [schema, inner] = [appliedSchema(root, value, root), value]
  for (const step of path) {
    const next = typeof step === 'number' ? schema['items'] : valueOf(schema['properties'], step)
    inner = Array.isArray(inner) ? inner[Number(step)] : valueOf(inner, String(step))
    schema = appliedSchema(next, inner, root)
    titles.push(textIn(schema['title']) ?? (typeof step === 'number' ? String(step + 1) : step))
  }
  return titles.join(' › ')
}

/** A list, or none. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** An object, or an empty one. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** A text that says something. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A number. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
