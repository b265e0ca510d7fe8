import { useEffect, useRef, useState } from 'preact/hooks'
import type { ConsoleOperation, FilterField } from '../api/operations.ts'
import { Button, Menu } from '../design/controls.tsx'
import { Icon } from '../design/icon.tsx'
import { count, exactTime, money } from '../language/values.ts'
import { StoreName } from '../objects/names.tsx'
import { isTyping } from '../shell/keys.ts'
import { text } from '../shell/text.ts'
import { FilterForm, labelOf, valueOf } from './filter-form.tsx'
import { filterFields, type ListAddress } from './list-query.ts'

/** How long typing has to pause before the list follows; what is pasted, or ended with Enter, it follows at once. */
const PAUSE_MS = 200

/** The search and the filters of a list. */
export function FilterBar({ operation, address }: { operation: ConsoleOperation; address: ListAddress }) {
  const fields = filterFields(operation)
  // What a form offers to choose from is read when it is first opened.
  const [isOpened, setOpened] = useState(false)
  return (
    <div class="filters">
      {operation.filters?.['q'] !== undefined && <SearchField address={address} />}
      {fields.length > 0 && (
        <Menu
          start
          onOpen={() => setOpened(true)}
          label={
            <>
              <Icon name="filter" />
              {text('list.filter')}
            </>
          }
        >
          {isOpened && <FilterForm fields={fields} address={address} />}
        </Menu>
      )}
      <Button kind="plain" onClick={() => address.set('order', address.query['order'] === 'asc' ? '' : 'asc')}>
        {text(address.query['order'] === 'asc' ? 'list.oldest' : 'list.newest')}
      </Button>
      {address.filters.map(([name, value]) => (
        <button key={name} type="button" class="chip" onClick={() => address.set(name, '')}>
          <span>
            {labelOf(name)}:{' '}
            <Shown field={operation.filters?.[name]} value={value} currency={address.query['currency']} />
          </span>
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
  // The filters may have changed while typing paused.
  const latest = useRef(address)
  latest.current = address
  const q = address.query['q'] ?? ''
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'f' || isTyping(event)) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      clearTimeout(timer.current)
    }
  }, [])
  useEffect(() => {
    const { current } = input
    if (current !== null && current !== document.activeElement) current.value = q
  }, [q])
  // The list is drawn until the page after it is loaded: what was typed before the reader left belongs to neither.
  const search = (typed: string, on: string) => location.pathname === on && latest.current.set('q', typed)
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
        timer.current = setTimeout(search, isPasted ? 0 : PAUSE_MS, value.trim(), location.pathname)
      }}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key !== 'Enter') return
        clearTimeout(timer.current)
        address.set('q', value.trim())
      }}
    />
  )
}

interface ShownProps {
  field: FilterField | undefined
  value: string
  currency: string | undefined
}

/** The value of a filter as people write it. */
function Shown({ field, value, currency }: ShownProps) {
  if (field?.type === 'time' && !Number.isNaN(Date.parse(value))) return <>{exactTime(value)}</>
  if (field?.type === 'store') return <StoreName id={value} />
  if (field?.type === 'amount' && /^\d+$/.test(value)) return <>{amountWords(Number(value), currency)}</>
  return <>{field?.type === 'choice' ? valueOf(value) : value}</>
}

function amountWords(amount: number, currency: string | undefined): string {
  const isCurrency = currency !== undefined && /^[A-Z]{3}$/.test(currency)
  return isCurrency ? money(amount, currency) : text('filter.minorUnits', { amount: count(amount) })
}
