import { ApiError } from '../../ambient/api-error.ts'
import type { PresetChecker } from './check-presets.ts'
import type { InvalidPreset } from './schema-worker.ts'
import { settingsOf, toLive, type LiveSettings, type StoredSetting } from './live-settings.ts'

/**
 * Where presets would break the schema after a change, those left out that break what stands already: nobody should be
 * kept from a change by what was wrong before.
 */
export async function presetVerdict(
  { live, changed }: { live: LiveSettings; changed: readonly StoredSetting[] },
  accountId: string,
  { check }: PresetChecker,
): Promise<InvalidPreset[]> {
  if (!changed.some(({ kind }) => kind === 'schema' || kind === 'preset')) return []
  const after = toLive(withChanges(live, changed))
  if (after.schema === null) return []
  const problems = await check(accountId, after.schema, after.presets)
  if (problems.length === 0) return []
  const known = live.schema === null ? [] : await check(accountId, live.schema, live.presets)
  const broken = new Set(known.map(({ preset }) => preset))
  const isTouched = new Set(changed.flatMap(({ kind, name }) => (kind === 'preset' ? [name] : [])))
  return problems.filter(({ preset }) => isTouched.has(preset) || !broken.has(preset))
}

function withChanges(live: LiveSettings, changed: readonly StoredSetting[]): StoredSetting[] {
  const all = new Map(settingsOf(live).map((each) => [`${each.kind} ${each.name}`, each]))
  for (const each of changed) all.set(`${each.kind} ${each.name}`, each)
  return [...all.values()]
}

/** @throws {ApiError} 409 of `schema`, with each place, when presets would become invalid. */
export function refuseInvalid(invalid: readonly InvalidPreset[]): void {
  if (invalid.length === 0) return
  const presets = new Set(invalid.map(({ preset }) => preset))
  const issues = invalid.map(({ preset, pointer, message }) => ({
    path: `presets.${preset}${pointer}`,
    message,
    code: 'state_conflict',
  }))
  throw new ApiError(
    'state_conflict',
    `${presets.size === 1 ? '1 live preset' : `${presets.size} live presets`} would become invalid under the schema: ${[...presets].join(', ')}. Mend them, or send force: true.`,
    { param: 'schema', issues },
  )
}
