import {
  type Contract,
  DEPLOYMENT_RESTORE_MS,
  type DeploymentState,
  type ManagedDeployment,
  type PluginDeployment,
  type PluginMode,
} from '@tillwright/contract'
import { pluginUse, removedDeployments } from '../../accounts/index.ts'
import { requireOpenStore, requireStore } from '../../catalog/index.ts'
import {
  type Actor,
  actorFor,
  type Caller,
  type RequestContext,
  type Handler,
  type Write,
} from '../../request-context.ts'
import { ApiError, missing } from '../../runtime/index.ts'
import { among, type Database, nullable, pick, readPage, type Row, type RowOf, rowReader } from '../../storage/index.ts'
import { deploymentUrl } from '../addresses.ts'
import { pluginActivationsTable, pluginDeploymentsTable } from '../tables.ts'

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
  deployedBy: Actor
  createdAtMs: number
  /** When another one took its place, or `null`. */
  archivedAtMs: number | null
  /** Since when its pages are not shown, or `null`. */
  offlineSinceMs: number | null
  /** When it was removed, or `null`. */
  removedAtMs: number | null
  active: boolean
  /** Whether the store has switched from one deployment of the plugin to another since this one was made. */
  isSwitchedSince: boolean
}

/** Source: reference, "POST /plugins/deployments". */
export function listDeployments(pluginsUrl: string): Handler<Contract['plugins']['deployments']> {
  return async ({ body: { storeId } }, context) => {
    const { caller, services } = context
    await requireStore(storeId, context)
    const rows = await services.db.read(selectOfStore, [caller.accountId, storeId])
    const deployments = readDeployments(rows).map((row) => toResource(fromRow(row), pluginsUrl))
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
 * @throws {ApiError} 404 with `param` deploymentId; 409 when it was overwritten or removed.
 */
export async function requireDeployment(deploymentId: string, context: RequestContext): Promise<Deployment> {
  const deployment = await requireAny(deploymentId, context)
  refuseRemoved(deployment)
  if (deployment.archivedAtMs === null) return deployment
  throw new ApiError(
    'state_conflict',
    `The deployment '${deploymentId}' was overwritten; use the one that took its place.`,
    { param: 'deploymentId' },
  )
}

/**
 * A deployment that can be given new settings.
 *
 * @throws {ApiError} As `requireDeployment`; 409 when its store is archived.
 */
export async function requireEditable(deploymentId: string, context: RequestContext): Promise<Deployment> {
  const deployment = await requireDeployment(deploymentId, context)
  await requireOpenStore(deployment.storeId, context, 'deploymentId')
  return deployment
}

/**
 * A deployment of the account, whatever has become of it, as long as its files are there.
 *
 * @throws {ApiError} 404 with `param` deploymentId.
 */
export async function requireAny(deploymentId: string, { caller, services }: RequestContext): Promise<Deployment> {
  const [row] = readDeployments(await services.db.read(selectById, [caller.accountId, deploymentId]))
  if (row === undefined) throw missing('deployment', deploymentId, 'deploymentId')
  return fromRow(row)
}

/** Deployments of the account by their ids, whatever has become of them. */
export async function deploymentsById(
  ids: readonly string[],
  { caller, services }: RequestContext,
): Promise<ReadonlyMap<string, Deployment>> {
  if (ids.length === 0) return new Map()
  const { sql, params } = among(ids)
  const rows = await services.db.read(`${selectDeployments} AND d.id ${sql}`, [caller.accountId, ...params])
  return new Map(readDeployments(rows).map((row) => [row.id, fromRow(row)]))
}

/** @throws {ApiError} 409 with `param` deploymentId for a deployment that was removed. */
export function refuseRemoved({ id, removedAtMs }: Deployment): void {
  if (removedAtMs === null) return
  throw new ApiError('state_conflict', `The deployment '${id}' was removed; restore it first.`, {
    param: 'deploymentId',
  })
}

/**
 * Refuses one more deployment for an account that keeps as many as its plan allows, or has removed as many within the time
 * in which each of them can be restored.
 *
 * @throws {ApiError} `state_conflict`.
 */
export async function requireRoomForDeployment({ caller, services }: RequestContext): Promise<void> {
  const { accountId, plan } = caller
  const { deployments } = await pluginUse({ accountId, plan }, services.db)
  const removed = await removedDeployments(accountId, services.db)
  if (deployments.used < deployments.max && removed < deployments.max) return
  const message =
    deployments.used < deployments.max
      ? `The account has removed ${removed} deployments within 24 hours, as many as its plan '${plan}' allows to keep, and each can still be restored; deploy again when the first of them is a day old, or ask the operator for another plan.`
      : `The account keeps ${deployments.used} deployments, as many as its plan '${plan}' allows; remove those that are no longer needed, archived ones too, or ask the operator for another plan.`
  throw new ApiError('state_conflict', message)
}

/** Keeps a deployment from being removed concurrently: the later transaction waits, then finds it gone. */
export function holdDeployment({ id }: Pick<Deployment, 'id'>, { caller }: RequestContext): Write {
  return {
    sql: 'UPDATE plugin_deployments SET removed_at = NULL WHERE account_id = ? AND id = ? AND removed_at IS NULL',
    params: [caller.accountId, id],
    expect: 1,
  }
}

/**
 * Keeps a deployment from being overwritten or removed concurrently: what is written to it would be lost to the one that
 * takes its place.
 */
export function holdStanding({ id }: Pick<Deployment, 'id'>, { caller }: Pick<RequestContext, 'caller'>): Write {
  return {
    sql: `UPDATE plugin_deployments SET archived_at = NULL
      WHERE account_id = ? AND id = ? AND archived_at IS NULL AND removed_at IS NULL`,
    params: [caller.accountId, id],
    expect: 1,
  }
}

/** Lists the deployments of a store in pages, newest first. */
export function listManaged(pluginsUrl: string): Handler<Contract['pluginManagement']['list']> {
  return async ({ query: { storeId, pluginId, state, ...page } }, context) => {
    const { accountId } = context.caller
    const { db } = context.services
    await requireStore(storeId, context)
    const filters = [
      ...(pluginId === undefined ? [] : ['AND d.plugin_id = ?']),
      ...(state === 'live' ? ['AND d.archived_at IS NULL'] : []),
    ]
    const sql = `${selectDeployments} AND d.store_id = ? ${filters.join(' ')}`
    const params = [accountId, storeId, ...(pluginId === undefined ? [] : [pluginId])]
    const read = (rows: readonly Row[]) =>
      readDeployments(rows).map((row) => managedDeployment(fromRow(row), pluginsUrl, context.caller))
    return { body: await readPage({ sql, params, ...newestDeploymentFirst, read }, page, db) }
  }
}

const newestDeploymentFirst = {
  key: [
    { name: 'd.created_at', type: 'integer' },
    { name: 'd.id', type: 'text' },
  ],
  order: 'descending',
} as const

/** The deployment of a plugin's version in a store, or `null`. */
export async function findVersion(
  { storeId, pluginId, version }: Pick<Deployment, 'storeId' | 'pluginId' | 'version'>,
  accountId: string,
  db: Database,
): Promise<Deployment | null> {
  const rows = await db.read(selectVersion, [accountId, storeId, pluginId, version])
  return readDeployments(rows).map(fromRow)[0] ?? null
}

/** The deployment of a plugin that a store uses, or `null`. */
export async function findActive(
  { storeId, pluginId }: Pick<Deployment, 'storeId' | 'pluginId'>,
  accountId: string,
  db: Database,
): Promise<Deployment | null> {
  const rows = await db.read(selectActive, [accountId, storeId, pluginId])
  return readDeployments(rows).map(fromRow)[0] ?? null
}

const deploymentColumns = {
  ...pick(pluginDeploymentsTable, 'id', 'plugin_id', 'store_id', 'version', 'content_hash', 'host', 'mode', 'size'),
  ...pick(
    pluginDeploymentsTable,
    'name',
    'description',
    'deployed_by',
    'made_after',
    'archived_at',
    'offline_at',
    'removed_at',
    'created_at',
  ),
  active_id: nullable(pluginActivationsTable.deployment_id),
  activation: nullable(pluginActivationsTable.number),
}
const readDeployments = rowReader(deploymentColumns)

const selectDeployments = `SELECT d.id, d.plugin_id, d.store_id, d.version, d.content_hash, d.host, d.mode, d.size, d.name,
    d.description, d.deployed_by, d.made_after, d.archived_at, d.offline_at, d.removed_at, d.created_at,
    a.deployment_id AS active_id, a.number AS activation
  FROM plugin_deployments d LEFT JOIN plugin_activations a
    ON a.account_id = d.account_id AND a.store_id = d.store_id AND a.plugin_id = d.plugin_id
  WHERE d.account_id = ? AND d.swept_at IS NULL`

const selectById = `${selectDeployments} AND d.id = ?`
const selectOfStore = `${selectDeployments} AND d.store_id = ? AND d.archived_at IS NULL
  ORDER BY d.created_at DESC, d.id DESC`
const selectOfPlugin = `${selectDeployments} AND d.store_id = ? AND d.plugin_id = ? AND d.archived_at IS NULL`
const selectVersion = `${selectOfPlugin} AND d.version = ?`
const selectActive = `${selectOfPlugin} AND a.deployment_id = d.id`

function fromRow(row: RowOf<typeof deploymentColumns>): Deployment {
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
    deployedBy: row.deployed_by,
    createdAtMs: row.created_at,
    archivedAtMs: row.archived_at,
    offlineSinceMs: row.offline_at,
    removedAtMs: row.removed_at,
    active: row.active_id === row.id,
    isSwitchedSince: (row.activation ?? 0) > row.made_after,
  }
}

/** @throws {ApiError} 404 with `param` pluginId for a plugin that the account does not have. */
export async function requirePlugin(pluginId: string, { caller, services }: RequestContext): Promise<void> {
  const rows = await services.db.read('SELECT id FROM plugins WHERE account_id = ? AND id = ?', [
    caller.accountId,
    pluginId,
  ])
  if (rows.length === 0) throw missing('plugin', pluginId, 'pluginId')
}

/** A deployment with what has become of it, as the API shows it to a reader. */
export function managedDeployment(deployment: Deployment, pluginsUrl: string, reader: Caller): ManagedDeployment {
  const { removedAtMs, offlineSinceMs, deployedBy } = deployment
  return {
    ...toResource(deployment, pluginsUrl),
    state: stateOf(deployment),
    deployedBy: actorFor(deployedBy, reader),
    removedAt: removedAtMs === null ? null : new Date(removedAtMs).toISOString(),
    offlineSince: offlineSinceMs === null ? null : new Date(offlineSinceMs).toISOString(),
    restorableUntil: removedAtMs === null ? null : new Date(removedAtMs + DEPLOYMENT_RESTORE_MS).toISOString(),
  }
}

function stateOf({ removedAtMs, archivedAtMs, active }: Deployment): DeploymentState {
  if (removedAtMs !== null) return 'removed'
  if (archivedAtMs !== null) return 'archived'
  return active ? 'active' : 'idle'
}
