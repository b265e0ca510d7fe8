import { type NewDeployment, pluginMode, type PluginManifest } from '@tillwright/contract'
import type { Actor } from '../request-context.ts'
import { defineTable, flag, int, json, nullable, oneOf, text } from '../storage/index.ts'

export const pluginsTable = defineTable('plugins', {
  account_id: text,
  id: text,
  slug: nullable(text),
  created_at: int,
})

export const pluginAssetsTable = defineTable('plugin_assets', {
  account_id: text,
  sha256: text,
  size: int,
  created_at: int,
})

export const pluginBlobsTable = defineTable('plugin_blobs', {
  sha256: text,
  account_id: text,
  made: text,
  touched_at: int,
  doomed_at: nullable(int),
  doomed_by: nullable(text),
})

/** Details of a deployment besides its manifest and files. */
export interface DeploymentDetails {
  demoPreviews: NonNullable<NewDeployment['demoPreviews']> | null
  sourceData: Record<string, unknown> | null
  autoInstantiate: NewDeployment['autoInstantiate']
}

export const pluginDeploymentsTable = defineTable('plugin_deployments', {
  account_id: text,
  id: text,
  store_id: text,
  plugin_id: text,
  version: text,
  content_hash: text,
  host: text,
  mode: oneOf(pluginMode.options),
  size: int,
  name: text,
  description: text,
  manifest: json<PluginManifest>(),
  details: json<DeploymentDetails>(),
  deployed_by: json<Actor>(),
  made_after: int,
  archived_at: nullable(int),
  offline_at: nullable(int),
  removed_at: nullable(int),
  swept_at: nullable(int),
  created_at: int,
})

export const pluginFilesTable = defineTable('plugin_files', {
  account_id: text,
  deployment_id: text,
  path: text,
  sha256: text,
  content_type: text,
  size: int,
})

export const pluginPicturesTable = defineTable('plugin_pictures', {
  account_id: text,
  deployment_id: text,
  sha256: text,
  size: int,
})

export const pluginActivationsTable = defineTable('plugin_activations', {
  account_id: text,
  store_id: text,
  plugin_id: text,
  number: int,
  deployment_id: text,
  activated_at: int,
})

export const pluginActivationLogTable = defineTable('plugin_activation_log', {
  account_id: text,
  store_id: text,
  plugin_id: text,
  number: int,
  before: nullable(int),
  deployment_id: text,
  activated_at: int,
  activated_by: json<Actor>(),
})

export const pluginAliasesTable = defineTable('plugin_aliases', {
  account_id: text,
  store_id: text,
  name: text,
  host: text,
  plugin_id: text,
  deployment_id: text,
  follows: flag,
  created_at: int,
})

export const pluginRevisionsTable = defineTable('plugin_revisions', {
  account_id: text,
  deployment_id: text,
  revision: int,
  source: oneOf(['author', 'merchant', 'restore', 'carried']),
  /** The id of the key or member. */
  changed_by: text,
  created_at: int,
})

const settingKind = oneOf(['schema', 'uiSchema', 'preset', 'template', 'activePreset'])

export const pluginSettingsTable = defineTable('plugin_settings', {
  account_id: text,
  deployment_id: text,
  kind: settingKind,
  name: text,
  revision: int,
  hash: text,
  /** `null`, as JSON, for a setting that was taken away. */
  value: json<Record<string, unknown> | null>(),
})

export const pluginSettingBasesTable = defineTable('plugin_setting_bases', {
  account_id: text,
  deployment_id: text,
  kind: settingKind,
  name: text,
  value: json<Record<string, unknown> | null>(),
  /** The content that the author sent last. It differs from the value only where the merchant has changed it too. */
  sent: json<Record<string, unknown> | null>(),
  /** The place in the author's own order, from 0. */
  position: int,
})

export const domainHostnamesTable = defineTable('domain_hostnames', {
  hostname: text,
  account_id: text,
  created_at: int,
})

export const domainRoutesTable = defineTable('domain_routes', {
  account_id: text,
  id: text,
  hostname: text,
  path: text,
  store_id: text,
  plugin_id: text,
  deployment_id: text,
  follows: flag,
  created_at: int,
})
