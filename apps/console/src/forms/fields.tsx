import { currencies as all } from 'virtual:currencies'
import { useId } from 'preact/hooks'
import { Button, Field, Input, Select } from '../design/controls.tsx'
import { decimal, localTime, minorUnits, timeZone } from '../language/values.ts'
import { useStores } from '../shell/stores.tsx'
import { text as shared } from '../shell/text.ts'
import './forms.css'
import { text } from './text.ts'

interface CheckProps {
  label: string
  hint?: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** A choice of yes or no. */
export function Check({ label, hint, isChecked, onChange }: CheckProps) {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface TextAreaProps {
  label: string
  hint?: string
  maxLength?: number
  value: string
  onValue: (value: string) => void
}

/** A field for several lines of text. */
export function TextArea({ label, hint, maxLength, value, onValue }: TextAreaProps) {
  return (
    <Field label={label} {...(hint !== undefined && { hint })}>
      {(tied) => (
        <textarea
          {...tied}
          class="input"
          {...(maxLength !== undefined && { maxLength })}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** Amounts as they are typed, by currency: `{ USD: '19.99' }`. */
export type TypedAmounts = Readonly<Record<string, string>>

interface AmountsProps {
  value: TypedAmounts
  onValue: (value: TypedAmounts) => void
  /** Says what an amount is for, instead of "Amount in USD". */
  label?: (currency: string) => string
}

/** An amount in each of some currencies. */
export function Amounts({ value, onValue, label = (currency) => text('amountIn', { currency }) }: AmountsProps) {
  const currencies = Object.keys(value)
  const others = all.filter((each) => !currencies.includes(each))
  const without = (gone: string) => Object.fromEntries(Object.entries(value).filter(([currency]) => currency !== gone))
  return (
    <div class="amounts">
      {currencies.map((currency) => {
        const typed = value[currency] ?? ''
        const isWrong = typed !== '' && minorUnits(typed, currency) === null
        return (
          <div class="amount" key={currency}>
            <Input
              label={label(currency)}
              inputMode="decimal"
              required
              wrong={isWrong ? text('amountWrong', { example: decimal(1_999, currency) }) : undefined}
              value={typed}
              onValue={(next) => onValue({ ...value, [currency]: next })}
            />
            {currencies.length > 1 && (
              <Button kind="plain" icon="close" onClick={() => onValue(without(currency))}>
                <span class="hidden-text">{text('removeCurrency', { currency })}</span>
              </Button>
            )}
          </div>
        )
      })}
      <Select
        label={text('addCurrency')}
        value=""
        options={[{ value: '', name: text('chooseCurrency') }, ...others.map((each) => ({ value: each, name: each }))]}
        onValue={(currency) => currency !== '' && onValue({ ...value, [currency]: '' })}
      />
    </div>
  )
}

/** Amounts of the contract as a form has them. */
export function typedAmounts(options: Readonly<Record<string, { amount: number }>>): TypedAmounts {
  return Object.fromEntries(
    Object.entries(options).map(([currency, { amount }]) => [currency, decimal(amount, currency)]),
  )
}

/** Typed amounts as the contract takes them; `null` while one of them is none. */
export function readAmounts(typed: TypedAmounts): Record<string, { amount: number }> | null {
  const amounts = Object.entries(typed).map(([currency, each]) => [currency, minorUnits(each, currency)] as const)
  if (amounts.length === 0 || amounts.some(([, amount]) => amount === null)) return null
  return Object.fromEntries(amounts.map(([currency, amount]) => [currency, { amount: amount ?? 0 }]))
}

/** A field for one of the account's stores. */
export function StoreSelect({ value, onValue }: { value: string; onValue: (storeId: string) => void }) {
  const stores = useStores()
  return (
    <Select
      label={text('store')}
      value={value}
      onValue={onValue}
      options={[{ value: '', name: text('chooseStore') }, ...stores.map(({ id, name }) => ({ value: id, name }))]}
    />
  )
}

interface CurrencyProps {
  label: string
  /** Empty for none. */
  value: string
  onValue: (currency: string) => void
}

/** A field for one currency. */
export function CurrencySelect({ label, value, onValue }: CurrencyProps) {
  const options = all.map((each) => ({ value: each, name: each }))
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: '', name: text('chooseCurrency') }, ...options]}
      onValue={onValue}
    />
  )
}

interface TimeProps {
  label: string
  wrong?: string | undefined
  /** ISO 8601; empty for none. */
  value: string
  onValue: (value: string) => void
}

/** A field for a time in the reader's zone. */
export function TimeInput({ label, wrong, value, onValue }: TimeProps) {
  return (
    <Field label={label} hint={shared('timeZone', { zone: timeZone })} wrong={wrong}>
      {(tied) => (
        <input
          {...tied}
          class="input"
          type="datetime-local"
          value={value === '' ? '' : localTime(value)}
          onChange={({ currentTarget: { value: typed } }) => onValue(typed === '' ? '' : new Date(typed).toISOString())}
        />
      )}
    </Field>
  )
}
