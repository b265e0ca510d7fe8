import type { PluginManifest } from '@tillwright/contract'
import { type Database, int, nullable, pick, type RowOf, rowReader } from '../../storage/index.ts'
import { pluginSettingBasesTable, pluginSettingsTable } from '../tables.ts'

/** The kind of a setting; a schema, a uiSchema and the choice of a preset exist once, named after their kind. */
export type SettingKind = RowOf<typeof pluginSettingsTable>['kind']

/** An object of JSON. */
export type Settings = Record<string, unknown>

/** The latest value of each setting of a deployment. */
export interface LiveSettings {
  /** How often the settings have changed. */
  revision: number
  schema: Settings | null
  uiSchema: Settings | null
  presets: Readonly<Record<string, Settings>>
  templates: Readonly<Record<string, Settings>>
  /** The preset that was chosen, by name. */
  activePreset: string | null
}

/** A stored setting. Its value is `null` if it was removed. */
export interface StoredSetting {
  kind: SettingKind
  name: string
  value: Settings | null
}

/** A setting as its author synchronised it, from which changes are merged. */
export interface SettingBase extends StoredSetting {
  /** The content that the author sent last: other than the value where the merchant has changed the same. */
  sent: Settings | null
}

/**
 * Reads the settings of a deployment as they stand, or as they stood at a revision: presets and templates in the
 * author's order, then those that the merchant has added, by name.
 */
export async function readLive(
  { accountId, deploymentId, revision }: { accountId: string; deploymentId: string; revision?: number },
  db: Database,
): Promise<LiveSettings> {
  const upTo = revision ?? Number.MAX_SAFE_INTEGER
  const [latest] = readLatest(await db.read(selectRevision, [accountId, deploymentId, upTo]))
  const settings = readSettings(await db.read(selectLive, [upTo, accountId, deploymentId]))
  return { revision: latest?.revision ?? 0, ...toLive(settings) }
}

/** Puts single settings together. */
export function toLive(settings: readonly StoredSetting[]): Omit<LiveSettings, 'revision'> {
  const of = (kind: SettingKind) => settings.filter((each) => each.kind === kind)
  const named = (kind: SettingKind) =>
    Object.fromEntries(of(kind).flatMap(({ name, value }) => (value === null ? [] : [[name, value]])))
  const chosen = of('activePreset')[0]?.value?.['preset']
  return {
    schema: of('schema')[0]?.value ?? null,
    uiSchema: of('uiSchema')[0]?.value ?? null,
    presets: named('preset'),
    templates: named('template'),
    activePreset: typeof chosen === 'string' ? chosen : null,
  }
}

/** The opposite: settings as single ones. */
export function settingsOf(live: Omit<LiveSettings, 'revision'>): StoredSetting[] {
  const single = (kind: 'schema' | 'uiSchema') => (live[kind] === null ? [] : [{ kind, name: kind, value: live[kind] }])
  const named = (kind: 'preset' | 'template', all: LiveSettings['presets']) =>
    Object.entries(all).map(([name, value]) => ({ kind, name, value }))
  const chosen = { kind: 'activePreset' as const, name: 'activePreset', value: { preset: live.activePreset } }
  return [
    ...single('schema'),
    ...single('uiSchema'),
    ...named('preset', live.presets),
    ...named('template', live.templates),
    ...(live.activePreset === null ? [] : [chosen]),
  ]
}

const selectRevision = `SELECT MAX(revision) AS revision FROM plugin_revisions
  WHERE account_id = ? AND deployment_id = ? AND revision <= ?`
const readLatest = rowReader({ revision: nullable(int) })

const selectLive = `SELECT s.kind, s.name, s.value FROM (
    SELECT account_id, deployment_id, kind, name, MAX(revision) AS revision FROM plugin_settings
    WHERE revision <= ? AND account_id = ? AND deployment_id = ? GROUP BY account_id, deployment_id, kind, name
  ) latest
  JOIN plugin_settings s ON s.account_id = latest.account_id AND s.deployment_id = latest.deployment_id
    AND s.kind = latest.kind AND s.name = latest.name AND s.revision = latest.revision
  LEFT JOIN plugin_setting_bases b ON b.account_id = s.account_id AND b.deployment_id = s.deployment_id
    AND b.kind = s.kind AND b.name = s.name
  ORDER BY s.kind, CASE WHEN b.position IS NULL THEN 1 ELSE 0 END, b.position, s.name`
const readSettings = rowReader(pick(pluginSettingsTable, 'kind', 'name', 'value'))

/** The author's last synchronised presets and templates of a deployment, in the author's order. */
export async function readBases(
  { accountId, deploymentId }: { accountId: string; deploymentId: string },
  db: Database,
): Promise<SettingBase[]> {
  return readBaseRows(await db.read(selectBases, [accountId, deploymentId]))
}

const selectBases = `SELECT kind, name, value, sent FROM plugin_setting_bases WHERE account_id = ? AND deployment_id = ?
  ORDER BY kind, position, name`
const readBaseRows = rowReader(pick(pluginSettingBasesTable, 'kind', 'name', 'value', 'sent'))

/**
 * The configuration that pages work with: the preset that the merchant chose, else the author's, else the one called
 * `default`, else the first by name, else what the manifest brings. A preset's `meta` is for tools and not for pages.
 */
export function configOf(
  { presets, activePreset }: Pick<LiveSettings, 'presets' | 'activePreset'>,
  { config, defaultPreset }: Pick<PluginManifest, 'config' | 'defaultPreset'>,
): Settings {
  const [first] = Object.keys(presets).toSorted()
  const name = [activePreset, defaultPreset, 'default', first].find(
    (each) => each != null && Object.hasOwn(presets, each),
  )
  return withoutMeta((name == null ? undefined : presets[name]) ?? config ?? {})
}

/** Settings without their own `meta`. */
export function withoutMeta({ meta: _, ...settings }: Settings): Settings {
  return settings
}
