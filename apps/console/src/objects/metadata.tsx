import { useState } from 'preact/hooks'
import type { ApiFailure, CallOptions } from '../api/client.ts'
import { useChange } from '../api/change.ts'
import { Button, Dialog, Input } from '../design/controls.tsx'
import { Facts, Section } from '../design/section.tsx'
import { text as shared } from '../shell/text.ts'
import { Conflict } from './conflict.tsx'
import { Decision } from './decision.tsx'
import { text } from './text.ts'
import './objects.css'

/** An object whose metadata can be changed. */
interface Described {
  metadata: Readonly<Record<string, string>>
  revision: number
}

/** A change of metadata: `null` removes a key. */
interface MetadataChange {
  metadata: Record<string, string | null>
  revision: number
}

interface MetadataProps {
  of: Described
  /** Makes a change; `null` where the member may not. */
  update: ((change: MetadataChange, options: CallOptions) => Promise<unknown>) | null
  /** The beginnings of the names of operations that read the object. */
  affects: readonly string[]
}

/** The merchant's own metadata of an object, with a form to change it. */
export function Metadata({ of: object, update, affects }: MetadataProps) {
  const [isOpen, setOpen] = useState(false)
  const entries = Object.entries(object.metadata)
  return (
    <Section
      title={text('metadata')}
      actions={update !== null && <Button onClick={() => setOpen(true)}>{text('edit')}</Button>}
    >
      {entries.length === 0 ? <p class="hint">{text('none')}</p> : <Facts of={entries} />}
      {isOpen && update !== null && (
        <MetadataDialog object={object} update={update} affects={affects} onClose={() => setOpen(false)} />
      )}
    </Section>
  )
}

interface Row {
  key: string
  value: string
}

interface MetadataDialogProps {
  object: Described
  update: NonNullable<MetadataProps['update']>
  affects: readonly string[]
  onClose: () => void
}

function MetadataDialog({ object, update, affects, onClose }: MetadataDialogProps) {
  const [base, setBase] = useState(object)
  const [rows, setRows] = useState<readonly Row[]>(() => [...rowsOf(object), { key: '', value: '' }])
  const change = useChange(update, affects)
  const current = currentOf(change.failure)
  const changes = changesOf(rows, base)
  const save = async (revision: number) => {
    if (await change.run({ metadata: changes, revision })) onClose()
  }
  const set = (at: number, row: Partial<Row>) =>
    setRows(rows.map((each, index) => (index === at ? { ...each, ...row } : each)))
  const take = (now: Described) => {
    setBase(now)
    setRows([...rowsOf(now), { key: '', value: '' }])
    change.reset()
  }
  return (
    <Dialog title={text('metadata')} onClose={onClose}>
      {rows.map(({ key, value }, at) => (
        <div class="pair" key={at}>
          <Input label={text('key')} maxLength={64} value={key} onValue={(typed) => set(at, { key: typed })} />
          <Input label={text('value')} maxLength={255} value={value} onValue={(typed) => set(at, { value: typed })} />
        </div>
      ))}
      <Button icon="plus" onClick={() => setRows([...rows, { key: '', value: '' }])}>
        {text('addKey')}
      </Button>
      <p class="hint">{text('removeKey')}</p>
      {current === null ? (
        <Decision
          change={change}
          kind="main"
          label={shared('save')}
          disabled={Object.keys(changes).length === 0}
          onClose={onClose}
          run={() => save(base.revision)}
        />
      ) : (
        <Conflict
          fields={Object.entries(changes).map(([key, mine]) => ({
            label: key,
            mine: mine ?? '',
            theirs: current.metadata[key] ?? '',
          }))}
          isBusy={change.isRunning}
          onKeep={() => void save(current.revision)}
          onTake={() => take(current)}
        />
      )}
    </Dialog>
  )
}

function rowsOf({ metadata }: Described): Row[] {
  return Object.entries(metadata).map(([key, value]) => ({ key, value }))
}

/** What the rows change: keys that are new or differ, and `null` for those that are gone or empty. */
function changesOf(rows: readonly Row[], { metadata }: Described): Record<string, string | null> {
  const typed = new Map(rows.filter(({ key, value }) => key !== '' && value !== '').map((row) => [row.key, row.value]))
  const removed = Object.keys(metadata).filter((key) => !typed.has(key))
  const set = [...typed].filter(([key, value]) => metadata[key] !== value)
  return Object.fromEntries([...set, ...removed.map((key) => [key, null] as const)])
}

/** The object as it is now, if that is why the change was refused. */
function currentOf(failure: ApiFailure | null): Described | null {
  return failure?.code === 'revision_conflict' ? (failure.current as Described) : null // As the operation answers it.
}
