import type { Contract, PluginDeployment, PluginMode } from '@tillwright/contract'
import { ApiError, missing } from '../../ambient/api-error.ts'
import type { Call, Handler } from '../../call.ts'
import { findStore } from '../../catalog/stores.ts'
import type { Database } from '../../storage/database.ts'
import { deploymentUrl } from '../serve/deployment-host.ts'

/** A deployment as its row has it, and whether its store uses it. */
export interface Deployment {
  id: string
  pluginId: string
  storeId: string
  version: string
  /** SHA-256 of manifest and files: what makes two deployments the same. */
  contentHash: string
  /** Its label on the plugins' host. */
  host: string
  mode: PluginMode
  /** In bytes, all files together. */
  size: number
  /** The plugin's, as this version's manifest has them. */
  name: string
  description: string
  createdAtMs: number
  active: boolean
}

/** Source: reference, "POST /plugins/deployments". */
export function listDeployments(pluginsUrl: string): Handler<Contract['plugins']['deployments']> {
  return async ({ body: { storeId } }, { caller, parts }) => {
    if ((await findStore(storeId, caller.accountId, parts.db)) === null) throw missing('store', storeId, 'storeId')
    const rows = await parts.db.read(selectOfStore, [caller.accountId, storeId])
    const deployments = rows.map((row) => toResource(fromRow(row as DeploymentRow), pluginsUrl)) // as selected
    return { body: { deployments } }
  }
}

/** A deployment as the API shows it. */
export function toResource(deployment: Deployment, pluginsUrl: string): PluginDeployment {
  const { id, pluginId, version, active, mode, size, name, description } = deployment
  return {
    id,
    deploymentId: id,
    pluginId,
    version,
    url: deploymentUrl(deployment.host, pluginsUrl),
    active,
    mode,
    size,
    deployedAt: new Date(deployment.createdAtMs).toISOString(),
    plugin: { id: pluginId, name, description },
  }
}

/**
 * A deployment of the account that no other has taken the place of.
 *
 * @throws {ApiError} 404 with `param` deploymentId; 409 when it was overwritten.
 */
export async function requireDeployment(deploymentId: string, { caller, parts }: Call): Promise<Deployment> {
  const [row] = await parts.db.read(selectById, [caller.accountId, deploymentId])
  if (row === undefined) throw missing('deployment', deploymentId, 'deploymentId')
  if (row['archived_at'] !== null) {
    throw new ApiError(
      'state_conflict',
      `The deployment '${deploymentId}' was overwritten; use the one that took its place.`,
      { param: 'deploymentId' },
    )
  }
  return fromRow(row as DeploymentRow) // as selected
}

/** What stands for a version of a plugin in a store, or `null`. */
export async function findVersion(
  { storeId, pluginId, version }: Pick<Deployment, 'storeId' | 'pluginId' | 'version'>,
  accountId: string,
  db: Database,
): Promise<Deployment | null> {
  const [row] = await db.read(selectVersion, [accountId, storeId, pluginId, version])
  return row === undefined ? null : fromRow(row as DeploymentRow) // as selected
}

/** The deployment of a plugin that a store uses, or `null`. */
export async function findActive(
  { storeId, pluginId }: Pick<Deployment, 'storeId' | 'pluginId'>,
  accountId: string,
  db: Database,
): Promise<Deployment | null> {
  const [row] = await db.read(selectActive, [accountId, storeId, pluginId])
  return row === undefined ? null : fromRow(row as DeploymentRow) // as selected
}

type DeploymentRow = {
  id: string
  plugin_id: string
  store_id: string
  version: string
  content_hash: string
  host: string
  mode: PluginMode
  size: number
  name: string
  description: string
  created_at: number
  active_id: string | null
}

const selectDeployments = `SELECT d.id, d.plugin_id, d.store_id, d.version, d.content_hash, d.host, d.mode, d.size, d.name,
    d.description, d.archived_at, d.created_at, a.deployment_id AS active_id
  FROM plugin_deployments d LEFT JOIN plugin_activations a
    ON a.account_id = d.account_id AND a.store_id = d.store_id AND a.plugin_id = d.plugin_id
  WHERE d.account_id = ?`

const selectById = `${selectDeployments} AND d.id = ?`
const selectOfStore = `${selectDeployments} AND d.store_id = ? AND d.archived_at IS NULL
  ORDER BY d.created_at DESC, d.id DESC`
const selectOfPlugin = `${selectDeployments} AND d.store_id = ? AND d.plugin_id = ? AND d.archived_at IS NULL`
const selectVersion = `${selectOfPlugin} AND d.version = ?`
const selectActive = `${selectOfPlugin} AND a.deployment_id = d.id`

function fromRow(row: DeploymentRow): Deployment {
  return {
    id: row.id,
    pluginId: row.plugin_id,
    storeId: row.store_id,
    version: row.version,
    contentHash: row.content_hash,
    host: row.host,
    mode: row.mode,
    size: row.size,
    name: row.name,
    description: row.description,
    createdAtMs: row.created_at,
    active: row.active_id === row.id,
  }
}
