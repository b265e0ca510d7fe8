import { useEffect, useReducer, useRef } from 'preact/hooks'
import { useUnsaved } from '../../design/unsaved.ts'
import { isObject, isSameJson, type JsonObject, objectIn, valueOf } from '../../forms/schema/index.ts'
import {
  type Clash,
  differencesBetween,
  type Draft,
  type LiveSettings,
  mergeDrafts,
  patchBetween,
  type Path,
  pathOf,
  pointerOf,
  type Side,
  type Subject,
  valueAt,
  withValueAt,
} from './draft.ts'

/** Settings in the manifest. */
export interface ManifestSettings {
  config?: unknown
  defaultPreset?: unknown
}

/** A member's unsaved edits, with the revision on which they are based. */
interface Kept {
  revision: number
  base: Draft
  mine: Draft
  /** Edited values that another member has changed meanwhile. */
  clashes: readonly Clash[]
  /** The member's decisions between the author's and the merchant's value, by JSON pointer, with the author's value. */
  decided: Readonly<Record<string, Decided>>
}

/** By name; `null` removes one. */
type Patches = Record<string, JsonObject | null>

interface Decided {
  side: Side
  /** As the API told it: `null` for what the author has removed. */
  author: unknown
}

/** The body of an edit, but for the deployment. */
export interface Edit {
  presets?: Patches
  templates?: Patches
  activePreset?: string
  resolved?: { pointer: string; author: unknown }[]
  expectedRevision: number
}

/** The work on the settings of one deployment. */
export interface Editing {
  draft: Draft
  /** How many values are other than what is live. */
  changes: number
  /** Conflicts with other members' changes: all have to be decided before saving. */
  clashes: readonly Clash[]
  /** Where the author has sent another value than the merchant's. */
  conflicts: readonly Clash[]
  edit: Edit
  /** Changes one, or adds it. */
  set: (subject: Subject, value: JsonObject) => void
  remove: (subject: Subject) => void
  showPreset: (name: string) => void
  decide: (clash: Clash, side: Side) => void
  /** Forgets what was typed. */
  discard: () => void
}

/**
 * Keeps a member's edits in the tab until they are saved or discarded, even if the member leaves the page and returns.
 * When the settings change meanwhile, the edits are merged into them.
 *
 * @param key Of the member and the deployment.
 */
export function useEditing(now: LiveSettings, manifest: ManifestSettings, key: string): Editing {
  const kept = useRef<Kept | null>(null)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  kept.current ??= readKept(key) ?? begun(now, manifest)
  // Each revision is met once: what is typed later is typed on top of it.
  if (kept.current.revision !== now.revision) kept.current = rebased(kept.current, now, manifest)
  kept.current = withStanding(kept.current, now)
  const state = kept.current
  const keep = (next: Kept) => {
    kept.current = next
    draw(undefined)
  }
  const edit = editOf(state, now)
  const changes = differencesBetween(state.base, state.mine).length + Object.keys(state.decided).length
  useEffect(() => {
    if (changes === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(state))
  }, [key, changes, state])
  useUnsaved(changes > 0)
  return {
    draft: state.mine,
    changes,
    clashes: state.clashes,
    conflicts: conflictsOf(state, now),
    edit,
    set: ({ kind, name }, value) => keep(unswitched(state, typed(state, [kind, name], value), manifest)),
    remove: ({ kind, name }) => keep(typed(state, [kind, name], undefined)),
    showPreset: (name) => keep(typed(state, ['activePreset'], name)),
    decide: (clash, side) => keep(decided(state, clash, side)),
    discard: () => keep(begun(now, manifest)),
  }
}

function begun(now: LiveSettings, manifest: ManifestSettings): Kept {
  const base = draftOf(now, manifest)
  return { revision: now.revision, base, mine: base, clashes: [], decided: {} }
}

/** Where no preset is, the pages have what the manifest brings: an edit makes a preset of it. */
function draftOf({ presets, templates, activePreset }: LiveSettings, { config }: ManifestSettings): Draft {
  const isEmpty = Object.keys(presets).length === 0
  return { presets: isEmpty ? { default: objectIn(config) } : presets, templates, activePreset }
}

