import type { BundleFile, Plugin } from '@tillwright/plugin-build'
import type { Content } from './content.ts'

/** What is to be published of a plugin that was built. */
export function readContent(plugin: Plugin, files: readonly BundleFile[]): Content {
  const { file, manifest, configuration, templates } = plugin
  const { schema, uiSchema, presets } = configuration
  return {
    pluginId: file.pluginId,
    version: file.version,
    manifest,
    files: files.map(({ path, sha256, bytes, contentType }) => ({ path, sha256, size: bytes.length, contentType })),
    settings: { schema, uiSchema, presets, templates },
  }
}
