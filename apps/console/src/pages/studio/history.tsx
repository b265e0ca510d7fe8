import type { Contract, ResponseOf } from '@tillwright/contract'
import { useState } from 'preact/hooks'
import { useChange } from '../../api/change.ts'
import { api } from '../../api/client.ts'
import { useRead, useReads } from '../../api/query.ts'
import { Badge, Button, Dialog, Time, type Tone } from '../../design/controls.tsx'
import { Section } from '../../design/section.tsx'
import { Bone, Loaded } from '../../design/states.tsx'
import type { Schema } from '../../forms/schema/index.ts'
import { Decision } from '../../forms/decision.tsx'
import { useMay } from '../../shell/session.ts'
import { settingName, shownValue } from './conflicts.tsx'
import { differencesBetween, type LiveSettings, pathOf, pointerOf } from './draft.ts'
import { text } from './text.ts'

type Revision = ResponseOf<Contract['pluginManagement']['revisions']>['data'][number]

/** So many revisions are read at a time. */
const EACH = 10
/** Of a revision with more differences, the rest is counted. */
const SHOWN_MAX = 40

interface HistoryProps {
  deploymentId: string
  /** The revision that is live. */
  current: number
  schema: Schema
}

/** All revisions of the settings: who has changed what and when, and the way back. */
export function History({ deploymentId, current, schema }: HistoryProps) {
  const [limit, setLimit] = useState(EACH)
  const read = useRead('pluginManagement.revisions', { deploymentId, limit })
  const [restored, setRestored] = useState<number | null>(null)
  const mayRestore = useMay()('pluginManagement.restoreSettings')
  const newest = read.data?.data[0]
  const canUndo = mayRestore && newest !== undefined && newest.revision === current && newest.source !== 'carried'
  return (
    <Section
      title={text('history')}
      actions={canUndo && <Button onClick={() => setRestored(current - 1)}>{text('undo')}</Button>}
    >
      <Loaded read={read} waiting={<Bone />}>
        {({ data, hasMore }) => (
          <div class="stack">
            {data.length === 0 && <p class="hint">{text('history.none')}</p>}
            <ol class="revisions">
              {data.map((revision) => (
                <Entry
                  key={revision.revision}
                  deploymentId={deploymentId}
                  of={revision}
                  schema={schema}
                  {...(mayRestore &&
                    revision.revision !== current && { onRestore: () => setRestored(revision.revision) })}
                />
              ))}
            </ol>
            {hasMore && limit < 100 && <Button onClick={() => setLimit(limit + EACH)}>{text('history.more')}</Button>}
          </div>
        )}
      </Loaded>
      {restored !== null && (
        <Restore deploymentId={deploymentId} revision={restored} onClose={() => setRestored(null)} />
      )}
    </Section>
  )
}

const tones: Readonly<Record<Revision['source'], Tone>> = {
  author: 'calm',
  merchant: 'good',
  restore: 'wait',
  carried: 'calm',
}

interface EntryProps {
  deploymentId: string
  of: Revision
  schema: Schema
  onRestore?: () => void
}

function Entry({ deploymentId, of, schema, onRestore }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  const { revision, source, createdAt, changedBy, changedByName, changed } = of
  return (
    <li>
      <div class="line">
        <strong>{text('revision', { revision })}</strong>
        <Badge tone={tones[source]}>{text(`source.${source}`)}</Badge>
        <span class="who">{changedByName ?? changedBy}</span>
        <Time at={createdAt} />
      </div>
      <p class="hint">{[...new Set(changed.map(changedName))].join(', ')}</p>
      <div class="actions">
        {source !== 'carried' && (
          <Button kind="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {text(isOpen ? 'history.hide' : 'history.show')}
            <span class="hidden-text"> {revision}</span>
          </Button>
        )}
        {onRestore !== undefined && (
          <Button kind="plain" onClick={onRestore}>
            {text('restore')}
            <span class="hidden-text"> {revision}</span>
          </Button>
        )}
      </div>
      {isOpen && <Differences deploymentId={deploymentId} revision={revision} schema={schema} />}
    </li>
  )
}

/** Label of a change in a revision, in a word or two. */
function changedName(pointer: string): string {
  const path = pathOf(pointer)
  const isForm = path[0] === 'schema' || path[0] === 'uiSchema'
  return isForm ? text('schema') : settingName(path, {}, {})
}

interface DifferencesProps {
  deploymentId: string
  revision: number
  schema: Schema
}

/** Changes of a revision, field by field. */
function Differences({ deploymentId, revision, schema }: DifferencesProps) {
  const inputs = [revision - 1, revision].map((each) => ({ deploymentId, revision: each }))
  const read = useReads('pluginManagement.settings', inputs)
  return (
    <Loaded read={read}>
      {([before, after]) => {
        const all = differencesBetween(comparable(before), comparable(after))
        return (
          <table class="changes">
            <caption class="hidden-text">{text('history.changes', { revision })}</caption>
            <thead>
              <tr>
                <th scope="col">{text('field')}</th>
                <th scope="col">{text('before')}</th>
                <th scope="col">{text('after')}</th>
              </tr>
            </thead>
            <tbody>
              {all.slice(0, SHOWN_MAX).map((each) => (
                <tr key={pointerOf(each.path)}>
                  <th scope="row">{settingName(each.path, after ?? {}, schema)}</th>
                  <td>{shownValue(each.before)}</td>
                  <td>{shownValue(each.after)}</td>
                </tr>
              ))}
              {all.length > SHOWN_MAX && (
                <tr>
                  <td colSpan={3}>{text('history.rest', { count: all.length - SHOWN_MAX })}</td>
                </tr>
              )}
            </tbody>
          </table>
        )
      }}
    </Loaded>
  )
}

function comparable(settings: LiveSettings | undefined) {
  const { presets, templates, activePreset } = settings ?? {}
  return { presets, templates, activePreset }
}

function Restore({ deploymentId, revision, onClose }: { deploymentId: string; revision: number; onClose: () => void }) {
  const change = useChange(
    (input: { deploymentId: string; revision: number }, options) =>
      api.pluginManagement.restoreSettings(input, options),
    ['pluginManagement.'],
  )
  const run = async () => (await change.run({ deploymentId, revision })) && onClose()
  return (
    <Dialog title={text('restore.title', { revision })} onClose={onClose}>
      <p>{text('restore.effect')}</p>
      <Decision change={change} label={text('restore')} kind="main" onClose={onClose} run={run} />
    </Dialog>
  )
}
