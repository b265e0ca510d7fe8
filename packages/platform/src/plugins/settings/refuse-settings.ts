import { PRESETS_MAX } from '@tillwright/contract'
import { ApiError } from '../../ambient/api-error.ts'
import type { LiveSettings, StoredSetting } from './live-settings.ts'

/** @throws {ApiError} 409 of `expectedRevision` when the settings have moved on. */
export function refuseOtherRevision(expected: number | undefined, revision: number): void {
  if (expected === undefined || expected === revision) return
  throw new ApiError(
    'state_conflict',
    `The settings are at revision ${revision}, not ${expected}; read them again, then send what is still meant.`,
    { param: 'expectedRevision' },
  )
}

/** @throws {ApiError} 400 when a deployment would have more presets or templates than it may. */
export function refuseTooMany(changed: readonly StoredSetting[], live: LiveSettings): void {
  for (const kind of ['preset', 'template'] as const) {
    const names = new Set(Object.keys(kind === 'preset' ? live.presets : live.templates))
    for (const each of changed) if (each.kind === kind && each.value !== null) names.add(each.name)
    if (names.size <= PRESETS_MAX) continue
    const message = `The deployment would have ${names.size} ${kind}s; it has ${PRESETS_MAX} at most.`
    throw new ApiError('parameter_invalid', message, { param: `${kind}s` })
  }
}
