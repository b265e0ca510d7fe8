import { useEffect, useRef, useState } from 'preact/hooks'
import { type Change, useChange } from '../../api/change.ts'
import { api, type ApiFailure } from '../../api/client.ts'
import { changed } from '../../api/query.ts'
import { Button } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import { type JsonObject, SchemaForm } from '../../forms/schema/index.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { Conflicts } from './conflicts.tsx'
import { type Draft, laidOver, type LiveSettings, type Subject } from './draft.ts'
import { type Edit, type Editing, type ManifestSettings, shownPreset, useEditing } from './editing.ts'
import { History } from './history.tsx'
import type { PluginPage } from './preview-session.ts'
import { Preview } from './preview.tsx'
import { keyOf, presentSubject, settingsIn, SubjectChoice } from './subject.tsx'
import { TemplateForm } from './template-form.tsx'
import { text } from './text.ts'

/** A deployment, and whose it is. */
export interface StudioDeployment {
  id: string
  storeId: string
  pluginId: string
  version: string
  url: string
}

interface EditorProps {
  deployment: StudioDeployment
  live: LiveSettings
  manifest: ManifestSettings
  pages: readonly PluginPage[]
  /** Of what is typed, in the tab. */
  draftKey: string
}

type Body = Edit & { deploymentId: string }

/** The form next to the page, conflicts with others' changes, and the history. */
export function Editor({ deployment, live, manifest, pages, draftKey }: EditorProps) {
  const deploymentId = deployment.id
  const editing = useEditing(live, manifest, draftKey)
  const { draft, edit } = editing
  const [chosen, setChosen] = useState<Subject | null>(null)
  const subject = presentSubject(draft, chosen, manifest)
  const [tab, setTab] = useState<'form' | 'page'>('form')
  const mayEdit = useMay()('pluginManagement.updateSettings')
  const change = useChange(
    (body: Body, options) => api.pluginManagement.updateSettings(body, options),
    ['pluginManagement.'],
  )
  const schema = live.schema ?? {}
  return (
    <div class="stack">
      <Differing editing={editing} schema={schema} isReadOnly={!mayEdit} />
      <Tabs tab={tab} onTab={setTab} />
      <div class={`studio shows-${tab}`}>
        <section class="card form-side" aria-label={text('form')}>
          <div class="inside">
            <SubjectChoice
              editing={editing}
              manifest={manifest}
              subject={subject}
              isReadOnly={!mayEdit}
              onSubject={setChosen}
            />
            <SubjectForm
              key={keyOf(subject)}
              editing={editing}
              manifest={manifest}
              live={live}
              subject={subject}
              failure={change.failure}
              isReadOnly={!mayEdit}
            />
          </div>
          {mayEdit && <SaveBar deploymentId={deploymentId} editing={editing} change={change} />}
        </section>
        <section class="card page-side" aria-label={text('page')}>
          <div class="inside">
            <Preview target={deployment} pages={pages} config={previewed(draft, subject, manifest)} />
          </div>
        </section>
      </div>
      <History deploymentId={deploymentId} current={live.revision} schema={schema} />
      {editing.changes > 0 ? (
        <ApiCall operation="pluginManagement.updateSettings" input={{ deploymentId, ...edit }} />
      ) : (
        <ApiCall operation="pluginManagement.settings" input={{ deploymentId }} />
      )}
    </div>
  )
}

interface SubjectFormProps {
  editing: Editing
  manifest: ManifestSettings
  live: LiveSettings
  subject: Subject
  failure: ApiFailure | null
  isReadOnly: boolean
}

function SubjectForm({ editing, manifest, live, subject, failure, isReadOnly }: SubjectFormProps) {
  const { draft } = editing
  const common = {
    schema: live.schema ?? {},
    uiSchema: live.uiSchema ?? {},
    value: settingsIn(draft, subject),
    isReadOnly,
    onValue: (next: JsonObject) => editing.set(subject, next),
  }
  if (subject.kind === 'presets') return <SchemaForm {...common} wrong={wrongIn(failure, subject.name)} />
  const name = shownPreset(draft, manifest)
  return <TemplateForm {...common} shown={{ name, settings: settingsIn(draft, { kind: 'presets', name }) }} />
}

/** Settings of the previewed page: for a template, those that buyers see with the template on top. */
function previewed(draft: Draft, subject: Subject, manifest: ManifestSettings): JsonObject {
  const below = settingsIn(draft, presentSubject(draft, null, manifest))
  const value = settingsIn(draft, subject)
  const { meta: _, ...config } = subject.kind === 'templates' ? laidOver(below, value) : value
  return config
}

interface DifferingProps {
  editing: Editing
  schema: JsonObject
  isReadOnly: boolean
}

/** Conflicts with members who have saved meanwhile, and with the author. */
function Differing({ editing, schema, isReadOnly }: DifferingProps) {
  const { draft, clashes, conflicts, decide } = editing
  const common = { draft, schema, isReadOnly, onDecide: decide }
  return (
    <>
      <Conflicts
        {...common}
        title={text('meanwhile')}
        effect={text('meanwhile.effect')}
        clashes={clashes}
        theirs={text('theirs')}
      />
      <Conflicts
        {...common}
        title={text('author')}
        effect={text(isReadOnly ? 'author.shown' : 'author.effect')}
        clashes={conflicts}
        theirs={text('authors')}
      />
    </>
  )
}

/** Where there is no room for both, one is shown at a time. */
function Tabs({ tab, onTab }: { tab: 'form' | 'page'; onTab: (tab: 'form' | 'page') => void }) {
  return (
    <div class="studio-tabs" role="group" aria-label={text('show')}>
      {(['form', 'page'] as const).map((each) => (
        <Button key={each} aria-pressed={tab === each} onClick={() => onTab(each)}>
          {text(each)}
        </Button>
      ))}
    </div>
  )
}

interface SaveBarProps {
  deploymentId: string
  editing: Editing
  change: Change<Body>
}

function SaveBar({ deploymentId, editing, change }: SaveBarProps) {
  const { changes, clashes, edit, discard } = editing
  const isUndecided = clashes.some(({ chosen }) => chosen === null)
  const canSave = changes > 0 && !isUndecided
  const save = async () => {
    if (!canSave || (await change.run({ deploymentId, ...edit }))) return
    void changed('pluginManagement.') // Another member may have been faster: the edits are merged.
  }
  useSaveKey(save)
  const failure = change.failure?.param === 'expectedRevision' ? null : change.failure
  return (
    <footer class="save-bar">
      {failure !== null && <Failure failure={failure} />}
      <p role="status">
        {isUndecided ? text('decideFirst') : changes === 0 ? text('noChanges') : text('changes', { count: changes })}
      </p>
      <div class="actions">
        <Button disabled={changes === 0} onClick={() => (change.reset(), discard())}>
          {text('discard')}
        </Button>
        <Button kind="main" disabled={!canSave} isBusy={change.isRunning} aria-keyshortcuts="Control+S" onClick={save}>
          {shared('save')}
        </Button>
      </div>
    </footer>
  )
}

/** Control or Command and S, wherever the focus is. */
function useSaveKey(save: () => unknown): void {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Validation errors of a preset, by path in it. */
function wrongIn(failure: ApiFailure | null, preset: string): ReadonlyMap<string, string> {
  const begin = `presets.${preset}`
  const own = (failure?.issues ?? []).filter(
    ({ path }) => path === begin || [`${begin}.`, `${begin}[`].some((each) => path.startsWith(each)),
  )
  return new Map(own.map(({ path, message }) => [path.slice(begin.length).replace(/^\./, ''), message]))
}
