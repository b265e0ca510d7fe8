import type { Contract, NewDeployment, PluginManifest, ResponseOf } from '@tillwright/contract'
import { inOpenStore, requireOpenStore } from '../../catalog/index.ts'
import { emit } from '../../events/index.ts'
import { addPluginStep } from '../../funnels/index.ts'
import type { RequestContext, Handler, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { pick, rowReader } from '../../storage/index.ts'
import { newHostLabel } from '../addresses.ts'
import {
  type DeployedFile,
  isDocument,
  nameAssets,
  readFiles,
  requireRoomForFiles,
  sizesOfStored,
  storeAssets,
  storerOf,
} from '../assets/index.ts'
import {
  activationWrites,
  archive,
  type Deployment,
  findVersion,
  holdStanding,
  holdSwitch,
  movePointers,
  requireIdle,
  requireRoomForDeployment,
  toResource,
} from '../deployments/index.ts'
import type { PluginHosting } from '../hosting.ts'
import { canonicalHash, carrySettings, lateEdits, takeOverSettings } from '../settings/index.ts'
import { pluginsTable } from '../tables.ts'

type Deployed = ResponseOf<Contract['plugins']['deploy']>

/**
 * Deploys a version of a plugin to a store. The store uses what was deployed last, unless the request says otherwise or
 * there is no page to show. The same content again returns the existing deployment, which the store uses from then on.
 *
 * Source: reference, "POST /plugins/v2/deploy".
 */
export function deploy({ blobs, pluginsUrl }: PluginHosting): Handler<Contract['plugins']['deploy']> {
  return async ({ body }, context) => {
    const { db } = context.services
    const { accountId } = context.caller
    await requireOpenStore(body.storeId, context)
    const manifest = withDefaultPage(body.manifest)
    const files = await readFiles(body.inlineAssets, context.files)
    const plugin = await findPlugin(manifest, context)
    const wanted = newDeployment({ body, manifest, files, plugin }, context)
    const former = plugin.isNew ? null : await findVersion(wanted, accountId, db)
    const isShown = files.some(isDocument)
    const made = { ...wanted, active: (body.activate && isShown) || former?.active === true }
    if (former?.contentHash === made.contentHash) {
      const isSwitched = made.active && !former.active && !body.dryRun
      const switching = isSwitched ? await switchTo(former, context) : []
      const active = former.active || isSwitched
      const writes = inOpenStore(switching, { storeId: body.storeId }, context)
      return { body: success({ ...former, active }, pluginsUrl), created: false, writes }
    }
    if (former !== null && !body.overwrite) throw versionTaken(made)
    if (former?.active === true && !isShown) throw showsNothing(made)
    await requireRoomForDeployment(context)
    await requireRoomForFiles(files, context)
    const step = body.autoInstantiate && (await addPluginStep(body.autoInstantiate, { ...made, manifest }, context))
    const lacking = await notStored(body, files, context)
    if (lacking.length > 0 || body.dryRun) return { body: waiting(made, plugin, lacking), created: false }
    const stored = await storeAssets(files.flatMap(withBytes), context, blobs)
    const writes = deploymentWrites({ deployment: made, former, manifest, files, body }, context)
    const named = nameAssets(hashesOfStored(files), storerOf(context))
    const all = [...plugin.writes, ...stored, ...named, ...writes, ...(step ?? [])]
    return { body: success(made, pluginsUrl), writes: inOpenStore(all, { storeId: body.storeId }, context) }
  }
}

async function switchTo(deployment: Deployment, context: RequestContext): Promise<Write[]> {
  const edits = await lateEdits(deployment, context)
  return [holdStanding(deployment, context), ...edits, ...activationWrites(deployment, context)]
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

function newDeployment({ body, manifest, files, plugin }: Deploying, context: RequestContext): Deployment {
  const content = files.map(({ path, sha256, contentType }) => ({ path, sha256, contentType }))
  return {
    id: context.newId('dep'),
    pluginId: plugin.id,
    storeId: body.storeId,
    version: manifest.version,
    contentHash: canonicalHash({ manifest, content }),
    host: newHostLabel(context.services.randomness),
    mode: manifest.mode,
    size: files.reduce((sum, { size }) => sum + size, 0),
    name: manifest.name,
    description: manifest.description ?? '',
    deployedBy: context.caller.actor,
    createdAtMs: context.nowMs,
    archivedAtMs: null,
    offlineSinceMs: null,
    removedAtMs: null,
    active: true,
    isSwitchedSince: false,
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
  context: RequestContext,
): Promise<string[]> {
  const sent = new Map(files.flatMap(withBytes).map(({ sha256, size }) => [sha256, size]))
  const named = new Set(inlineAssets.flatMap(({ content, sha256 = '' }) => (content === undefined ? [sha256] : [])))
  const stored = await sizesOfStored([...named], context.caller.accountId, context.services.db)
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

/** Hashes of files that are already stored, and not part of the request itself. */
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

function showsNothing({ pluginId, version }: Deployment): ApiError {
  return new ApiError(
    'parameter_invalid',
    `The store uses version ${version} of the plugin '${pluginId}', and what would take its place has no HTML document; add one for each page, such as "index.html".`,
    { param: 'inlineAssets' },
  )
}

function versionTaken({ pluginId, version }: Deployment): ApiError {
  return new ApiError(
    'resource_exists',
    `Version ${version} of the plugin '${pluginId}' exists with different content; raise manifest.version, or send overwrite: true.`,
    { param: 'manifest.version' },
  )
}

/** A deployment to be recorded. */
export interface DeploymentContents {
  deployment: Deployment
  /** The one whose place it takes, or `null`. */
  former: Deployment | null
  manifest: PluginManifest
  files: readonly DeployedFile[]
  body: NewDeployment
}

/**
 * The statements that record a deployment and its files, make it the active one if it is to be, and tell of it. It takes
 * over what the former deployment of the version had, from the same moment.
 */
function deploymentWrites(services: DeploymentContents, context: RequestContext): Write[] {
  const { deployment, former, manifest, files, body } = services
  const { id, pluginId, storeId, version } = deployment
  const properties = { pluginId, deploymentId: id, version }
  return [
    ...(former === null ? [] : [archive(former, context)]),
    ...(former === null || deployment.active ? [] : [requireIdle(former, context)]),
    holdSwitch(deployment, context),
    insertDeployment({ deployment, former, manifest, body }, context),
    ...files.map((file) => insertFile(file, id, context)),
    ...(former === null ? carrySettings(deployment, context) : []),
    ...(deployment.active ? activationWrites(deployment, context) : []),
    ...(former === null ? [] : [...takeOverSettings(former.id, id, context), ...movePointers(former, id, context)]),
    ...emit('s_plugin_deployed', { storeId, properties }, context),
  ]
}

/**
 * How often the store had switched when what it takes the place of was made, or by now: by number, because the clocks of
 * processes differ.
 */
const madeAfter = `(SELECT o.made_after FROM plugin_deployments o WHERE o.account_id = ? AND o.id = ?),
        (SELECT a.number FROM plugin_activations a WHERE a.account_id = ? AND a.store_id = ? AND a.plugin_id = ?), 0`

/** A store has one live deployment per version of a plugin: a concurrent second one loses the race. */
function insertDeployment(
  { deployment, former, manifest, body }: Omit<DeploymentContents, 'files'>,
  { caller, nowMs }: RequestContext,
): Write {
  const { id, storeId, pluginId, version, contentHash, host, mode, size, name, description, deployedBy } = deployment
  const { demoPreviews = null, sourceData = null, autoInstantiate = null } = body
  const details = JSON.stringify({ demoPreviews, sourceData, autoInstantiate })
  return {
    sql: `INSERT INTO plugin_deployments (account_id, id, store_id, plugin_id, version, content_hash, host, mode, size, name,
        description, manifest, details, deployed_by, made_after, archived_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(${madeAfter}), NULL, ?)`,
    params: [
      caller.accountId,
      id,
      storeId,
      pluginId,
      version,
      contentHash,
      host,
      mode,
      size,
      name,
      description,
      JSON.stringify(manifest),
      details,
      JSON.stringify(deployedBy),
      caller.accountId,
      former?.id ?? '',
      caller.accountId,
      storeId,
      pluginId,
      nowMs,
    ],
  }
}

function insertFile(
  { path, sha256, contentType, size }: DeployedFile,
  deploymentId: string,
  { caller }: RequestContext,
): Write {
  return {
    sql: `INSERT INTO plugin_files (account_id, deployment_id, path, sha256, content_type, size)
      VALUES (?, ?, ?, ?, ?, ?)`,
    params: [caller.accountId, deploymentId, path, sha256, contentType, size],
  }
}

/** The plugin of a manifest, with what makes it if it is new. */
interface FoundPlugin {
  id: string
  isNew: boolean
  writes: Write[]
}

const readPlugins = rowReader(pick(pluginsTable, 'id'))

/**
 * Finds the plugin that a manifest is of: the one with its `pluginId`, else the one that is known by its name. Of two
 * requests that make it at once, one is done again and finds it.
 */
async function findPlugin(manifest: PluginManifest, context: RequestContext): Promise<FoundPlugin> {
  const { accountId } = context.caller
  const slug = manifest.pluginId === undefined ? pluginSlug(manifest.name) : null
  const sql = `SELECT id FROM plugins WHERE account_id = ? AND ${slug === null ? 'id' : 'slug'} = ?`
  const [row] = readPlugins(await context.services.db.read(sql, [accountId, slug ?? manifest.pluginId ?? '']))
  if (row !== undefined) return { id: row.id, isNew: false, writes: [] }
  const id = manifest.pluginId ?? context.newId('plugin')
  return {
    id,
    isNew: true,
    writes: [
      {
        sql: 'INSERT INTO plugins (account_id, id, slug, created_at) VALUES (?, ?, ?, ?)',
        params: [accountId, id, slug, context.nowMs],
      },
    ],
  }
}

/**
 * Identifies a plugin that has no id of its own within its account: its name in lower case, with hyphens for everything
 * that is not a letter or digit. "One-Page  Checkout!" and "one page checkout" are one plugin.
 */
export function pluginSlug(name: string): string {
  const folded = name.normalize('NFC').toLowerCase()
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu)
  return words === null ? folded : words.join('-')
}
