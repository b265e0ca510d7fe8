import type { Client } from '@tillwright/client'
import { type Content, type ContentFile, deployBody } from './content.ts'
import { type Strategy, syncBodies } from './settings.ts'

/** The store to publish to. */
export interface TargetStore {
  client: Client
  storeId: string
  signal: AbortSignal
}

/**
 * Reads the platform's state for publishing this content to a store. Changes nothing.
 *
 * @param strategy How conflicting edits of author and merchant are merged.
 * @throws {TillwrightError} When the platform does not answer, or refuses.
 */
export async function readRemote(content: Content, place: TargetStore, strategy: Strategy): Promise<Remote> {
  const [deployments, { limits }] = await Promise.all([
    listDeployments({ storeId: place.storeId, pluginId: content.pluginId, state: 'live' }, place),
    place.client.accounts.testKey({}, { signal: place.signal }),
  ])
  const [activeOne, ofVersionOne] = [
    deployments.find(({ state }) => state === 'active'),
    deployments.find(({ version }) => version === content.version),
  ]
  const [active, ofVersion, forecast, asked] = await Promise.all([
    view(activeOne, place),
    view(ofVersionOne, place),
    // A deployment of a version that there is keeps that one's settings; a new version begins with the active ones.
    forecastSettings(content, ofVersionOne ?? activeOne, { place, strategy }),
    // An existing version is reported as a risk, not as an error.
    place.client.plugins.deploy(
      { ...deployBody(content, place.storeId), dryRun: true, overwrite: true },
      { signal: place.signal },
    ),
  ])
  return {
    active,
    sameVersion: asked.success ? null : ofVersion,
    missing: asked.missing,
    settingsOf: (ofVersionOne ?? activeOne)?.id ?? null,
    settings: forecast,
    limits: {
      fileBytes: limits.assetMaxBytes,
      files: limits.deploymentMaxFiles,
      deploymentBytes: limits.deploymentMaxBytes,
    },
  }
}

async function view(
  deployment: ListedDeployment | undefined,
  { client, signal }: TargetStore,
): Promise<RemoteDeployment | null> {
  if (deployment === undefined) return null
  const { id, version, url } = deployment
  const { manifest, files, routes, ...shown } = await client.pluginManagement.view({ deploymentId: id }, { signal })
  const { revision, sourceData } = shown
  const hosts = routes.map(({ hostname, path }) => hostname + path)
  return { id, version, url, manifest, files, revision, sourceData, hosts }
}

/** Forecasts the update of settings on the deployment whose settings the published one starts with. */
async function forecastSettings(
  content: Content,
  former: ListedDeployment | undefined,
  { place: { client, signal }, strategy }: { place: TargetStore; strategy: Strategy },
): Promise<SettingsForecast | null> {
  if (former === undefined) return null
  const asked = {
    deploymentId: former.id,
    dryRun: true,
    force: true,
    strategy: strategy === 'strict' ? 'merge' : strategy,
  } as const
  const { config, templates } = syncBodies(content.settings)
  const answers = await Promise.all([
    ...(config === null ? [] : [client.plugins.syncConfig({ ...config, ...asked }, { signal })]),
    ...(templates === null ? [] : [client.plugins.syncTemplates({ ...templates, ...asked }, { signal })]),
  ])
  return {
    updated: answers.flatMap(({ updated }) => updated),
    conflicts: answers.flatMap(({ conflicts }) => conflicts),
    invalid: answers.flatMap(({ invalid }) => invalid),
  }
}

/** A deployment of the plugin that the platform has, with its files. */
export interface RemoteDeployment {
  id: string
  version: string
  url: string
  manifest: Readonly<Record<string, unknown>>
  files: readonly ContentFile[]
  /** The revision of its settings. */
  revision: number
  /** Where its content comes from, such as a commit; `null` if it was not said. */
  sourceData: Readonly<Record<string, unknown>> | null
  /** The domains that show it. */
  hosts: readonly string[]
}

/** The platform's forecast of an update of settings. */
export interface SettingsForecast {
  /** The presets, templates and schemas that would change. */
  updated: readonly string[]
  /** JSON pointers of values that author and merchant have both changed. */
  conflicts: readonly string[]
  /** Live presets that the new schema does not allow, a line for each reason. */
  invalid: readonly { preset: string; pointer: string; message: string }[]
}

/** The platform's state before publishing. */
export interface Remote {
  /** The store's active deployment; `null` if the plugin was never deployed. */
  active: RemoteDeployment | null
  /** A live deployment of the same version; `null` if there is none. */
  sameVersion: RemoteDeployment | null
  /** The SHA-256 hashes of files that the platform does not have yet. */
  missing: readonly string[]
  /** The deployment whose settings the published one starts with; `null` if there is none. */
  settingsOf: string | null
  /** `null` if the plugin has no settings there yet, so nothing can be lost. */
  settings: SettingsForecast | null
  /** The platform's limits, in bytes and files. */
  limits: { fileBytes: number; files: number; deploymentBytes: number }
}

/** A deployment as returned in lists. */
export type ListedDeployment = Awaited<ReturnType<Client['pluginManagement']['list']>>['data'][number]

/** Filters of a store's deployments. */
export interface DeploymentFilter {
  storeId: string
  pluginId?: string
  state: 'live' | 'all'
}

/**
 * All matching deployments, newest first, from all pages.
 *
 * @throws {TillwrightError} If the platform does not respond or refuses.
 */
export async function listDeployments(
  filter: DeploymentFilter,
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<ListedDeployment[]> {
  const all: ListedDeployment[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { ...filter, limit: 100, ...(after !== undefined && { after }) }
    const page = await client.pluginManagement.list(query, { signal })
    all.push(...page.data)
    after = page.nextCursor
  }
  return all
}
