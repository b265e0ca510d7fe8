import type { Contract, NewDeployment, PluginManifest, ResponseOf } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handler } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import { addPluginStep } from '../../funnels/add-plugin-step.ts'
import { canonicalHash } from '../canonical-hash.ts'
import { newHostLabel } from '../serve/deployment-host.ts'
import { deploymentWrites } from './deployment-writes.ts'
import { findActive, findVersion, toResource, type Deployment } from '../deployments/deployments.ts'
import { findPlugin, type FoundPlugin } from './find-plugin.ts'
import type { PluginHosting } from '../plugin-hosting.ts'
import { readFiles, type DeployedFile } from './read-files.ts'
import { storerOf } from './hold-blobs.ts'
import { nameAssets, sizesOfStored, storeAssets } from './stored-assets.ts'

type Deployed = ResponseOf<Contract['plugins']['deploy']>

/**
 * Deploys a version of a plugin to a store. Content that stands for the version already answers the same deployment, and
 * changes nothing. The newest deployment becomes the one that the store uses, unless the request says otherwise.
 *
 * Source: reference, "POST /plugins/v2/deploy".
 */
export function deploy({ blobs, pluginsUrl }: PluginHosting): Handler<Contract['plugins']['deploy']> {
  return async ({ body }, call) => {
    const { db } = call.parts
    const { accountId } = call.caller
    if ((await findStore(body.storeId, accountId, db)) === null) throw missing('store', body.storeId, 'storeId')
    const manifest = withDefaultPage(body.manifest)
    const files = await readFiles(body.inlineAssets)
    const plugin = await findPlugin(manifest, call)
    const wanted = newDeployment({ body, manifest, files, plugin }, call)
    const former = plugin.isNew ? null : await findVersion(wanted, accountId, db)
    const made = { ...wanted, active: body.activate || former?.active === true }
    if (former?.contentHash === made.contentHash) return { body: success(former, pluginsUrl) }
    if (former !== null && !body.overwrite) throw versionTaken(made)
    const step = body.autoInstantiate && (await addPluginStep(body.autoInstantiate, { ...made, manifest }, call))
    const lacking = await notStored(body, files, call)
    if (lacking.length > 0 || body.dryRun) return { body: waiting(made, plugin, lacking) }
    const stored = await storeAssets(files.flatMap(withBytes), call, blobs)
    const previous = former === null && !plugin.isNew ? await findActive(made, accountId, db) : null
    const writes = deploymentWrites({ deployment: made, former, previous, manifest, files, body }, call)
    const named = nameAssets(hashesOfStored(files), storerOf(call))
    return {
      body: success(made, pluginsUrl),
      writes: [...plugin.writes, ...stored, ...named, ...writes, ...(step ?? [])],
    }
  }
}

/** The first page is the default if none says so. */
function withDefaultPage(manifest: PluginManifest): PluginManifest {
  const { pages } = manifest
  const marked = Math.max(
    0,
    pages.findIndex((page) => page.isDefault === true),
  )
  return { ...manifest, pages: pages.map((page, index) => ({ ...page, isDefault: index === marked })) }
}

interface Deploying {
  body: NewDeployment
  manifest: PluginManifest
  files: readonly DeployedFile[]
  plugin: FoundPlugin
}

function newDeployment({ body, manifest, files, plugin }: Deploying, call: Call): Deployment {
  const content = files.map(({ path, sha256, contentType }) => ({ path, sha256, contentType }))
  return {
    id: call.newId('dep'),
    pluginId: plugin.id,
    storeId: body.storeId,
    version: manifest.version,
    contentHash: canonicalHash({ manifest, content }),
    host: newHostLabel(call.parts.randomness),
    mode: manifest.mode,
    size: files.reduce((sum, { size }) => sum + size, 0),
    name: manifest.name,
    description: manifest.description ?? '',
    createdAtMs: call.nowMs,
    archivedAtMs: null,
    removedAtMs: null,
    active: true,
  }
}

/**
 * The hashes of assets that came without content and that the account has not stored.
 *
 * @throws {ApiError} When one is stored with another size than the request says.
 */
async function notStored(
  { inlineAssets }: NewDeployment,
  files: readonly DeployedFile[],
  call: Call,
): Promise<string[]> {
  const sent = new Map(files.flatMap(withBytes).map(({ sha256, size }) => [sha256, size]))
  const named = new Set(inlineAssets.flatMap(({ content, sha256 = '' }) => (content === undefined ? [sha256] : [])))
  const stored = await sizesOfStored([...named], call.caller.accountId, call.parts.db)
  for (const [index, { content, sha256 = '', size }] of inlineAssets.entries()) {
    const known = sent.get(sha256) ?? stored.get(sha256)
    if (content !== undefined || known === undefined || known === size) continue
    throw new ApiError(
      'parameter_invalid',
      `The asset has ${known} bytes, not ${size}; correct the size or the hash.`,
      {
        param: `inlineAssets[${index}].size`,
      },
    )
  }
  return [...named].filter((sha256) => !sent.has(sha256) && !stored.has(sha256))
}

/** What was stored before, and does not come with the request itself. */
function hashesOfStored(files: readonly DeployedFile[]): string[] {
  const sent = new Set(files.flatMap(withBytes).map(({ sha256 }) => sha256))
  return [...new Set(files.map(({ sha256 }) => sha256))].filter((sha256) => !sent.has(sha256))
}

function withBytes({ sha256, size, bytes }: DeployedFile) {
  return bytes === null ? [] : [{ sha256, size, bytes }]
}

function success(deployment: Deployment, pluginsUrl: string): Deployed {
  const { id, pluginId, version } = deployment
  const resource = toResource(deployment, pluginsUrl)
  return { success: true, deploymentId: id, pluginId, version, url: resource.url, deployment: resource, missing: [] }
}

function waiting({ version }: Deployment, plugin: FoundPlugin, lacking: string[]): Deployed {
  return {
    success: false,
    deploymentId: null,
    pluginId: plugin.isNew ? null : plugin.id,
    version,
    url: null,
    deployment: null,
    missing: lacking,
  }
}

function versionTaken({ pluginId, version }: Deployment): ApiError {
  return new ApiError(
    'resource_exists',
    `Version ${version} of the plugin '${pluginId}' stands with other content; raise manifest.version, or send overwrite: true.`,
    { param: 'manifest.version' },
  )
}
