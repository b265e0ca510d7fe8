import { Input } from '../../design/controls.tsx'
import { Check } from '../../forms/fields.tsx'
import { text } from './text.ts'
import { settingName, type Settings } from './words.ts'

/** The part of JSON Schema that settings of processors are written in. */
interface Schema {
  type?: string
  title?: string
  description?: string
  enum?: readonly unknown[]
  items?: Schema
  anyOf?: readonly Schema[]
  properties?: Readonly<Record<string, Schema>>
}

interface SchemaFieldsProps {
  /** The JSON Schema of an object. */
  schema: object
  value: Settings
  onValue: (value: Settings) => void
}

/** A form made from a JSON Schema: a control for each of its properties. What is empty has its default. */
export function SchemaFields({ schema, value, onValue }: SchemaFieldsProps) {
  const { properties = {} } = schema as Schema // A driver's schema is that of an object.
  return (
    <>
      {Object.entries(properties).map(([name, property]) => (
        <SchemaField
          key={name}
          name={name}
          schema={present(property)}
          value={value[name] ?? null}
          onValue={(next) => onValue({ ...value, [name]: next })}
        />
      ))}
    </>
  )
}

/** The form of a property that may be `null` as it is when it is there. */
function present(schema: Schema): Schema {
  const found = schema.anyOf?.find(({ type }) => type !== 'null')
  return found === undefined ? schema : { ...schema, ...found }
}

interface SchemaFieldProps {
  name: string
  schema: Schema
  value: unknown
  /** `null` for a default. */
  onValue: (value: unknown) => void
}

function SchemaField({ name, schema, value, onValue }: SchemaFieldProps) {
  const label = schema.title ?? settingName(name)
  const hint = schema.description
  const { type, items } = schema
  if (type === 'object') {
    return (
      <fieldset class="nested">
        <legend>{label}</legend>
        <div class="fields">
          <SchemaFields schema={schema} value={objectOf(value)} onValue={(next) => onValue(orNull(next))} />
        </div>
      </fieldset>
    )
  }
  if (type === 'array' && items?.enum !== undefined) {
    return <Choices label={label} options={items.enum.map(String)} value={listOf(value)} onValue={onValue} />
  }
  if (type === 'boolean') return <Check label={label} isChecked={value === true} onChange={onValue} />
  const isList = type === 'array'
  const isNumber = type === 'number' || type === 'integer'
  const read = (typed: string) => {
    if (typed.trim() === '') return null
    if (isList) return typed.split(/[\s,]+/)
    return isNumber && !Number.isNaN(Number(typed)) ? Number(typed) : typed
  }
  const words = isList ? text('listHint') : hint
  return (
    <Input
      label={label}
      {...(words !== undefined && { hint: words })}
      inputMode={isNumber ? 'decimal' : 'text'}
      value={isList ? listOf(value).join(' ') : textOf(value)}
      onValue={(typed) => onValue(read(typed))}
    />
  )
}

interface ChoicesProps {
  label: string
  options: readonly string[]
  value: readonly string[]
  onValue: (value: readonly string[] | null) => void
}

function Choices({ label, options, value, onValue }: ChoicesProps) {
  const choose = (option: string, isChosen: boolean) => {
    const next = options.filter((each) => (each === option ? isChosen : value.includes(each)))
    onValue(next.length === 0 ? null : next)
  }
  return (
    <fieldset class="nested">
      <legend>{label}</legend>
      <p class="hint">{text('choiceHint')}</p>
      <div class="fields">
        {options.map((option) => (
          <Check
            key={option}
            label={option}
            isChecked={value.includes(option)}
            onChange={(isChosen) => choose(option, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function textOf(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function objectOf(value: unknown): Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Settings) : {}
}

/** An object of which nothing is left is none. */
function orNull(value: Settings): Settings | null {
  return Object.values(value).every((each) => each === null) ? null : value
}