function rebased(kept: Kept, now: LiveSettings, manifest: ManifestSettings): Kept {
  const theirs = draftOf(now, manifest)
  const { draft, clashes } = mergeDrafts({ base: kept.base, mine: kept.mine, theirs })
  const isNew = ({ path }: Clash) => clashes.every((each) => pointerOf(each.path) !== pointerOf(path))
  const before = kept.clashes.filter((each) => isNew(each) && isSameJson(valueAt(theirs, each.path), each.theirs))
  return {
    revision: now.revision,
    base: theirs,
    mine: draft,
    // Once it is saved, there is nothing to decide any more.
    clashes: isSameJson(draft, theirs) ? [] : [...before, ...clashes],
    decided: kept.decided,
  }
}

/** Conflicts come and go without a revision: what was decided of one holds while the author wants what was shown. */
function withStanding(kept: Kept, { conflicts }: LiveSettings): Kept {
  const open = new Map(conflicts.map(({ pointer, author }) => [pointer, author]))
  const isStanding = ([pointer, { author }]: [string, Decided]) =>
    open.has(pointer) && isSameJson(open.get(pointer), author)
  const all = Object.entries(kept.decided)
  const standing = all.filter(isStanding)
  return standing.length === all.length ? kept : { ...kept, decided: Object.fromEntries(standing) }
}

/** An edit of a value in conflict resolves the conflict. */
function typed(state: Kept, path: Path, value: unknown): Kept {
  return { ...state, mine: withValueAt(state.mine, path, value) }
}

/** Without an active preset, pages choose one by its name: a new preset does not replace the one that buyers see. */
function unswitched(before: Kept, after: Kept, manifest: ManifestSettings): Kept {
  const shown = shownPreset(before.mine, manifest)
  if (shownPreset(after.mine, manifest) === shown) return after
  return { ...after, mine: { ...after.mine, activePreset: shown } }
}

function decided(state: Kept, { path, mine, theirs }: Clash, side: Side): Kept {
  const pointer = pointerOf(path)
  const next = { ...state, mine: withValueAt(state.mine, path, side === 'mine' ? mine : theirs) }
  const isClash = state.clashes.some((each) => pointerOf(each.path) === pointer)
  const choice = { side, author: theirs ?? null }
  if (!isClash) return { ...next, decided: { ...state.decided, [pointer]: choice } }
  const clashes = state.clashes.map((each) => (pointerOf(each.path) === pointer ? { ...each, chosen: side } : each))
  return { ...next, clashes }
}

function conflictsOf({ base, decided: sides }: Kept, { conflicts }: LiveSettings): readonly Clash[] {
  return conflicts.map(({ pointer, author }) => ({
    path: pathOf(pointer),
    mine: valueAt(base, pathOf(pointer)),
    theirs: author ?? undefined,
    chosen: sides[pointer]?.side ?? null,
  }))
}

function editOf({ mine, base, decided: sides }: Kept, now: LiveSettings): Edit {
  const presets = patchesOf(base.presets, mine.presets, now.presets)
  const templates = patchesOf(base.templates, mine.templates, now.templates)
  const resolved = Object.entries(sides).map(([pointer, { author }]) => ({ pointer, author }))
  return {
    ...(presets !== null && { presets }),
    ...(templates !== null && { templates }),
    ...(mine.activePreset !== null && mine.activePreset !== base.activePreset && { activePreset: mine.activePreset }),
    ...(resolved.length > 0 && { resolved }),
    expectedRevision: now.revision,
  }
}

type Named = Draft['presets']

/** Patches of presets or templates; `null` without a change. */
function patchesOf(base: Named, mine: Named, now: Named): Patches | null {
  const names = new Set([...Object.keys(base), ...Object.keys(mine)])
  const touched = [...names].filter((name) => !isSameJson(valueOf(base, name), valueOf(mine, name)))
  if (touched.length === 0) return null
  // With the first of all presets goes what the pages had without one.
  const unsaved = Object.keys(mine).filter((name) => !Object.hasOwn(now, name))
  const sent = [...new Set([...touched, ...unsaved])].map((name) => {
    const value = valueOf(mine, name)
    return [name, isObject(value) ? patchBetween(valueOf(now, name), value) : null] as const
  })
  return Object.fromEntries(sent)
}

/** The preset that the pages show: the merchant's choice, else the author's, else `default`, else the first by name. */
export function shownPreset({ presets, activePreset }: Draft, { defaultPreset }: ManifestSettings): string {
  const [first = 'default'] = Object.keys(presets).toSorted()
  const names = [activePreset, defaultPreset, 'default'].filter((name) => typeof name === 'string')
  return names.find((name) => Object.hasOwn(presets, name)) ?? first
}

function readKept(key: string): Kept | null {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as Kept) // Written above, by this tab.
}
