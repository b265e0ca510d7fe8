interface FieldProps {
  /** Of the input, and what it is called in the form's data. */
  name: string
  label: string
  /** The keyboard of a phone. */
  keyboard: 'text' | 'email'
  /** Autofill token. Source: HTML, autofill field names. */
  complete: string
  /** Error message; empty if the field is valid. */
  problem: string
  /** The initial value; empty by default. */
  known?: string | undefined
}

/** An input with its label above it, and what is wrong with it below. */
export function Field({ name, label, keyboard, complete, problem, known = '' }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        inputMode={keyboard}
        autoCapitalize={keyboard === 'email' ? 'none' : 'sentences'}
        autoComplete={complete}
        defaultValue={known}
        aria-required="true"
        aria-invalid={problem !== ''}
        aria-describedby={`${name}-problem`}
      />
      <p className="problem" id={`${name}-problem`}>
        {problem}
      </p>
    </div>
  )
}
