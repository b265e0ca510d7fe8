import type { Client } from '@tillwright/client'
import { deployBody } from './deploy-body.ts'
import type { Content } from './content.ts'
import { listDeployments, type ListedDeployment } from './list-deployments.ts'
import type { Remote, RemoteDeployment, SettingsForecast } from './remote.ts'
import { syncBodies, type Strategy } from './sync-bodies.ts'

/** Which store of which platform. */
export interface Place {
  client: Client
  storeId: string
  signal: AbortSignal
}

/**
 * How a platform stands before this content is published to a store. Asks and changes nothing.
 *
 * @param strategy How edits of author and merchant are to meet.
 * @throws {TillwrightError} When the platform does not answer, or refuses.
 */
export async function readRemote(content: Content, place: Place, strategy: Strategy): Promise<Remote> {
  const [deployments, { limits }] = await Promise.all([
    listDeployments({ storeId: place.storeId, pluginId: content.pluginId, state: 'live' }, place),
    place.client.accounts.testKey({}, { signal: place.signal }),
  ])
  const [active, ofVersion, forecast, asked] = await Promise.all([
    view(
      deployments.find(({ state }) => state === 'active'),
      place,
    ),
    view(
      deployments.find(({ version }) => version === content.version),
      place,
    ),
    foresee(
      content,
      deployments.find(({ state }) => state === 'active'),
      { place, strategy },
    ),
    // A version that is taken is told as a risk, not as a refusal.
    place.client.plugins.deploy(
      { ...deployBody(content, place.storeId), dryRun: true, overwrite: true },
      { signal: place.signal },
    ),
  ])
  return {
    active,
    sameVersion: asked.success ? null : ofVersion,
    missing: asked.missing,
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
  { client, signal }: Place,
): Promise<RemoteDeployment | null> {
  if (deployment === undefined) return null
  const { id, version, url } = deployment
  const { manifest, files, routes, revision } = await client.pluginManagement.view({ deploymentId: id }, { signal })
  return { id, version, url, manifest, files, revision, hosts: routes.map(({ hostname, path }) => hostname + path) }
}

/** What the settings would come to, asked of what is active now: a new deployment begins with the same ones. */
async function foresee(
  content: Content,
  active: ListedDeployment | undefined,
  { place: { client, signal }, strategy }: { place: Place; strategy: Strategy },
): Promise<SettingsForecast | null> {
  if (active === undefined) return null
  const asked = {
    deploymentId: active.id,
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
