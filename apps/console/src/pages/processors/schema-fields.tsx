import { brandTitle } from '@tillwright/contract/networks'
import {
  appliedSchema,
  isObject,
  type JsonObject,
  kindOf,
  objectIn,
  SchemaForm,
  valueOf,
} from '../../forms/schema/index.ts'
import { text } from './text.ts'
import { settingName, type Settings } from './words.ts'

interface SchemaFieldsProps {
  /** The JSON Schema of an object, of the platform's own drivers. */
  schema: object
  value: Settings
  onValue: (value: Settings) => void
}

/** The settings of a processor. What is empty has its default, which is `null`. */
export function SchemaFields({ schema, value, onValue }: SchemaFieldsProps) {
  const written = objectIn(objectIn(schema)['properties'])
  const properties = Object.fromEntries(Object.entries(written).map(([name, each]) => [name, networksOnce(each)]))
  const whole = { ...schema, properties }
  const words = Object.keys(properties).map((name) => [name, wordsOf(name, properties[name])] as const)
  return (
    <SchemaForm
      schema={whole}
      uiSchema={Object.fromEntries(words)}
      value={objectIn(withoutNulls(value))}
      onValue={(next) => onValue(withNulls(whole, next))}
    />
  )
}

/** A list of networks has each of them once, though the drivers' schemas do not say it, and by its name. */
function networksOnce(schema: unknown): unknown {
  const applied = appliedSchema(schema, undefined, {})
  const items = objectIn(applied['items'])
  if (!Array.isArray(items['enum'])) return schema
  return { ...applied, items: { ...items, enumNames: items['enum'].map(String).map(brandTitle) }, uniqueItems: true }
}

function wordsOf(name: string, schema: unknown): JsonObject {
  const applied = appliedSchema(schema, undefined, {})
  const kind = kindOf(applied)
  const hints = { list: text('listHint'), choices: text('choiceHint') } as const
  const inner = Object.entries(objectIn(applied['properties'])).map(([each, of]) => [each, wordsOf(each, of)] as const)
  return {
    ...Object.fromEntries(inner),
    'ui:title': settingName(name),
    ...((kind === 'list' || kind === 'choices') && { 'ui:help': hints[kind] }),
    ...(kind === 'list' && { 'ui:widget': 'text' }),
  }
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value
  const present = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(present.map(([name, each]) => [name, withoutNulls(each)]))
}

/** All properties of a schema: what is not there, or of which nothing is left, is `null`. */
function withNulls(schema: unknown, value: JsonObject): JsonObject {
  const properties = objectIn(appliedSchema(schema, value, {})['properties'])
  const all = Object.entries(properties).map(
    ([name, property]) => [name, orNull(property, valueOf(value, name))] as const,
  )
  return Object.fromEntries(all)
}

function orNull(schema: unknown, value: unknown): unknown {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null
  if (!isObject(value)) return value
  const inner = withNulls(schema, value)
  return Object.values(inner).every((each) => each === null) ? null : inner
}
