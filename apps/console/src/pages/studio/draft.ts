import type { Contract, ResponseOf } from '@tillwright/contract'
import { isObject, isSameJson, type JsonObject, valueOf, withValue } from '../../forms/schema/index.ts'

/** The settings of a deployment as the API answers them. */
export type LiveSettings = ResponseOf<Contract['pluginManagement']['settings']>

/** Editable settings of a plugin. */
export interface Draft {
  presets: Readonly<Record<string, JsonObject>>
  /** Parts of settings by name, for the pages to use. */
  templates: Readonly<Record<string, JsonObject>>
  /** The preset that the pages show; `null` for the author's choice. */
  activePreset: string | null
}

/** A place in settings: `['presets', 'dark', 'colour']`. */
export type Path = readonly string[]

/** One of what a merchant edits. */
export interface Subject {
  kind: 'presets' | 'templates'
  name: string
}

/** A value that the member has edited and another one has changed meanwhile. `undefined` where it does not exist. */
export interface Clash {
  path: Path
  mine: unknown
  theirs: unknown
  /** The version that the member has chosen; `null` before. */
  chosen: Side | null
}
export type Side = 'mine' | 'theirs'

/** Two versions of one value. */
export interface Difference {
  path: Path
  before: unknown
  after: unknown
}

interface ThreeWays<Value> {
  base: Value
  mine: Value
  theirs: Value
}

/**
 * Three-way merge of the member's edits with a version that was saved meanwhile: objects name by name, everything else
 * as a whole. A change of only one side is taken.
 */
export function mergeDrafts({ base, mine, theirs }: ThreeWays<Draft>): { draft: Draft; clashes: readonly Clash[] } {
  const { value, clashes } = merged({ base, mine, theirs }, [])
  return { draft: value as Draft, clashes } // Merged from three drafts, name by name.
}

function merged({ base, mine, theirs }: ThreeWays<unknown>, path: Path): { value: unknown; clashes: readonly Clash[] } {
  if (isSameJson(mine, theirs) || isSameJson(base, theirs)) return { value: mine, clashes: [] }
  if (isSameJson(base, mine)) return { value: theirs, clashes: [] }
  if (!isObject(mine) || !isObject(theirs)) return { value: mine, clashes: [{ path, mine, theirs, chosen: null }] }
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
  const parts = names.map((name) => {
    const ways = { base: valueOf(base, name), mine: valueOf(mine, name), theirs: valueOf(theirs, name) }
    return { name, ...merged(ways, [...path, name]) }
  })
  const entries = parts.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value] as const)
  return { value: Object.fromEntries(entries), clashes: parts.flatMap(({ clashes }) => clashes) }
}

/** Where two versions differ: in the names of objects, and in everything else as a whole. */
export function differencesBetween(before: unknown, after: unknown, path: Path = []): readonly Difference[] {
  if (isSameJson(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => differencesBetween(valueOf(before, name), valueOf(after, name), [...path, name]))
}

/** The JSON Merge Patch (RFC 7396) that makes one object the other. */
export function patchBetween(before: unknown, after: JsonObject): JsonObject {
  const names = [...new Set([...(isObject(before) ? Object.keys(before) : []), ...Object.keys(after)])]
  const entries = names.flatMap((name) => {
    const [from, to] = [valueOf(before, name), valueOf(after, name)]
    if (isSameJson(from, to)) return []
    return [[name, to === undefined ? null : isObject(to) ? patchBetween(from, to) : to] as const]
  })
  return Object.fromEntries(entries)
}

/** Settings with others on top: objects name by name, everything else as a whole. */
export function laidOver(below: unknown, above: JsonObject): JsonObject {
  const entries = Object.entries(above).map(([name, value]) => {
    const under = valueOf(below, name)
    return [name, isObject(value) && isObject(under) ? laidOver(under, value) : value] as const
  })
  return { ...(isObject(below) ? below : {}), ...Object.fromEntries(entries) }
}

/** Value of a draft at a path; `undefined` if there is none. */
export function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => valueOf(inner, step), settings)
}

/** A draft with another value at a place; `undefined` takes it away. */
export function withValueAt(draft: Draft, path: Path, value: unknown): Draft {
  return placed(draft, path, value) as Draft // Of a draft, and a place in it.
}

function placed(whole: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  const object = isObject(whole) ? whole : {}
  return withValue(object, step, placed(valueOf(object, step), rest, value))
}

/** A JSON pointer (RFC 6901), as the API names places. */
export function pointerOf(path: Path): string {
  return path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The place that a JSON pointer names. */
export function pathOf(pointer: string): Path {
  const steps = pointer.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
