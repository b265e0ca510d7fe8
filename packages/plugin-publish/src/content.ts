import type { NewDeployment, PluginManifest } from '@tillwright/contract'

/** One file of a plugin as it is, or is to be, deployed. */
export interface ContentFile {
  path: string
  /** In lower-case hexadecimal. */
  sha256: string
  /** Bytes. */
  size: number
  contentType: string
}

/** The settings that a plugin brings along. */
export interface AuthorSettings {
  /** The JSON Schema of the settings, if they have one. */
  schema: Record<string, unknown> | null
  uiSchema: Record<string, unknown> | null
  presets: Record<string, Record<string, unknown>>
  templates: Record<string, Record<string, unknown>>
}

/** What is to be published: all that a platform will hold of the plugin, without the bytes. */
export interface Content {
  pluginId: string
  version: string
  manifest: PluginManifest
  files: readonly ContentFile[]
  settings: AuthorSettings
  /** What the pages are to be seen in, where the plugin says so. */
  demoPreviews?: NonNullable<NewDeployment['demoPreviews']>
}
