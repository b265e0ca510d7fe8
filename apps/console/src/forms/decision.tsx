import { type Change, isUndecided } from '../api/change.ts'
import { Button } from '../design/controls.tsx'
import { Failure } from '../design/states.tsx'
import { text as shared } from '../shell/text.ts'

interface DecisionProps {
  change: Pick<Change<never>, 'failure' | 'isRunning'>
  /** Label of the button. */
  label: string
  /** `danger` for actions that cannot be undone. */
  kind?: 'main' | 'danger'
  disabled?: boolean
  /** Label of the button that leaves it; "Cancel" unless given. */
  leave?: string
  onClose: () => void
  run: () => unknown
}

/** The end of a dialog that has said what will happen: do it or leave it, and why it was refused. */
export function Decision({ change, label, kind = 'danger', disabled = false, leave, onClose, run }: DecisionProps) {
  return (
    <>
      <NotMade change={change} />
      <div class="actions">
        <Button onClick={onClose}>{leave ?? shared('cancel')}</Button>
        <Button kind={kind} disabled={disabled} isBusy={change.isRunning} onClick={() => void run()}>
          {label}
        </Button>
      </div>
    </>
  )
}

/** Why a change was not made; or that it may have been, and what to do then. */
export function NotMade({ change: { failure } }: { change: Pick<Change<never>, 'failure'> }) {
  if (failure === null) return null
  return (
    <>
      <Failure failure={failure} />
      {isUndecided(failure) && <p class="remark">{shared('undecided')}</p>}
    </>
  )
}
