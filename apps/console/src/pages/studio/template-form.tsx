import { Choices } from '../../design/choices.tsx'
import {
  appliedSchema,
  initialValue,
  type JsonObject,
  objectIn,
  type Schema,
  SchemaForm,
  titleOf,
  valueOf,
} from '../../forms/schema/index.ts'
import { text } from './text.ts'

interface TemplateFormProps {
  schema: Schema
  uiSchema: JsonObject
  value: JsonObject
  /** The preset that buyers see: its name, and what a setting begins with. */
  shown: { name: string; settings: JsonObject }
  isReadOnly: boolean
  onValue: (value: JsonObject) => void
}

/** A template has any part of the settings: which, is ticked; those have a form. */
export function TemplateForm({ schema, uiSchema, value, shown, isReadOnly, onValue }: TemplateFormProps) {
  const whole = { ...shown.settings, ...value }
  const applied = appliedSchema(schema, whole, schema)
  const properties = objectIn(applied['properties'])
  const names = [...new Set([...Object.keys(properties), ...Object.keys(value)])]
  const take = (chosen: readonly string[]) => {
    const initial = (name: string) =>
      valueOf(shown.settings, name) ?? initialValue(appliedSchema(properties[name], undefined, schema)) ?? ''
    const entries = names.filter((name) => chosen.includes(name))
    onValue(Object.fromEntries(entries.map((name) => [name, valueOf(value, name) ?? initial(name)])))
  }
  const taken = Object.fromEntries(Object.keys(value).map((name) => [name, properties[name] ?? {}]))
  if (Object.keys(properties).length === 0)
    return <SchemaForm schema={{}} value={value} isReadOnly={isReadOnly} onValue={onValue} />
  return (
    <div class="stack">
      <fieldset class="schema" disabled={isReadOnly}>
        <Choices
          label={text('template.settings')}
          hint={text('template.hint', { preset: shown.name })}
          options={names.map((name) => ({ value: name, name: titleOf([name], whole, schema) }))}
          chosen={Object.keys(value)}
          onChange={take}
        />
      </fieldset>
      {Object.keys(value).length > 0 && (
        <SchemaForm
          schema={partOf(schema, taken)}
          uiSchema={uiSchema}
          value={value}
          isReadOnly={isReadOnly}
          onValue={onValue}
        />
      )}
    </div>
  )
}

/** Keywords of JSON Schema that apply to an object as a whole rather than to one property. */
const ofTheWhole = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependencies', 'required']

/** A schema of these properties alone, from which references still lead into the whole. */
function partOf(schema: Schema, properties: JsonObject): Schema {
  const rest = Object.entries(schema).filter(([keyword]) => !ofTheWhole.includes(keyword))
  return { ...Object.fromEntries(rest), properties }
}
