import { useId } from 'preact/hooks'
import { Section } from '../../design/section.tsx'
import { type Schema, titleOf } from '../../forms/schema/index.ts'
import { type Clash, type Draft, type Path, pointerOf, type Side, valueAt } from './draft.ts'
import { text } from './text.ts'

interface ConflictsProps {
  title: string
  /** Explanation of the conflict, and how to resolve it. */
  effect: string
  clashes: readonly Clash[]
  draft: Draft
  schema: Schema
  theirs: string
  isReadOnly: boolean
  onDecide: (clash: Clash, side: Side) => void
}

/** Two versions side by side, of which one is chosen for each field. */
export function Conflicts({ title, effect, clashes, draft, schema, theirs, isReadOnly, onDecide }: ConflictsProps) {
  if (clashes.length === 0) return null
  return (
    <Section title={title}>
      <div class="stack">
        <p role="status">{effect}</p>
        <ul class="clashes">
          {clashes.map((clash) => (
            <li key={pointerOf(clash.path)}>
              <Choose
                name={settingName(clash.path, draft, schema)}
                clash={clash}
                theirs={theirs}
                isReadOnly={isReadOnly}
                onDecide={(side) => onDecide(clash, side)}
              />
            </li>
          ))}
        </ul>
      </div>
    </Section>
  )
}

interface ChooseProps {
  name: string
  clash: Clash
  theirs: string
  isReadOnly: boolean
  onDecide: (side: Side) => void
}

function Choose({ name, clash, theirs, isReadOnly, onDecide }: ChooseProps) {
  const group = useId()
  const sides = [
    { side: 'mine', label: text(isReadOnly ? 'stores' : 'mine'), value: clash.mine },
    { side: 'theirs', label: theirs, value: clash.theirs },
  ] as const
  return (
    <fieldset disabled={isReadOnly}>
      <legend>{name}</legend>
      <div class="sides">
        {sides.map(({ side, label, value }) => (
          <label key={side}>
            <input type="radio" name={group} checked={clash.chosen === side} onChange={() => onDecide(side)} />
            <span>{label}</span>
            <span class="value">{shownValue(value)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Label of a setting, preceded by its preset. */
export function settingName(path: Path, draft: object, schema: Schema): string {
  const [kind = '', name, ...rest] = path
  if (kind === 'activePreset') return text('activePreset')
  if (name === undefined || rest.length === 0)
    return [text(kind === 'presets' ? 'preset' : 'template'), name].filter(Boolean).join(' › ')
  return `${name} › ${titleOf(rest, valueAt(draft, path.slice(0, 2)), schema)}`
}

/** A value for people. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null || value === '') return text('nothing')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
