import type { JSX } from 'preact'

interface FieldProps {
  label: string
  name: string
  value: string
  /** Error message; empty if the field is valid. */
  problem: string
  onValue: (value: string) => void
  autocomplete: string
  type?: 'text' | 'email'
  inputMode?: 'text' | 'email'
  /** Whether it is a code of Latin letters and digits, which stands from left to right in every language. */
  isCode?: boolean
  /** Called when the buyer leaves the field. */
  onLeave?: () => void
  /** Whether it takes the focus when it appears. */
  isFocused?: boolean
  /** Choices, of which one is chosen instead of typing. */
  options?: readonly { value: string; label: string }[]
  class?: string
}

/** A field with its label above and its problem below. */
export function Field({
  label,
  name,
  value,
  problem,
  onValue,
  options,
  class: more = '',
  ...input
}: FieldProps): JSX.Element {
  const id = `field-${name}`
  const shared = {
    id,
    name,
    value,
    autocomplete: input.autocomplete,
    'aria-invalid': problem !== '',
    'aria-describedby': problem === '' ? undefined : `${id}-problem`,
  } as const
  return (
    <div class={`field ${more}`}>
      <label for={id}>{label}</label>
      {options === undefined ? (
        <input
          {...shared}
          type={input.type ?? 'text'}
          inputMode={input.inputMode ?? 'text'}
          list={undefined}
          dir={input.isCode === true ? 'ltr' : 'auto'}
          autocapitalize={input.isCode === true ? 'characters' : undefined}
          maxLength={200}
          autoFocus={input.isFocused === true}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          onBlur={input.onLeave}
        />
      ) : (
        <select {...shared} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
      {problem !== '' && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
