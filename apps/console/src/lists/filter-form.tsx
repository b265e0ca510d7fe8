import { currencies } from 'virtual:currencies'
import { useEffect, useState } from 'preact/hooks'
import type { FilterField } from '../api/operations.ts'
import { Button, Field } from '../design/controls.tsx'
import { decimal, localTime, minorUnits, timeZone } from '../language/values.ts'
import { useStores } from '../shell/stores.tsx'
import { text } from '../shell/text.ts'
import type { texts } from '../shell/texts/en.ts'
import type { ListQuery } from './entries.ts'
import type { ListAddress } from './list-query.ts'

/** The fields by which a list is filtered. */
export type Fields = readonly (readonly [name: string, field: FilterField])[]

interface FormProps {
  fields: Fields
  address: ListAddress
}

/** The filters of a list, each with the control of its type. */
export function FilterForm({ fields, address }: FormProps) {
  const [typed, setTyped] = useState<ListQuery>(() => typedOf(fields, address.query))
  useEffect(() => setTyped(typedOf(fields, address.query)), [JSON.stringify(address.query)])
  const currency = typed['currency'] ?? ''
  const hasAmount = amountsOf(fields).some((name) => (typed[name] ?? '') !== '')
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const sent = sentOf(fields, { typed, query: address.query })
    if (sent === null) return
    address.replace({ ...address.query, ...sent })
    const menu = event.target instanceof Element ? event.target.closest('details') : null
    menu?.querySelector('summary')?.focus()
    menu?.removeAttribute('open')
  }
  return (
    <form class="filter-form" onSubmit={apply}>
      {inOrder(fields).map(([name, field]) => {
        const value = typed[name] ?? ''
        return (
          <Field key={name} label={labelOf(name)} {...wordsOf(field, { value, currency })}>
            {(tied) => (
              <FilterControl
                tied={tied}
                field={field}
                value={value}
                required={field.type === 'currency' && hasAmount}
                onChange={(next) => setTyped({ ...typed, [name]: next })}
              />
            )}
          </Field>
        )
      })}
      <Button kind="main" type="submit">
        {text('list.apply')}
      </Button>
    </form>
  )
}

/** The currency stands before the amounts, which are read in it. */
function inOrder(fields: Fields): Fields {
  const isAmount = ([, { type }]: Fields[number]) => type === 'amount'
  return [...fields.filter((each) => !isAmount(each)), ...fields.filter(isAmount)]
}

function amountsOf(fields: Fields): string[] {
  return fields.flatMap(([name, { type }]) => (type === 'amount' ? [name] : []))
}

/** The filters as the form has them: amounts as people write them, and none whose currency is not known. */
function typedOf(fields: Fields, query: ListQuery): ListQuery {
  const currency = query['currency'] ?? ''
  const amounts = amountsOf(fields).map((name) => {
    const isKnown = currencies.includes(currency) && /^\d+$/.test(query[name] ?? '')
    return [name, isKnown ? decimal(Number(query[name]), currency) : ''] as const
  })
  return { ...query, ...Object.fromEntries(amounts) }
}

/** What was typed, as the list takes it; `null` while an amount is none. Amounts of any currency, from elsewhere, are kept. */
function sentOf(fields: Fields, { typed, query }: { typed: ListQuery; query: ListQuery }): ListQuery | null {
  const currency = typed['currency'] ?? ''
  if (currency === '') {
    const kept = amountsOf(fields).map((name) => [name, query['currency'] ? '' : (query[name] ?? '')] as const)
    return { ...typed, ...Object.fromEntries(kept) }
  }
  const amounts = amountsOf(fields).map((name) => [name, typed[name] ?? ''] as const)
  const minor = amounts.map(([name, amount]) => [name, amount && minorUnits(amount, currency)] as const)
  if (minor.some(([, amount]) => amount === null)) return null
  return { ...typed, ...Object.fromEntries(minor.map(([name, amount]) => [name, String(amount)])) }
}

function wordsOf({ type }: FilterField, { value, currency }: { value: string; currency: string }) {
  if (type === 'time') return { hint: text('timeZone', { zone: timeZone }) }
  if (type !== 'amount') return {}
  const example = decimal(1_999, currency === '' ? 'USD' : currency)
  const isWrong = value !== '' && currency !== '' && minorUnits(value, currency) === null
  return isWrong ? { wrong: text('filter.amountWrong', { example }) } : { hint: text('filter.amountHint', { example }) }
}

interface ControlProps {
  tied: { id: string }
  field: FilterField
  value: string
  required: boolean
  onChange: (value: string) => void
}

function FilterControl({ tied, field, value, required, onChange }: ControlProps) {
  if (field.type === 'store') return <StoreControl tied={tied} value={value} onChange={onChange} />
  if (field.type === 'choice' || field.type === 'currency') {
    const values = field.type === 'choice' ? field.values : currencies
    return (
      <select
        {...tied}
        class="input"
        required={required}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        <option value="" />
        {values.map((each) => (
          <option key={each} value={each}>
            {field.type === 'choice' ? valueOf(each) : each}
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
      inputMode={field.type === 'amount' ? 'decimal' : 'text'}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  )
}

/** A store by its name; by its id where the member may read no names, or there are more stores than are offered. */
function StoreControl({ tied, value, onChange }: Pick<ControlProps, 'tied' | 'value' | 'onChange'>) {
  const stores = useStores()
  if (stores.length === 0)
    return (
      <input
        {...tied}
        class="input"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
    )
  const isOther = value !== '' && stores.every(({ id }) => id !== value)
  return (
    <select {...tied} class="input" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="" />
      {[...stores, ...(isOther ? [{ id: value, name: value }] : [])].map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Label of a list's field; one without a translation goes by its name in the API. */
export function labelOf(name: string): string {
  return worded(`filter.${name}`, name)
}

/** The words of a value to choose; one without a translation goes by its name in the API. */
export function valueOf(value: string): string {
  if (value === 'true' || value === 'false') return text(`filter.${value}`)
  return worded(`status.${value}`, value.replaceAll('_', ' '))
}

function worded(key: string, fallback: string): string {
  const words = text(key as keyof typeof texts & `filter.${string}`) // The key itself where there are no words.
  return words === key ? fallback : words
}
