import { PRESETS_MAX, SETTINGS_MAX_BYTES, SETTINGS_MAX_VALUES, countValues } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import { settingsOf, type LiveSettings, type StoredSetting } from './live-settings.ts'

/** @throws {ApiError} 409 of `expectedRevision` when the settings have moved on. */
export function refuseOtherRevision(expected: number | undefined, revision: number): void {
  if (expected === undefined || expected === revision) return
  throw new ApiError(
    'state_conflict',
    `The settings are at revision ${revision}, not ${expected}; read them again, then send what is still meant.`,
    { param: 'expectedRevision' },
  )
}

/** @throws {ApiError} 400 when a deployment would have more presets or templates than it may, or larger settings. */
export function refuseTooMany(changed: readonly StoredSetting[], live: LiveSettings): void {
  refuseTooLarge(changed, settingsOf(live))
  for (const kind of ['preset', 'template'] as const) {
    const names = new Set(Object.keys(kind === 'preset' ? live.presets : live.templates))
    for (const each of changed) if (each.kind === kind && each.value !== null) names.add(each.name)
    if (names.size <= PRESETS_MAX) continue
    const message = `The deployment would have ${names.size} ${kind}s; it has ${PRESETS_MAX} at most.`
    throw new ApiError('parameter_invalid', message, { param: `${kind}s` })
  }
}

/**
 * All settings are read with every change of one of them, so that they are bounded together.
 *
 * @throws {ApiError} 400 when the standing settings would be larger than they may, with the changes in their places.
 */
export function refuseTooLarge(changed: readonly StoredSetting[], standing: readonly StoredSetting[]): void {
  if (changed.length === 0) return
  const isChanged = new Set(changed.map(placeOf))
  const after = [...changed, ...standing.filter((each) => !isChanged.has(placeOf(each)))]
  const bytes = after.reduce((sum, { value }) => sum + Buffer.byteLength(JSON.stringify(value)), 0)
  const values = after.reduce((sum, { value }) => sum + countValues(value), 0)
  if (bytes <= SETTINGS_MAX_BYTES && values <= SETTINGS_MAX_VALUES) return
  throw new ApiError(
    'parameter_invalid',
    `The settings of the deployment would have ${bytes} bytes as JSON and ${values} values; all of them together have at most ${SETTINGS_MAX_BYTES} bytes and ${SETTINGS_MAX_VALUES} values.`,
  )
}

function placeOf({ kind, name }: StoredSetting): string {
  return `${kind} ${name}`
}
