import './forms.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type Change, useChange } from '../api/change.ts'
import type { CallOptions } from '../api/client.ts'
import { changed } from '../api/query.ts'
import { Button, Dialog } from '../design/controls.tsx'
import { Decision } from './decision.tsx'
import { text as shared } from '../shell/text.ts'
import { text } from './text.ts'

/** An object that is changed by its revision. */
interface Revised {
  revision: number
}

/** An object in words, to compare two versions of it: what each of its fields is called, and its value. */
export type Described = readonly (readonly [label: string, value: string])[]

/** Input of a change to a revised object. `mine` is part of it, so that another one is another attempt. */
export interface Revision<Object extends Revised> {
  revision: number
  /** The object as it would be after the change. */
  mine: Object
}

interface SaveProps<Object extends Revised> {
  /** Makes the change on top of a revision. */
  change: Change<Revision<Object>>
  /** The object as the member has read it. */
  base: Object
  /** The object as it would be after the change. */
  mine: Object
  describe: (object: Object) => Described
  label: string
  kind?: 'main' | 'danger'
  disabled?: boolean
  onClose: () => void
  /** Continues with the version of the other member; the dialog is closed unless given. */
  onTake?: (now: Object) => void
}

/**
 * The end of a dialog that changes an object: it is saved on top of the revision that was read. If another member was
 * faster, both versions are shown, and one of them is chosen.
 */
export function Save<Object extends Revised>(props: SaveProps<Object>) {
  const { change, base, mine, describe, label, kind = 'main', disabled = false, onClose, onTake } = props
  const save = async (revision: number) => {
    if (await change.run({ revision, mine })) onClose()
  }
  if (change.failure?.code !== 'revision_conflict') {
    const run = () => save(base.revision)
    return <Decision change={change} label={label} kind={kind} disabled={disabled} onClose={onClose} run={run} />
  }
  // With this code, `current` is the object as the operation answers it.
  const now = change.failure.current as Object
  const take = () => {
    void changed(...change.affects)
    change.reset()
    if (onTake === undefined) onClose()
    else onTake(now)
  }
  return (
    <Conflict
      fields={differencesOf(describe(mine), describe(now))}
      isBusy={change.isRunning}
      onKeep={() => void save(now.revision)}
      onTake={take}
    />
  )
}

/** What is typed into the fields of an object, and its version that was read; `onTake` begins again with another one. */
export function useTyped<Object extends Revised, Typed>(object: Object, typedOf: (object: Object) => Typed) {
  const [base, setBase] = useState(object)
  const [typed, setTyped] = useState(() => typedOf(object))
  const onTake = (now: Object) => {
    setBase(now)
    setTyped(typedOf(now))
  }
  return { base, typed, setTyped, onTake }
}

interface SaveDialogProps<Object extends Revised> extends Omit<SaveProps<Object>, 'label' | 'kind'> {
  title?: string
  /** Label of the button, "Save" unless given. */
  label?: string
  /** Consequence of the action, in a sentence. */
  effect?: string
  /** The fields. */
  children: ComponentChildren
}

/** A dialog with the fields of an object, "Edit" unless titled otherwise. */
export function SaveDialog<Object extends Revised>(props: SaveDialogProps<Object>) {
  const { title = text('edit'), label = shared('save'), effect, children, ...save } = props
  return (
    <Dialog title={title} onClose={save.onClose}>
      {children}
      {effect !== undefined && <p class="hint">{effect}</p>}
      <Save {...save} label={label} />
    </Dialog>
  )
}

/** The fields in which two versions differ. */
export function differencesOf(mine: Described, theirs: Described): { label: string; mine: string; theirs: string }[] {
  const [own, other] = [new Map(mine), new Map(theirs)]
  return [...new Set([...own.keys(), ...other.keys()])]
    .map((label) => ({ label, mine: own.get(label) ?? '', theirs: other.get(label) ?? '' }))
    .filter((each) => each.mine !== each.theirs)
}

interface ConfirmProps<Object extends Revised> {
  of: Object
  title: string
  /** Consequence of the action, in a sentence. */
  effect: string
  label: string
  kind?: 'main' | 'danger'
  work: (input: { revision: number }, options: CallOptions) => Promise<unknown>
  describe: (object: Object) => Described
  affects: readonly string[]
  onClose: () => void
}

/** Asks before a change that has no fields. */
export function ConfirmDialog<Object extends Revised>(props: ConfirmProps<Object>) {
  const { of, title, effect, work, affects, onClose, ...rest } = props
  const [base] = useState(of)
  const change = useChange(({ revision }: Revision<Object>, options) => work({ revision }, options), affects)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{effect}</p>
      <Save {...rest} change={change} base={base} mine={base} onClose={onClose} />
    </Dialog>
  )
}

interface ArchiveProps<Object extends Revised> {
  of: Object & { archived: boolean }
  effect: { archive: string; unarchive: string }
  archive: ConfirmProps<Object>['work']
  unarchive: ConfirmProps<Object>['work']
  describe: ConfirmProps<Object>['describe']
  affects: readonly string[]
}

/** Archives an object, or takes it back, after saying what that means. */
export function ArchiveButton<Object extends Revised>(props: ArchiveProps<Object>) {
  const { of, effect, archive, unarchive, describe, affects } = props
  const [isOpen, setOpen] = useState(false)
  const verb = of.archived ? 'unarchive' : 'archive'
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text(verb)}</Button>
      {isOpen && (
        <ConfirmDialog<Object>
          of={of}
          title={text(verb)}
          effect={effect[verb]}
          label={text(verb)}
          work={of.archived ? unarchive : archive}
          describe={describe}
          affects={affects}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** A field that the member wants to change and that has been changed by another one meanwhile. */
interface ConflictingField {
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
function Conflict({ fields, isBusy, onKeep, onTake }: ConflictProps) {
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
