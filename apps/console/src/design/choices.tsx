interface ChoicesProps {
  label: string
  hint?: string
  options: readonly { value: string; name: string }[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** A field for any of several values. */
export function Choices({ label, hint, options, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset class="field choices">
      <legend class="label">{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="each">
        {options.map(({ value, name }) => (
          <Check
            key={value}
            label={name}
            checked={chosen.includes(value)}
            onCheck={(is) => onChange(is ? [...chosen, value] : chosen.filter((each) => each !== value))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** A field for yes or no. */
export function Check({
  label,
  checked,
  onCheck,
}: {
  label: string
  checked: boolean
  onCheck: (is: boolean) => void
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onCheck(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}
