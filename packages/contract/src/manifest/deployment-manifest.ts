import type { PluginManifest } from '../resources/plugin-manifests.ts'
import type { PluginFile } from './plugin-file.ts'

/** What the file holds for editors and for the build; none of it is sent with a deployment. */
const ofTheBuild = ['$schema', 'entry', 'configuration', 'templates', 'assets', 'budgets'] as const

/** The preset that a store begins with. */
export interface DefaultPreset {
  name: string
  settings: Record<string, unknown>
}

/**
 * The `manifest` of a deployment, as `POST /plugins/v2/deploy` takes it. Keys that nobody knows are kept, at every depth.
 *
 * @param preset The default preset; none when the plugin has no presets.
 */
export function deploymentManifest(file: PluginFile, preset?: DefaultPreset): PluginManifest {
  const { tags = [], pages, ...rest } = file
  for (const key of ofTheBuild) delete rest[key]
  const chosen = preset === undefined ? {} : { config: preset.settings, defaultPreset: preset.name }
  return { ...rest, tags, pages: pages.map(({ entry: _, ...page }) => page), ...chosen }
}
