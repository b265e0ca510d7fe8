import { Check } from '../fields.tsx'
import { Choice, Choices, Json, Line, Lines, NumberLine, Translations } from './controls.tsx'
import type { FieldProps, NamedFieldProps } from './field-props.ts'
import { isObject, type JsonObject, valueOf, withValue } from './json.ts'
import { ListField } from './list-field.tsx'
import { appliedSchema, kindOf, listIn, objectIn, textIn } from './schema.ts'
import { groupsOf, uiWord } from './ui-schema.ts'

/** Deeper objects and lists are edited as JSON. */
const DEPTH_MAX = 8

interface ObjectFieldsProps extends Omit<FieldProps, 'value' | 'onValue'> {
  value: JsonObject
  onValue: (value: JsonObject) => void
}

/** The fields of an object, in their groups. */
export function ObjectFields({ form, place, depth, schema, ui, value, onValue }: ObjectFieldsProps) {
  const properties = objectIn(schema['properties'])
  const field = (name: string) => (
    <SchemaField
      key={name}
      form={form}
      name={name}
      place={place === '' ? name : `${place}.${name}`}
      depth={depth}
      schema={appliedSchema(properties[name], valueOf(value, name), form.root)}
      ui={objectIn(valueOf(ui, name))}
      isRequired={listIn(schema['required']).includes(name)}
      value={valueOf(value, name)}
      onValue={(next) => onValue(withValue(value, name, next))}
    />
  )
  return (
    <>
      {groupsOf(Object.keys(properties), ui).map(({ title, fields }) =>
        title === '' ? (
          fields.map(field)
        ) : (
          <fieldset class="group" key={title}>
            <legend>{title}</legend>
            {fields.map(field)}
          </fieldset>
        ),
      )}
      {Object.keys(properties).length === 0 && depth === 0 && (
        <Json label="JSON" value={value} onValue={(next) => isObject(next) && onValue(next)} />
      )}
    </>
  )
}

/** A property by its name. */
function SchemaField({ name, isRequired, ...props }: FieldProps & { name: string; isRequired: boolean }) {
  const { schema, ui } = props
  if (uiWord(ui, 'widget') === 'hidden') return null
  const label = textIn(uiWord(ui, 'title')) ?? textIn(schema['title']) ?? name
  const words = [uiWord(ui, 'description') ?? schema['description'], uiWord(ui, 'help')].flatMap(
    (each) => textIn(each) ?? [],
  )
  const isFixed = [uiWord(ui, 'readonly'), uiWord(ui, 'disabled'), schema['readOnly']].includes(true)
  const field = (
    <ValueField
      {...props}
      label={isRequired ? `${label} *` : label}
      {...(words.length > 0 && { hint: words.join(' ') })}
    />
  )
  return isFixed ? <fieldset disabled>{field}</fieldset> : field
}

/** The control that a schema asks for. */
function ValueField(props: NamedFieldProps) {
  const { form, place, depth, schema, ui, value, label, hint, onValue } = props
  const shown = value === undefined ? schema['default'] : value
  const words = { label, ...(hint !== undefined && { hint }), wrong: form.wrong.get(place) }
  const kind = kindOf(schema)
  if (depth >= DEPTH_MAX && (kind === 'object' || kind === 'list'))
    return <Json {...words} value={shown} onValue={onValue} />
  switch (kind) {
    case 'object':
      return (
        <fieldset class="nested">
          <legend>{label}</legend>
          {hint !== undefined && <p class="hint">{hint}</p>}
          {words.wrong !== undefined && <p class="wrong">{words.wrong}</p>}
          <ObjectFields {...props} depth={depth + 1} value={objectIn(shown)} onValue={onValue} />
        </fieldset>
      )
    case 'list':
      return <ListField {...props} Item={ValueField} />
    case 'choices':
      return <Choices {...words} schema={objectIn(schema['items'])} value={listIn(shown)} onValue={onValue} />
    case 'choice':
      return <Choice {...words} schema={schema} ui={ui} value={shown} onValue={onValue} />
    case 'check':
      return <Check {...words} isChecked={shown === true} onChange={onValue} />
    case 'number':
      return <NumberLine {...words} value={shown} onValue={onValue} />
    case 'translation':
      return <Translations {...words} value={objectIn(shown)} onValue={onValue} />
    case 'text':
      return uiWord(ui, 'widget') === 'textarea' ? (
        <Lines {...words} ui={ui} value={shown} onValue={onValue} />
      ) : (
        <Line {...words} schema={schema} ui={ui} value={shown} onValue={onValue} />
      )
    case 'json':
      return <Json {...words} value={shown} onValue={onValue} />
  }
}
