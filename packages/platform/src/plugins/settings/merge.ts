import { isDeepStrictEqual } from 'node:util'
import { SETTINGS_CONFLICTS_MAX } from '@tillwright/contract'
import { isObject } from '@tillwright/contract/json'
import type { SettingBase, SettingKind, Settings, StoredSetting } from './settings.ts'

/**
 * How to resolve a value that author and merchant have both changed, each differently. `merge` keeps the merchant's and
 * reports the conflict again with every synchronisation; `ours` keeps it and resolves the conflict; `theirs` takes the
 * author's; `strict` merges nothing that has one.
 */
export type MergeStrategy = 'merge' | 'theirs' | 'ours' | 'strict'

/** Three versions of a setting; `undefined` where it does not exist. */
export interface ThreeWays {
  /** The author's previously synchronised value. */
  base: unknown
  /** The author's value in this synchronisation. */
  theirs: unknown
  /** The live value, with the merchant's edits. */
  ours: unknown
}

/** The result of a merge. */
export interface Merged {
  live: unknown
  /** The value recorded as the author's last synchronised one. */
  base: unknown
  /** JSON pointers (RFC 6901) of what both have changed. */
  conflicts: readonly string[]
}

/**
 * Merges what an author sends into what a merchant has edited: objects name by name, lists and everything else as a
 * whole. A change by one of the two, or the same by both, is no conflict.
 *
 * @param pointer Where the setting stands, for the pointers of conflicts.
 */
export function mergeSettings({ base, theirs, ours }: ThreeWays, strategy: MergeStrategy, pointer = ''): Merged {
  return withoutConflict({ base, theirs, ours }) ?? mergeChanged({ base, theirs, ours }, strategy, pointer)
}

/** The merge where one of the two has changed nothing, or both alike; `null` where it takes more. */
function withoutConflict({ base, theirs, ours }: ThreeWays): Merged | null {
  if (isDeepStrictEqual(theirs, ours)) return { live: ours, base: theirs, conflicts: [] }
  if (isDeepStrictEqual(base, theirs)) return { live: ours, base: theirs, conflicts: [] }
  if (isDeepStrictEqual(base, ours)) return { live: theirs, base: theirs, conflicts: [] }
  return null
}

/**
 * Objects are not compared as a whole before their names are: at every depth anew, that would take the depth times as
 * long.
 */
function mergeChanged({ base, theirs, ours }: ThreeWays, strategy: MergeStrategy, pointer: string): Merged {
  if (isObject(theirs) && isObject(ours)) {
    return mergeObjects({ base: isObject(base) ? base : {}, theirs, ours }, strategy, pointer)
  }
  const merged = withoutConflict({ base, theirs, ours })
  if (merged !== null) return merged
  switch (strategy) {
    case 'merge':
    case 'strict':
      return { live: ours, base, conflicts: [pointer] }
    case 'ours':
      return { live: ours, base: theirs, conflicts: [pointer] }
    case 'theirs':
      return { live: theirs, base: theirs, conflicts: [] }
  }
}

type JsonObject = Readonly<Record<string, unknown>>

function mergeObjects(
  { base, theirs, ours }: { base: JsonObject; theirs: JsonObject; ours: JsonObject },
  strategy: MergeStrategy,
  pointer: string,
): Merged {
  const names = [...new Set([theirs, ours, base].flatMap((each) => Object.keys(each)))]
  const merged = names.map((name) => {
    const ways = { base: valueOf(base, name), theirs: valueOf(theirs, name), ours: valueOf(ours, name) }
    return { name, ...mergeChanged(ways, strategy, `${pointer}/${escapeName(name)}`) }
  })
  return {
    live: present(merged.map(({ name, live }) => [name, live])),
    base: present(merged.map(({ name, base: next }) => [name, next])),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
  }
}

