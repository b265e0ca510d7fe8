import { useState } from 'preact/hooks'
import { Button, Dialog, Input, Select } from '../../design/controls.tsx'
import { type JsonObject, objectIn, valueOf } from '../../forms/schema/index.ts'
import { text as shared } from '../../shell/text.ts'
import { type Draft, laidOver, pointerOf, type Subject } from './draft.ts'
import { type Editing, type ManifestSettings, shownPreset } from './editing.ts'
import { text } from './text.ts'

/** How long a name may be. */
const NAME_MAX_CHARS = 255

interface SubjectProps {
  editing: Editing
  manifest: ManifestSettings
  subject: Subject
  isReadOnly: boolean
  onSubject: (subject: Subject) => void
}

/** Chooses, adds, shows and removes the presets and templates to edit. */
export function SubjectChoice({ editing, manifest, subject, isReadOnly, onSubject }: SubjectProps) {
  const { draft, showPreset, remove } = editing
  const [isAdding, setAdding] = useState(false)
  const shown = shownPreset(draft, manifest)
  const subjects = subjectsOf(draft)
  const isShown = subject.kind === 'presets' && subject.name === shown
  if (subjects.length < 2 && isReadOnly) return null
  return (
    <fieldset class="subject">
      <legend class="hidden-text">{text('editing')}</legend>
      <div class="which">
        <Select
          label={text('editing')}
          value={keyOf(subject)}
          options={subjects.map((each) => ({ value: keyOf(each), name: subjectName(each, shown) }))}
          onValue={(key) => onSubject(subjects.find((each) => keyOf(each) === key) ?? subject)}
        />
        {!isReadOnly && <Button onClick={() => setAdding(true)}>{text('new')}</Button>}
      </div>
      {!isShown && !isReadOnly && (
        <div class="which">
          {subject.kind === 'presets' && <Button onClick={() => showPreset(subject.name)}>{text('showPreset')}</Button>}
          <Button kind="plain" onClick={() => remove(subject)}>
            {text('remove', { name: subject.name })}
          </Button>
        </div>
      )}
      {isAdding && (
        <NewSubject
          draft={draft}
          shown={shown}
          onClose={() => setAdding(false)}
          onAdd={(added, value) => {
            editing.set(added, value)
            onSubject(added)
            setAdding(false)
          }}
        />
      )}
    </fieldset>
  )
}

interface NewSubjectProps {
  draft: Draft
  /** The preset that buyers see. */
  shown: string
  onClose: () => void
  onAdd: (subject: Subject, value: JsonObject) => void
}

/** Creates a preset or a template, as a copy of another one if the member wants it. */
function NewSubject({ draft, shown, onClose, onAdd }: NewSubjectProps) {
  const [kind, setKind] = useState<Subject['kind']>('presets')
  const [typed, setTyped] = useState('')
  const origins = originsOf(draft, { kind, shown })
  const [chosen, setChosen] = useState(keyOf({ kind: 'presets', name: shown }))
  const origin = origins.find(({ value }) => value === chosen) ?? origins[0]
  const name = typed.trim()
  const isTaken = Object.hasOwn(draft[kind], name)
  const add = (event: Event) => {
    event.preventDefault()
    if (name !== '' && !isTaken && origin !== undefined) onAdd({ kind, name }, origin.settings)
  }
  return (
    <Dialog title={text('new.title')} onClose={onClose}>
      <form class="stack" onSubmit={add}>
        <Select
          label={text('new.kind')}
          value={kind}
          hint={text(`new.${kind}`)}
          options={[
            { value: 'presets', name: text('preset') },
            { value: 'templates', name: text('template') },
          ]}
          onValue={(next) => setKind(next === 'templates' ? next : 'presets')}
        />
        <Input
          label={text('new.name')}
          value={typed}
          onValue={setTyped}
          required
          maxLength={NAME_MAX_CHARS}
          wrong={isTaken ? text('new.taken') : undefined}
        />
        <Select label={text('new.from')} value={origin?.value ?? ''} options={origins} onValue={setChosen} />
        <p class="hint">{text('new.hint')}</p>
        <div class="actions">
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button kind="main" type="submit" disabled={name === '' || isTaken}>
            {text('new.add')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface Origin {
  value: string
  name: string
  settings: JsonObject
}

/** Presets and templates of which a new one may be a copy. */
function originsOf(draft: Draft, { kind, shown }: { kind: Subject['kind']; shown: string }): readonly Origin[] {
  const nothing = { value: '', name: text('new.nothing'), settings: {} }
  const templates = Object.entries(draft.templates).map(([name, template]) => {
    const value = keyOf({ kind: 'templates', name })
    if (kind === 'templates') return { value, name: text('templateNamed', { name }), settings: template }
    const settings = laidOver(valueOf(draft.presets, shown), template)
    return { value, name: text('new.over', { template: name, preset: shown }), settings: plain(settings) }
  })
  if (kind === 'templates') return [nothing, ...templates]
  const presets = Object.entries(draft.presets).map(([name, preset]) => {
    return { value: keyOf({ kind, name }), name: subjectName({ kind, name }, shown), settings: plain(preset) }
  })
  return [...presets, ...templates, nothing]
}

/** Strips a preset's metadata, which is not copied. */
function plain({ meta: _, ...settings }: JsonObject): JsonObject {
  return settings
}

/** All presets and templates of a draft. */
function subjectsOf(draft: Draft): readonly Subject[] {
  return (['presets', 'templates'] as const).flatMap((kind) => Object.keys(draft[kind]).map((name) => ({ kind, name })))
}

/** The member's selection as long as it exists; else the preset that buyers see. */
export function presentSubject(draft: Draft, chosen: Subject | null, manifest: ManifestSettings): Subject {
  if (chosen !== null && Object.hasOwn(draft[chosen.kind], chosen.name)) return chosen
  return { kind: 'presets', name: shownPreset(draft, manifest) }
}

/** Settings of a preset or template. */
export function settingsIn(draft: Draft, { kind, name }: Subject): JsonObject {
  return objectIn(valueOf(draft[kind], name))
}

function subjectName({ kind, name }: Subject, shown: string): string {
  if (kind === 'templates') return text('templateNamed', { name })
  return name === shown ? text('presetShown', { name }) : name
}

/** As the value of an option. */
export function keyOf({ kind, name }: Subject): string {
  return pointerOf([kind, name])
}
