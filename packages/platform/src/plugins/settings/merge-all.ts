import { isDeepStrictEqual } from 'node:util'
import type { SettingKind, Settings, StoredSetting } from './live-settings.ts'
import { mergeSettings, type MergeStrategy } from './merge-settings.ts'
import { pointerOf } from './setting-pointer.ts'

/** What a synchronisation makes of the settings. */
export interface MergedSettings {
  live: readonly StoredSetting[]
  /** What counts as synchronised from now on, for presets and templates whose own has changed. */
  bases: readonly StoredSetting[]
  conflicts: readonly string[]
}

interface Merging {
  sent: readonly StoredSetting[]
  standing: readonly StoredSetting[]
  bases: readonly StoredSetting[]
}

/** Merges every setting that was sent. A schema and a uiSchema are the author's alone. */
export function mergeAll({ sent, standing, bases }: Merging, strategy: MergeStrategy): MergedSettings {
  const merged = sent.map((setting) => {
    if (setting.kind === 'schema' || setting.kind === 'uiSchema') return { setting, live: setting, conflicts: [] }
    const base = valueIn(bases, setting)
    const ways = { base, theirs: setting.value, ours: valueIn(standing, setting) }
    const result = mergeSettings(ways, strategy, pointerOf(setting))
    const next = result.base === undefined || isDeepStrictEqual(result.base, base) ? undefined : result.base
    return {
      setting,
      live: { ...setting, value: toValue(result.live) },
      conflicts: result.conflicts,
      base: next === undefined ? undefined : { ...setting, value: toValue(next) },
    }
  })
  return {
    live: merged.map(({ live }) => live),
    bases: merged.flatMap(({ base }) => (base === undefined ? [] : [base])),
    conflicts: merged.flatMap(({ conflicts }) => conflicts).slice(0, CONFLICTS_MAX),
  }
}

/** As many conflicts are told at a time. */
const CONFLICTS_MAX = 50

/** Those of the settings that are other than what stands. */
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
  return isSettings(merged) ? merged : null
}

function isSettings(merged: unknown): merged is Settings {
  return typeof merged === 'object' && merged !== null
}