function present(entries: readonly (readonly [string, unknown])[]): JsonObject {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function valueOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A name as one step of a JSON pointer. */
export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The result of synchronising the settings. */
export interface MergedSettings {
  live: readonly StoredSetting[]
  /** The author's bases that change, by presets and templates. */
  bases: readonly SettingBase[]
  conflicts: readonly string[]
}

interface Merging {
  sent: readonly StoredSetting[]
  standing: readonly StoredSetting[]
  bases: readonly SettingBase[]
}

/** Merges every setting that was sent. A schema and a uiSchema are the author's alone. */
export function mergeAll({ sent, standing, bases }: Merging, strategy: MergeStrategy): MergedSettings {
  const merged = sent.map((setting) => {
    if (setting.kind === 'schema' || setting.kind === 'uiSchema') return { setting, live: setting, conflicts: [] }
    const former = bases.find((each) => isSame(each, setting))
    const base = former?.value ?? undefined
    const ways = { base, theirs: setting.value, ours: valueIn(standing, setting) }
    const result = mergeSettings(ways, strategy, pointerOf(setting))
    const next = { ...setting, value: toValue(result.base), sent: setting.value }
    return {
      setting,
      live: { ...setting, value: toValue(result.live) },
      conflicts: result.conflicts,
      base: former !== undefined && isDeepStrictEqual(next, { ...former }) ? undefined : next,
    }
  })
  return {
    live: merged.map(({ live }) => live),
    bases: merged.flatMap(({ base }) => (base === undefined ? [] : [base])),
    conflicts: merged.flatMap(({ conflicts }) => conflicts).slice(0, SETTINGS_CONFLICTS_MAX),
  }
}

/** The settings of two deployments, what they had in common, and what the author has sent for each. */
export interface Diverged {
  carried: readonly StoredSetting[]
  own: readonly StoredSetting[]
  used: readonly StoredSetting[]
  sent: Readonly<Record<'own' | 'used', readonly SettingBase[]>>
}

/**
 * The settings of one deployment with what has changed in another one since the two had the same, value by value. Where both
 * have changed, its own stays, which was meant for it, unless that is what its author has sent and the other one's is not: an
 * edit of the merchant's. Each has a schema and a uiSchema of its own.
 */
export function mergeUsed({ carried, own, used, sent }: Diverged): StoredSetting[] {
  const named = new Map([...own, ...used].map((each) => [pointerOf(each), each]))
  const sentIn = (bases: readonly SettingBase[], setting: StoredSetting) =>
    bases.find((each) => isSame(each, setting))?.sent ?? undefined
  return [...named.values()].flatMap((setting) => {
    if (setting.kind === 'schema' || setting.kind === 'uiSchema') return []
    const value = takeOver({
      carried: valueIn(carried, setting),
      own: valueIn(own, setting),
      used: valueIn(used, setting),
      ownSent: sentIn(sent.own, setting),
      usedSent: sentIn(sent.used, setting),
    })
    return { ...setting, value: toValue(value) }
  })
}

type DivergedValue = Readonly<Record<'carried' | 'own' | 'used' | 'ownSent' | 'usedSent', unknown>>

function takeOver(values: DivergedValue): unknown {
  const { carried, own, used, ownSent, usedSent } = values
  if (isObject(own) && isObject(used)) {
    const names = [...new Set([own, used].flatMap((each) => Object.keys(each)))]
    return present(names.map((name) => [name, takeOver(valuesAt(values, name))]))
  }
  if (isDeepStrictEqual(used, carried)) return own
  if (isDeepStrictEqual(own, carried)) return used
  const isEdited = !isDeepStrictEqual(used, usedSent)
  return isEdited && isDeepStrictEqual(own, ownSent) ? used : own
}

function valuesAt({ carried, own, used, ownSent, usedSent }: DivergedValue, name: string): DivergedValue {
  const at = (value: unknown) => (isObject(value) ? valueOf(value, name) : undefined)
  return { carried: at(carried), own: at(own), used: at(used), ownSent: at(ownSent), usedSent: at(usedSent) }
}

/** A value that author and merchant have both changed, as it stands now. */
export interface SettingConflict {
  /** Where it is: `/presets/dark/colour`. */
  pointer: string
  /** The author's, `null` where it was removed. */
  author: unknown
  /** The one that both have changed, `null` where there was none. */
  base: unknown
}

/**
 * Finds the settings where the author's latest value and the live value differ from each other and from their common
 * base.
 */
export function conflictsOf(bases: readonly SettingBase[], standing: readonly StoredSetting[]): SettingConflict[] {
  const found = bases.flatMap((setting) => {
    const ways = {
      base: setting.value ?? undefined,
      theirs: setting.sent ?? undefined,
      ours: valueIn(standing, setting),
    }
    if (ways.theirs === undefined) return []
    return mergeSettings(ways, 'merge', pointerOf(setting)).conflicts.map((pointer) => {
      const steps = stepsOf(pointer).slice(2)
      return { pointer, author: valueAt(ways.theirs, steps) ?? null, base: valueAt(ways.base, steps) ?? null }
    })
  })
  return found.slice(0, SETTINGS_CONFLICTS_MAX)
}

/**
 * Takes what the author has sent for the value to merge from, where the merchant has decided: the conflicts there are
 * over, whichever value was chosen.
 *
 * @param resolved The conflicts as they were when the merchant decided.
 * @returns The bases that change. Conflicts that are there no more are ignored, and those whose author's value is another.
 */
export function resolveConflicts(
  bases: readonly SettingBase[],
  { standing, resolved }: { standing: readonly StoredSetting[]; resolved: readonly Decided[] },
): SettingBase[] {
  const open = new Map(conflictsOf(bases, standing).map(({ pointer, author }) => [pointer, author]))
  const isOpen = ({ pointer, author }: Decided) => open.has(pointer) && isDeepStrictEqual(open.get(pointer), author)
  const decided = resolved.filter(isOpen).map(({ pointer }) => pointer)
  return bases.flatMap((base) => {
    const own = decided.filter((pointer) => `${pointer}/`.startsWith(`${pointerOf(base)}/`))
    if (own.length === 0) return []
    const value = own.reduce<unknown>((merged, pointer) => {
      const steps = stepsOf(pointer).slice(2)
      return withValueAt(merged, steps, valueAt(base.sent, steps))
    }, base.value ?? {})
    return [{ ...base, value: toValue(value) }]
  })
}

type Decided = Pick<SettingConflict, 'pointer' | 'author'>

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Conflicts stand in objects alone: lists are one value. */
function valueAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((inner, step) => (isObject(inner) ? valueOf(inner, step) : undefined), value)
}

