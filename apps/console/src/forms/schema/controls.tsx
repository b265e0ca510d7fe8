import { useState } from 'preact/hooks'
import { Choices as Checks } from '../../design/choices.tsx'
import { Button, Field, Input, Select } from '../../design/controls.tsx'
import { languages, locale } from '../../language/language.ts'
import { isSameJson, type JsonObject, withValue } from './json.ts'
import { choicesOf, type Schema, textIn } from './schema.ts'
import { text } from './text.ts'
import { type UiSchema, uiWord } from './ui-schema.ts'

interface ControlProps {
  label: string
  hint?: string
  wrong?: string | undefined
  value: unknown
  /** `undefined` for the default. */
  onValue: (value: unknown) => void
}

/** One of a few values, in a list or side by side. */
export function Choice({ schema, ui, value, onValue, ...words }: ControlProps & { schema: Schema; ui: UiSchema }) {
  const choices = choicesOf(schema)
  const chosen = choices.findIndex((each) => isSameJson(each.value, value))
  if (uiWord(ui, 'widget') === 'radio')
    return (
      <Radios
        {...words}
        names={choices.map(({ name }) => name)}
        chosen={chosen}
        onChoose={(index) => onValue(choices[index]?.value)}
      />
    )
  const options = choices.map(({ name }, index) => ({ value: String(index), name }))
  return (
    <Select
      {...words}
      value={String(chosen)}
      options={chosen === -1 ? [{ value: '-1', name: textIn(value) ?? text('choose') }, ...options] : options}
      onValue={(index) => onValue(choices[Number(index)]?.value)}
    />
  )
}

interface RadiosProps extends Omit<ControlProps, 'value' | 'onValue'> {
  names: readonly string[]
  /** -1 for none. */
  chosen: number
  onChoose: (index: number) => void
}

/** Values side by side, of which one is chosen. */
function Radios({ label, hint, wrong, names, chosen, onChoose }: RadiosProps) {
  const [group] = useState(() => crypto.randomUUID())
  return (
    <fieldset class="field radios">
      <legend class="label">{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="each">
        {names.map((name, index) => (
          <label class="check" key={name}>
            <input type="radio" name={group} checked={index === chosen} onChange={() => onChoose(index)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {wrong !== undefined && <p class="wrong">{wrong}</p>}
    </fieldset>
  )
}

/** Any of a few values. */
export function Choices({
  schema,
  value,
  onValue,
  label,
  hint,
  wrong,
}: ControlProps & { schema: Schema; value: readonly unknown[] }) {
  const choices = choicesOf(schema)
  const chosen = choices.flatMap((each, index) =>
    value.some((one) => isSameJson(one, each.value)) ? [String(index)] : [],
  )
  return (
    <div class="field">
      <Checks
        label={label}
        {...(hint !== undefined && { hint })}
        options={choices.map(({ name }, index) => ({ value: String(index), name }))}
        chosen={chosen}
        onChange={(next) =>
          onValue(choices.filter((_, index) => next.includes(String(index))).map((each) => each.value))
        }
      />
      {wrong !== undefined && <p class="wrong">{wrong}</p>}
    </div>
  )
}

/** A number. What is none while it is typed goes to the platform as a text, which says so. */
export function NumberLine({ value, onValue, ...words }: ControlProps) {
  const [typed, setTyped] = useState('')
  const read = (next: string) => {
    setTyped(next)
    if (next.trim() === '') onValue(undefined)
    else onValue(Number.isNaN(Number(next)) ? next : Number(next))
  }
  // The input may be another notation of the same number: "1." or "1.50".
  const isTyped = typed.trim() !== '' && Number(typed) === value
  return <Input {...words} inputMode="decimal" value={isTyped ? typed : plain(value)} onValue={read} />
}

/** One line of text; a colour also has a field to pick it in. */
export function Line({ schema, ui, value, onValue, label, ...words }: ControlProps & { schema: Schema; ui: UiSchema }) {
  const placeholder = textIn(uiWord(ui, 'placeholder'))
  const line = (
    <Input
      label={label}
      {...words}
      value={plain(value)}
      {...(placeholder !== undefined && { placeholder })}
      onValue={onValue}
    />
  )
  if (schema['format'] !== 'color' && uiWord(ui, 'widget') !== 'color') return line
  return (
    <div class="colour">
      {line}
      <input
        type="color"
        class="swatch"
        aria-label={text('pick', { field: label })}
        value={/^#[0-9a-f]{6}$/i.test(plain(value)) ? plain(value).toLowerCase() : '#000000'}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
    </div>
  )
}

/** Several lines of text. */
export function Lines({ ui, value, onValue, ...words }: ControlProps & { ui: UiSchema }) {
  const placeholder = textIn(uiWord(ui, 'placeholder'))
  return (
    <Field {...words}>
      {(tied) => (
        <textarea
          {...tied}
          class="input"
          {...(placeholder !== undefined && { placeholder })}
          value={plain(value)}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** Languages that are offered besides those of the console. */
const offered = [...languages, 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'tr', 'el', 'he', 'ja', 'ko', 'zh']
const names = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' })

function languageName(tag: string): string {
  try {
    return names.of(tag) ?? tag
  } catch {
    return tag // An author may have written anything.
  }
}

/** A text in several languages. */
export function Translations({ label, hint, wrong, value, onValue }: ControlProps & { value: JsonObject }) {
  const written = Object.keys(value)
  const shown = written.length === 0 ? ['en'] : written
  const others = offered.filter((tag) => !shown.includes(tag))
  return (
    <fieldset class="nested translations">
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {wrong !== undefined && <p class="wrong">{wrong}</p>}
      {shown.map((tag) => (
        <div class="item" key={tag}>
          <Input
            label={languageName(tag)}
            value={plain(Object.hasOwn(value, tag) ? value[tag] : '')}
            onValue={(next) => onValue(withValue(value, tag, next))}
          />
          {written.length > 1 && (
            <Button kind="plain" icon="close" onClick={() => onValue(withValue(value, tag, undefined))}>
              <span class="hidden-text">{text('removeLanguage', { language: languageName(tag) })}</span>
            </Button>
          )}
        </div>
      ))}
      <Select
        label={text('addLanguage')}
        value=""
        options={[
          { value: '', name: text('choose') },
          ...others.map((tag) => ({ value: tag, name: languageName(tag) })),
        ]}
        onValue={(tag) => tag !== '' && onValue(withValue(value, tag, ''))}
      />
    </fieldset>
  )
}

/** Whatever has no control of its own, as JSON. It is taken over while it is JSON. */
export function Json({ label, hint, wrong, value, onValue }: ControlProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isWrong, setWrong] = useState(false)
  const read = (next: string) => {
    setTyped(next)
    try {
      const parsed: unknown = next.trim() === '' ? undefined : JSON.parse(next)
      setWrong(false)
      onValue(parsed)
    } catch {
      setWrong(true)
    }
  }
  return (
    <Field label={label} hint={hint ?? text('json')} wrong={isWrong ? text('noJson') : wrong}>
      {(tied) => (
        <textarea
          {...tied}
          class="input json"
          spellcheck={false}
          value={typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
          onInput={({ currentTarget }) => read(currentTarget.value)}
          onBlur={() => !isWrong && setTyped(null)}
        />
      )}
    </Field>
  )
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
