import type { Plugin } from '@tillwright/plugin-build'
import type { Scenario } from './scenario.ts'

/** The settings of a scenario's preset, else of the plugin's default one; none if there is neither. */
export function settingsOf(
  { presets, defaultPreset }: Plugin['configuration'],
  { preset }: Pick<Scenario, 'preset'>,
): Readonly<Record<string, unknown>> {
  return presets[preset ?? defaultPreset ?? ''] ?? {}
}