function withValueAt(value: unknown, [step, ...rest]: readonly string[], put: unknown): unknown {
  if (step === undefined) return put
  const object = isObject(value) ? value : {}
  const entries = Object.entries(object).filter(([name]) => name !== step)
  return present([...entries, [step, withValueAt(valueOf(object, step), rest, put)]])
}

function isSame(one: Pick<StoredSetting, 'kind' | 'name'>, other: Pick<StoredSetting, 'kind' | 'name'>): boolean {
  return one.kind === other.kind && one.name === other.name
}

/** Filters settings that differ from the stored ones. */
export function changesOf(settings: readonly StoredSetting[], standing: readonly StoredSetting[]): StoredSetting[] {
  return settings.filter((setting) => !isDeepStrictEqual(setting.value, valueIn(standing, setting) ?? null))
}

function valueIn(
  settings: readonly StoredSetting[],
  { kind, name }: { kind: SettingKind; name: string },
): Settings | undefined {
  return settings.find((each) => each.kind === kind && each.name === name)?.value ?? undefined
}

/** A merge of objects is an object, or nothing. */
function toValue(merged: unknown): Settings | null {
  return isObject(merged) ? merged : null
}

/** Where a setting stands, as a JSON pointer: `/presets/dark`, `/schema`. */
export function pointerOf({ kind, name }: { kind: SettingKind; name: string }): string {
  switch (kind) {
    case 'preset':
    case 'template':
      return `/${kind}s/${escapeName(name)}`
    case 'schema':
    case 'uiSchema':
    case 'activePreset':
      return `/${kind}`
  }
}
