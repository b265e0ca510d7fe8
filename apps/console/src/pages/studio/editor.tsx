import { useEffect, useRef, useState } from 'preact/hooks'
import { type Change, useChange } from '../../api/change.ts'
import { api, type ApiFailure } from '../../api/client.ts'
import { changed } from '../../api/query.ts'
import { Button, Select } from '../../design/controls.tsx'
import { Failure } from '../../design/states.tsx'
import { Check } from '../../forms/fields.tsx'
import { type JsonObject, objectIn, SchemaForm, valueOf } from '../../forms/schema/index.ts'
import { ApiCall } from '../../shell/api-call.tsx'
import { useMay } from '../../shell/session.ts'
import { text as shared } from '../../shell/text.ts'
import { Conflicts } from './conflicts.tsx'
import type { LiveSettings } from './draft.ts'
import { type Edit, type Editing, type ManifestSettings, shownPreset, useEditing } from './editing.ts'
import { History } from './history.tsx'
import type { PluginPage } from './preview-session.ts'
import { Preview } from './preview.tsx'
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

/** The form beside the page, what others have changed, and what was before. */
export function Editor({ deployment, live, manifest, pages, draftKey }: EditorProps) {
  const deploymentId = deployment.id
  const editing = useEditing(live, manifest, draftKey)
  const { draft, edit } = editing
  const [named, setNamed] = useState(() => shownPreset(draft, manifest))
  const preset = Object.hasOwn(draft.presets, named) ? named : shownPreset(draft, manifest)
  const [tab, setTab] = useState<'form' | 'page'>('form')
  const mayEdit = useMay()('pluginManagement.updateSettings')
  const change = useChange(
    (body: Body, options) => api.pluginManagement.updateSettings(body, options),
    ['pluginManagement.'],
  )
  const value = objectIn(valueOf(draft.presets, preset))
  const { meta: _, ...config } = value
  const schema = live.schema ?? {}
  return (
    <div class="stack">
      <Differing editing={editing} schema={schema} isReadOnly={!mayEdit} />
      <Tabs tab={tab} onTab={setTab} />
      <div class={`studio shows-${tab}`}>
        <section class="card form-side" aria-label={text('form')}>
          <div class="inside">
            <PresetChoice
              editing={editing}
              manifest={manifest}
              preset={preset}
              isReadOnly={!mayEdit}
              onPreset={setNamed}
            />
            <SchemaForm
              key={preset}
              schema={schema}
              uiSchema={live.uiSchema ?? {}}
              value={value}
              wrong={wrongIn(change.failure, preset)}
              isReadOnly={!mayEdit}
              onValue={(next) => editing.setPreset(preset, next)}
            />
          </div>
          {mayEdit && <SaveBar deploymentId={deploymentId} editing={editing} change={change} />}
        </section>
        <section class="card page-side" aria-label={text('page')}>
          <div class="inside">
            <Preview target={deployment} pages={pages} config={config} />
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

interface DifferingProps {
  editing: Editing
  schema: JsonObject
  isReadOnly: boolean
}

/** What others want otherwise: whoever saved while this was typed, and the author. */
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
        effect={text('author.effect')}
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

interface PresetChoiceProps {
  editing: Editing
  manifest: ManifestSettings
  preset: string
  isReadOnly: boolean
  onPreset: (name: string) => void
}

function PresetChoice({ editing, manifest, preset, isReadOnly, onPreset }: PresetChoiceProps) {
  const { draft, showPreset } = editing
  const shown = shownPreset(draft, manifest)
  const names = Object.keys(draft.presets)
  if (names.length < 2) return null
  return (
    <fieldset class="preset">
      <legend class="hidden-text">{text('preset')}</legend>
      <Select
        label={text('preset')}
        value={preset}
        options={names.map((name) => ({ value: name, name: name === shown ? text('presetShown', { name }) : name }))}
        onValue={onPreset}
      />
      {preset !== shown && !isReadOnly && (
        <Check label={text('showPreset')} isChecked={false} onChange={() => showPreset(preset)} />
      )}
    </fieldset>
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
    void changed('pluginManagement.') // Somebody may have been faster: what is typed is brought on top.
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

/** What the platform found wrong in a preset, by the places in it. */
function wrongIn(failure: ApiFailure | null, preset: string): ReadonlyMap<string, string> {
  const begin = `presets.${preset}`
  const own = (failure?.issues ?? []).filter(
    ({ path }) => path === begin || [`${begin}.`, `${begin}[`].some((each) => path.startsWith(each)),
  )
  return new Map(own.map(({ path, message }) => [path.slice(begin.length).replace(/^\./, ''), message]))
}
