import type { PluginManifest } from '../resources/plugin-manifests.ts'
import type { PluginFile } from './plugin-file.ts'

/** What the file holds for editors and for the build; none of it is sent with a deployment. */
const ofTheBuild = ['$schema', 'entry', 'configuration', 'templates', 'assets', 'budgets'] as const

/**
 * The `manifest` of a deployment, as `POST /plugins/v2/deploy` takes it. Keys that nobody knows are kept, at every depth.
 *
 * @param config The settings of the default preset; none when the plugin has no presets.
 */
export function deploymentManifest(file: PluginFile, config?: Record<string, unknown>): PluginManifest {
  const { tags = [], pages, ...rest } = file
  for (const key of ofTheBuild) delete rest[key]
  return { ...rest, tags, pages: pages.map(({ entry: _, ...page }) => page), ...(config !== undefined && { config }) }
}
