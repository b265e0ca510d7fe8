import { createHash } from 'node:crypto'
import type { InputOf } from '@tillwright/client'
import type { Contract, NewDeployment, PluginManifest } from '@tillwright/contract'
import type { BundleFile, Plugin } from '@tillwright/plugin-build'
import { canonicalJson } from '@tillwright/contract/json'

/** One file of a deployment. */
export interface ContentFile {
  path: string
  /** In lower-case hexadecimal. */
  sha256: string
  /** Bytes. */
  size: number
  contentType: string
}

/** The settings of a plugin. */
export interface AuthorSettings {
  /** The JSON Schema of the settings, if they have one. */
  schema: Record<string, unknown> | null
  uiSchema: Record<string, unknown> | null
  presets: Record<string, Record<string, unknown>>
  templates: Record<string, Record<string, unknown>>
}

/** The content to publish: everything that a platform will store of the plugin, without the bytes. */
export interface Content {
  pluginId: string
  /** The version that it is published as. */
  version: string
  /** The version in `plugin.manifest.json`. */
  manifestVersion: string
  manifest: PluginManifest
  files: readonly ContentFile[]
  settings: AuthorSettings
  /** The previews of its pages, if the plugin has scenarios. */
  demoPreviews?: NonNullable<NewDeployment['demoPreviews']>
}

/** The content of a built plugin. */
export function readContent(plugin: Plugin, files: readonly BundleFile[]): Content {
  const { file, manifest, configuration, templates } = plugin
  const { schema, uiSchema, presets } = configuration
  return {
    pluginId: file.pluginId,
    version: file.version,
    manifestVersion: file.version,
    manifest,
    files: files.map(({ path, sha256, bytes, contentType }) => ({ path, sha256, size: bytes.length, contentType })),
    settings: { schema, uiSchema, presets, templates },
  }
}

/** A SHA-256 of the content, independent of the order of keys. */
export function contentHash(content: Content): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex')
}

/** The body of a deployment that names its files by their hashes alone. Source: `POST /plugins/v2/deploy`. */
export function deployBody(
  { manifest, files, demoPreviews }: Content,
  storeId: string,
): InputOf<Contract['plugins']['deploy']> {
  return {
    storeId,
    manifest,
    ...(demoPreviews !== undefined && { demoPreviews }),
    inlineAssets: files.map(({ path, sha256, size, contentType }) => ({ path, sha256, size, contentType })),
  }
}
