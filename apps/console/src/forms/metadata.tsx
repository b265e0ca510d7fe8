import { useState } from 'preact/hooks'
import type { CallOptions } from '../api/client.ts'
import { useChange } from '../api/change.ts'
import { Button, Input } from '../design/controls.tsx'
import { Facts, Section } from '../design/section.tsx'
import { type Revision, SaveDialog, useTyped } from './save.tsx'
import { text } from './text.ts'

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
  const { base, typed: rows, setTyped: setRows, onTake } = useTyped(object, rowsOf)
  const changes = changesOf(rows, base)
  const change = useChange(
    ({ revision }: Revision<Described>, options) => update({ metadata: changes, revision }, options),
    affects,
  )
  const set = (at: number, row: Partial<Row>) =>
    setRows(rows.map((each, index) => (index === at ? { ...each, ...row } : each)))
  return (
    <SaveDialog
      title={text('metadata')}
      effect={text('removeKey')}
      change={change}
      base={base}
      mine={{ ...base, metadata: after(changes, base) }}
      // Unchanged keys are not sent, so they are in no conflict.
      describe={({ metadata }) => Object.keys(changes).map((key) => [key, metadata[key] ?? ''])}
      disabled={Object.keys(changes).length === 0}
      onClose={onClose}
      onTake={onTake}
    >
      {rows.map(({ key, value }, at) => (
        <div class="pair" key={at}>
          <Input label={text('key')} maxLength={64} value={key} onValue={(typed) => set(at, { key: typed })} />
          <Input label={text('value')} maxLength={255} value={value} onValue={(typed) => set(at, { value: typed })} />
        </div>
      ))}
      <Button icon="plus" onClick={() => setRows([...rows, emptyRow])}>
        {text('addKey')}
      </Button>
    </SaveDialog>
  )
}

const emptyRow: Row = { key: '', value: '' }

function rowsOf({ metadata }: Described): Row[] {
  return [...Object.entries(metadata).map(([key, value]) => ({ key, value })), emptyRow]
}

/** Patch of the metadata: keys that are new or differ, and `null` for those that are gone or empty. */
function changesOf(rows: readonly Row[], { metadata }: Described): Record<string, string | null> {
  const typed = new Map(rows.filter(({ key, value }) => key !== '' && value !== '').map((row) => [row.key, row.value]))
  const removed = Object.keys(metadata).filter((key) => !typed.has(key))
  const set = [...typed].filter(([key, value]) => metadata[key] !== value)
  return Object.fromEntries([...set, ...removed.map((key) => [key, null] as const)])
}

/** The metadata as they are once the changes are made. */
function after(changes: Record<string, string | null>, { metadata }: Described): Record<string, string> {
  const kept = Object.entries({ ...metadata, ...changes })
  return Object.fromEntries(kept.flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
}
