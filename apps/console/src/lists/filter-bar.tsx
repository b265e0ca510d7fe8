import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConsoleOperation, FilterField } from '../api/operations.ts'
import { Button, Field, Menu } from '../design/controls.tsx'
import { Icon } from '../design/icon.tsx'
import { exactTime } from '../language/values.ts'
import { isTyping } from '../shell/keys.ts'
import { text } from '../shell/text.ts'
import type { texts } from '../shell/texts/en.ts'
import { filterFields, type ListAddress } from './list-query.ts'

/** How long typing has to pause before the list follows; what is pasted, or ended with Enter, it follows at once. */
const PAUSE_MS = 200

/** The search and the filters of a list. */
export function FilterBar({ operation, address }: { operation: ConsoleOperation; address: ListAddress }) {
  const fields = filterFields(operation)
  return (
    <div class="filters">
      {operation.filters?.['q'] !== undefined && <SearchField address={address} />}
      {fields.length > 0 && (
        <Menu
          start
          label={
            <>
              <Icon name="filter" />
              {text('list.filter')}
            </>
          }
        >
          <FilterForm fields={fields} address={address} />
        </Menu>
      )}
      <Button kind="plain" onClick={() => address.set('order', address.query['order'] === 'asc' ? '' : 'asc')}>
        {text(address.query['order'] === 'asc' ? 'list.oldest' : 'list.newest')}
      </Button>
      {address.filters.map(([name, value]) => (
        <button key={name} type="button" class="chip" onClick={() => address.set(name, '')}>
          {labelOf(name)}: {shownValue(fields, name, value)}
          <Icon name="close" />
          <span class="hidden-text">{text('list.remove', { name: labelOf(name) })}</span>
        </button>
      ))}
      {address.filters.length > 1 && (
        <Button kind="plain" onClick={() => address.replace({})}>
          {text('list.clear')}
        </Button>
      )}
    </div>
  )
}

function SearchField({ address }: { address: ListAddress }) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const q = address.query['q'] ?? ''
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'f' || isTyping(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <input
      ref={input}
      class="input search"
      type="search"
      aria-label={text('search')}
      placeholder={text('search')}
      defaultValue={q}
      onInput={(event) => {
        const { value } = event.currentTarget
        const isPasted = event instanceof InputEvent && event.inputType === 'insertFromPaste'
        clearTimeout(timer.current)
        timer.current = setTimeout(() => address.set('q', value.trim()), isPasted ? 0 : PAUSE_MS)
      }}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key !== 'Enter') return
        clearTimeout(timer.current)
        address.set('q', value.trim())
      }}
    />
  )
}

type Fields = readonly (readonly [string, FilterField])[]

function FilterForm({ fields, address }: { fields: Fields; address: ListAddress }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(address.query)
  useEffect(() => setValues(address.query), [JSON.stringify(address.query)])
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    address.replace({ ...address.query, ...values })
    if (event.target instanceof Element) event.target.closest('details')?.removeAttribute('open')
  }
  return (
    <form class="filter-form" onSubmit={apply}>
      {fields.map(([name, field]) => (
        <Field key={name} label={labelOf(name)}>
          {(tied) => (
            <FilterControl
              tied={tied}
              field={field}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          )}
        </Field>
      ))}
      <Button kind="main" type="submit">
        {text('list.apply')}
      </Button>
    </form>
  )
}

interface ControlProps {
  tied: { id: string }
  field: FilterField
  value: string
  onChange: (value: string) => void
}

function FilterControl({ tied, field, value, onChange }: ControlProps) {
  if (field.type === 'choice') {
    return (
      <select {...tied} class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="" />
        {field.values.map((each) => (
          <option key={each} value={each}>
            {valueOf(each)}
          </option>
        ))}
      </select>
    )
  }
  if (field.type === 'time') {
    return (
      <input
        {...tied}
        class="input"
        type="datetime-local"
        value={value === '' ? '' : localTime(value)}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
        }
      />
    )
  }
  return (
    <input
      {...tied}
      class="input"
      inputMode={field.type === 'amount' ? 'numeric' : 'text'}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  )
}

/** A time as the field of the browser has it: in the reader's zone. */
function localTime(timestamp: string): string {
  const at = new Date(timestamp)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Label of a list's field; one without a translation goes by its name in the API. */
export function labelOf(name: string): string {
  return worded(`filter.${name}`, name)
}

function valueOf(value: string): string {
  if (value === 'true' || value === 'false') return text(`filter.${value}`)
  return worded(`status.${value}`, value.replaceAll('_', ' '))
}

function worded(key: string, fallback: string): string {
  const words = text(key as keyof typeof texts & `filter.${string}`) // The key itself where there are no words.
  return words === key ? fallback : words
}

function shownValue(fields: Fields, name: string, value: string): string {
  const field = fields.find(([each]) => each === name)?.[1]
  if (field?.type === 'time' && !Number.isNaN(Date.parse(value))) return exactTime(value)
  return field?.type === 'choice' ? valueOf(value) : value
}
