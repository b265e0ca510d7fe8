import type { JSX } from 'preact'
import { useWords } from '../texts/use-words.tsx'
import type { FieldName } from './complaints-of.ts'
import { FieldNotes, noteIds } from './field-notes.tsx'
import type { Form } from './use-form.ts'

/** A line of text, with its label above and its complaint below. */
export interface TextFieldProps {
  form: Form
  name: FieldName
  label: string
  value: string
  onChange: (text: string) => void
  /** The tokens of `autocomplete`. Source: HTML, "Autofill". */
  autoComplete: string
  isRequired: boolean
  /** Kind of text, for the keyboard that a phone shows. */
  inputMode?: 'text' | 'numeric' | 'email' | 'tel'
  /** Whether it is a code of Latin letters and digits, which stands from left to right in every language. */
  isCode?: boolean
  hint?: string
  /** Called when the buyer leaves the field. */
  onLeave?: () => void
}

/** A field of the form. */
export function TextField(props: TextFieldProps): JSX.Element {
  const { form, name, label, value, onChange, autoComplete, isRequired, hint, onLeave } = props
  const { inputMode = 'text', isCode = false } = props
  const say = useWords()
  const complaint = form.complaintAt(name)
  return (
    <div class="field">
      <label for={name}>{isRequired ? label : say('optional', { label })}</label>
      <input
        id={name}
        name={name}
        value={value}
        autocomplete={autoComplete}
        inputmode={inputMode}
        autocapitalize={isCode ? 'characters' : inputMode === 'text' ? undefined : 'none'}
        spellcheck={false}
        required={isRequired}
        aria-invalid={complaint !== null}
        aria-describedby={noteIds(name, hint, complaint)}
        dir={inputMode === 'text' && !isCode ? 'auto' : 'ltr'}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => {
          onLeave?.()
          if (value !== '') form.leave(name)
        }}
      />
      <FieldNotes name={name} hint={hint} complaint={complaint} />
    </div>
  )
}
