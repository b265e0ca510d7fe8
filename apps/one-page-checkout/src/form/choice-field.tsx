import type { JSX } from 'preact'
import { useWords } from '../texts/use-words.tsx'
import type { FieldName } from './complaints-of.ts'
import { FieldNotes, noteIds } from './field-notes.tsx'
import type { Form } from './use-form.ts'

/** One of a list. */
export interface ChoiceFieldProps {
  form: Form
  name: FieldName
  label: string
  value: string
  options: readonly { code: string; name: string }[]
  onChange: (code: string) => void
  autoComplete: string
  isRequired: boolean
}

/** A field whose value is chosen from a list. */
export function ChoiceField(props: ChoiceFieldProps): JSX.Element {
  const { form, name, label, value, options, onChange, autoComplete, isRequired } = props
  const say = useWords()
  const complaint = form.complaintAt(name)
  const isKnown = options.some(({ code }) => code === value)
  return (
    <div class="field">
      <label for={name}>{isRequired ? label : say('optional', { label })}</label>
      <select
        id={name}
        name={name}
        value={isKnown ? value : ''}
        autocomplete={autoComplete}
        required={isRequired}
        aria-invalid={complaint !== null}
        aria-describedby={noteIds(name, undefined, complaint)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => form.leave(name)}
      >
        {!isKnown && <option value="">{say('choose')}</option>}
        {options.map((option) => (
          <option key={option.code} value={option.code}>
            {option.name}
          </option>
        ))}
      </select>
      <FieldNotes name={name} hint={undefined} complaint={complaint} />
    </div>
  )
}
