import type { PluginManifest } from '../resources/plugin-manifests.ts'
import type { PluginFile } from './plugin-file.ts'

/** Fields of the file that are for editors and the build only and are not sent with a deployment. */
const buildOnlyFields = ['$schema', 'entry', 'configuration', 'templates', 'assets', 'budgets'] as const

/** The initial preset of a store. */
export interface DefaultPreset {
  name: string
  settings: Record<string, unknown>
}

/**
 * The `manifest` of a deployment, as `POST /plugins/v2/deploy` takes it. Unknown keys are kept, at every depth.
 *
 * @param preset The default preset; none if the plugin has no presets.
 */
export function deploymentManifest(file: PluginFile, preset?: DefaultPreset): PluginManifest {
  const { tags = [], pages, ...rest } = file
  for (const key of buildOnlyFields) delete rest[key]
  const chosen = preset === undefined ? {} : { config: preset.settings, defaultPreset: preset.name }
  return { ...rest, tags, pages: pages.map(({ entry: _, ...page }) => page), ...chosen }
}
