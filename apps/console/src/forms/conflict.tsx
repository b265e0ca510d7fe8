import { Button } from '../design/controls.tsx'
import { text } from './text.ts'
import './forms.css'

/** A field that the member wants to change and somebody else has changed meanwhile. */
export interface ConflictingField {
  label: string
  mine: string
  theirs: string
}

interface ConflictProps {
  fields: readonly ConflictingField[]
  isBusy: boolean
  /** Saves the member's version over the other one. */
  onKeep: () => void
  /** Goes on with the other version. */
  onTake: () => void
}

/** Both versions of what two people have changed at once, and the choice between them. */
export function Conflict({ fields, isBusy, onKeep, onTake }: ConflictProps) {
  return (
    <div class="conflict" role="alert">
      <p>{text('conflict')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('field')}</th>
            <th scope="col">{text('mine')}</th>
            <th scope="col">{text('theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{mine || text('nothing')}</td>
              <td>{theirs || text('nothing')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="actions">
        <Button onClick={onTake}>{text('takeTheirs')}</Button>
        <Button kind="main" isBusy={isBusy} onClick={onKeep}>
          {text('keepMine')}
        </Button>
      </div>
    </div>
  )
}
