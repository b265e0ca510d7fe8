import { useState } from 'preact/hooks'
import type { ListEntry } from '../../api/client.ts'
import { AGAIN_MS } from '../../api/query.ts'
import { Button, Copy, Dialog, Time } from '../../design/controls.tsx'
import { Facts } from '../../design/section.tsx'
import { Empty } from '../../design/states.tsx'
import type { Column } from '../../lists/columns.tsx'
import { ListPage } from '../../lists/list-page.tsx'
import { text as shared } from '../../shell/text.ts'
import { text } from './text.ts'
import './team.css'

type Entry = ListEntry<'audit.list'>

/** The audit log: each change with its actor and the values before and after. */
export function Audit() {
  const [open, setOpen] = useState<Entry | null>(null)
  const columns: readonly Column<Entry>[] = [
    {
      title: text('operation'),
      cell: (entry) => (
        <button type="button" class="as-link" onClick={() => setOpen(entry)}>
          {entry.operation} {isRequest(entry) && <span class="hint">{text('askedFor')}</span>}
        </button>
      ),
    },
    { title: text('resource'), rank: 2, cell: ({ resourceId }) => <code>{resourceId ?? ''}</code> },
    { title: text('actor'), cell: ({ actor }) => actor.name ?? actor.id },
    { title: text('time'), isNarrow: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ]
  return (
    <>
      <ListPage
        list="audit.list"
        again={AGAIN_MS}
        title={shared('page.audit')}
        columns={columns}
        empty={
          <Empty title={text('noEntries')}>
            <p>{text('noEntriesHint')}</p>
          </Empty>
        }
      />
      {open !== null && <EntryDialog entry={open} onClose={() => setOpen(null)} />}
    </>
  )
}

/** Whether it is what a processor, or another service, was about to be asked: another entry says what came of it. */
function isRequest({ status, requestId }: Entry): boolean {
  return status === null && requestId !== null
}

function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  return (
    <Dialog title={entry.operation} onClose={onClose}>
      <Facts of={factsOf(entry)} />
      <Changes entry={entry} />
      <div class="actions">
        {entry.resourceId !== null && (
          <a class="button" href={`/console/audit?resourceId=${entry.resourceId}`} onClick={onClose}>
            {text('sameResource')}
          </a>
        )}
        <a class="button" href={`/console/audit?actorId=${entry.actor.id}`} onClick={onClose}>
          {text('sameActor')}
        </a>
        <Button kind="main" onClick={onClose}>
          {shared('close')}
        </Button>
      </div>
    </Dialog>
  )
}

function factsOf({ actor, address, userAgent, resourceType, resourceId, requestId, status, createdAt }: Entry) {
  return [
    [text('actor'), `${text(`actorKind.${actor.kind}`)}: ${actor.name ?? actor.id}`],
    [text('time'), <Time at={createdAt} />],
    [text('address'), address],
    [text('browser'), userAgent],
    [text('resource'), resourceType && `${resourceType} ${resourceId ?? ''}`],
    [text('answer'), status === null ? null : String(status)],
    [text('request'), requestId && <Copy value={requestId} />],
  ] as const
}

/** Each field that has changed, before and after; or what was asked for, or answered, where that is not the resource. */
function Changes({ entry }: { entry: Entry }) {
  const { changes } = entry
  if (changes === null) return <p>{text('erased')}</p>
  const [before, after] = [fieldsOf(changes.before), fieldsOf(changes.after)]
  const isWhole = Object.keys(before).every((name) => name in after)
  // Before a processor was asked, only what it would be asked is known; a refusal has changed nothing.
  if (isRequest(entry) && !isWhole) return <Values title={text('askedFor')} of={after} />
  if ('error' in after && !isWhole) return <Values title={text('answered')} of={after} />
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter((name) => before[name] !== after[name])
  if (differing.length === 0) return <p>{text('nothingChanged')}</p>
  return (
    <table class="changes">
      <caption class="hidden-text">{text('changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{text('field')}</th>
          <th scope="col">{text('before')}</th>
          <th scope="col">{text('after')}</th>
        </tr>
      </thead>
      <tbody>
        {differing.map((name) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before[name] ?? ''}</td>
            <td>{after[name] ?? ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Values({ title, of: values }: { title: string; of: Readonly<Record<string, string>> }) {
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">{text('field')}</th>
          <th scope="col">{title}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function fieldsOf(side: unknown): Readonly<Record<string, string>> {
  if (side === undefined || side === null) return {}
  if (typeof side !== 'object' || Array.isArray(side)) return { [text('value')]: JSON.stringify(side) }
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.fromEntries(Object.entries(side).map(([name, value]) => [name, shown(value)]))
}
