import type { Contract } from '@tillwright/contract'
import { inOpenStore, requireOpenStore } from '../../catalog/index.ts'
import { emit } from '../../events/index.ts'
import type { RequestContext, Handler, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { pick, type RowOf, rowReader } from '../../storage/index.ts'
import { isDocument } from '../assets/index.ts'
import { pluginActivationLogTable, pluginDeploymentsTable, pluginFilesTable } from '../tables.ts'
import {
  type Deployment,
  findVersion,
  holdDeployment,
  holdStanding,
  managedDeployment,
  refuseRemoved,
  requireAny,
  requirePlugin,
} from './deployments.ts'

/** One entry of the log of what a store has used of a plugin. */
export interface Activation {
  /** Counts the activations of the plugin in the store, from 1 on. */
  number: number
  /** The number of the one that a rollback goes back to, or `null`. */
  before: number | null
  deploymentId: string
}

type Used = Pick<Deployment, 'storeId' | 'pluginId'>

/** The deployment of a plugin that a store uses, or `null` before the first one. */
async function readActivation(
  { storeId, pluginId }: Used,
  { caller, services }: RequestContext,
): Promise<Activation | null> {
  const [row] = readCurrent(await services.db.read(selectCurrent, [caller.accountId, storeId, pluginId]))
  return row === undefined ? null : toActivation(row)
}

/** The previous activation whose deployment can still be used; `null` where there is none to roll back to. */
async function findEarlier(
  { storeId, pluginId }: Used,
  current: Activation,
  { caller, services }: RequestContext,
): Promise<Activation | null> {
  let number = current.before
  while (number !== null) {
    const [row] = readEntries(await services.db.read(selectEntry, [caller.accountId, storeId, pluginId, number]))
    if (row === undefined) return null
    const entry = toActivation(row)
    if (row.removed_at === null && entry.deploymentId !== current.deploymentId) return entry
    number = entry.before
  }
  return null
}

/** Keeps the store from switching to another deployment of a plugin until the transaction is over. */
export function holdSwitch({ storeId, pluginId }: Used, { caller }: Pick<RequestContext, 'caller'>): Write {
  return {
    sql: `UPDATE plugin_activations SET deployment_id = deployment_id
      WHERE account_id = ? AND store_id = ? AND plugin_id = ?`,
    params: [caller.accountId, storeId, pluginId],
  }
}

/** The statements that make a store use a deployment, after whatever it uses by then, and tell of it. */
export function activationWrites(deployment: Deployment, context: RequestContext): Write[] {
  const { id, storeId, pluginId } = deployment
  const place = [context.caller.accountId, storeId, pluginId]
  return [
    { sql: pointAt, params: [...place, id, context.nowMs], expect: 1 },
    { sql: logActivation, params: [JSON.stringify(context.caller.actor), ...place], expect: 1 },
    ...activationEvent(deployment, context),
  ]
}

/**
 * The statements that bring back what was used earlier, so that a next rollback goes on from there. Guarded by what was
 * read: of two at the same time the second loses the race and looks again.
 */
function rollbackWrites(
  deployment: Deployment,
  { current, earlier }: { current: Activation; earlier: Activation },
  context: RequestContext,
): Write[] {
  const { id, storeId, pluginId } = deployment
  const place = [context.caller.accountId, storeId, pluginId]
  return [
    { sql: pointBack, params: [id, context.nowMs, ...place, current.number], expect: 1 },
    { sql: logRollback, params: [earlier.before, JSON.stringify(context.caller.actor), ...place], expect: 1 },
    ...activationEvent(deployment, context),
  ]
}

function activationEvent({ id, storeId, pluginId, version }: Deployment, context: RequestContext): Write[] {
  return emit('s_plugin_activated', { storeId, properties: { pluginId, deploymentId: id, version } }, context)
}

const entryColumns = pick(pluginActivationLogTable, 'number', 'before', 'deployment_id')
const readCurrent = rowReader(entryColumns)
const readEntries = rowReader({ ...entryColumns, ...pick(pluginDeploymentsTable, 'removed_at') })

function toActivation(row: RowOf<typeof entryColumns>): Activation {
  return {
    number: row.number,
    before: row.before,
    deploymentId: row.deployment_id,
  }
}

const selectCurrent = `SELECT l.number, l.before, l.deployment_id FROM plugin_activations a
  JOIN plugin_activation_log l ON l.account_id = a.account_id AND l.store_id = a.store_id
    AND l.plugin_id = a.plugin_id AND l.number = a.number
  WHERE a.account_id = ? AND a.store_id = ? AND a.plugin_id = ?`

const selectEntry = `SELECT l.number, l.before, l.deployment_id, d.removed_at FROM plugin_activation_log l
  JOIN plugin_deployments d ON d.account_id = l.account_id AND d.id = l.deployment_id
  WHERE l.account_id = ? AND l.store_id = ? AND l.plugin_id = ? AND l.number = ?`

const pointAt = `INSERT INTO plugin_activations (account_id, store_id, plugin_id, deployment_id, number, activated_at)
  VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT (account_id, store_id, plugin_id) DO UPDATE
  SET deployment_id = excluded.deployment_id, number = plugin_activations.number + 1,
    activated_at = excluded.activated_at`

const pointBack = `UPDATE plugin_activations SET deployment_id = ?, number = number + 1, activated_at = ?
  WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND number = ?`

/** The pointer's row is locked by then, so that each number is logged once. */
const logged = (before: string) => `INSERT INTO plugin_activation_log
    (account_id, store_id, plugin_id, number, before, deployment_id, activated_at, activated_by)
  SELECT account_id, store_id, plugin_id, number, ${before}, deployment_id, activated_at, CAST(? AS TEXT)
  FROM plugin_activations WHERE account_id = ? AND store_id = ? AND plugin_id = ?`

const logActivation = logged('NULLIF(number - 1, 0)')
const logRollback = logged('CAST(? AS BIGINT)')

/**
 * The statements that make an archived deployment stand for its version again, in the place of the one that does. What
 * leads to that one leads to this one from the same moment.
 */
async function restoreVersion(deployment: Deployment, context: RequestContext): Promise<Write[]> {
  const standing = await findVersion(deployment, context.caller.accountId, context.services.db)
  return [
    ...(standing === null ? [] : [archive(standing, context)]),
    {
      sql: 'UPDATE plugin_deployments SET archived_at = NULL WHERE account_id = ? AND id = ? AND archived_at IS NOT NULL',
      params: [context.caller.accountId, deployment.id],
      expect: 1,
    },
    ...(standing === null ? [] : movePointers(standing, deployment.id, context)),
  ]
}

/** Of two that would take its place, the second loses the race and looks again. */
export function archive({ id }: Pick<Deployment, 'id'>, { caller, nowMs }: RequestContext): Write {
  return {
    sql: 'UPDATE plugin_deployments SET archived_at = ? WHERE account_id = ? AND id = ? AND archived_at IS NULL',
    params: [nowMs, caller.accountId, id],
    expect: 1,
  }
}

/**
 * Goes back where a store has begun to use what was archived: the one that takes its place would have to be active. Comes after
 * `archive`, which keeps it from being activated from then on.
 */
export function requireIdle({ id }: Pick<Deployment, 'id'>, { caller }: Pick<RequestContext, 'caller'>): Write {
  return {
    sql: `UPDATE plugin_deployments SET archived_at = archived_at WHERE account_id = ? AND id = ? AND NOT EXISTS (
      SELECT 1 FROM plugin_activations a WHERE a.account_id = plugin_deployments.account_id
        AND a.deployment_id = plugin_deployments.id)`,
    params: [caller.accountId, id],
    expect: 1,
  }
}

/** The domains and aliases of one deployment become another one's. */
export function movePointers(
  former: Pick<Deployment, 'id'>,
  to: string,
  { caller }: Pick<RequestContext, 'caller'>,
): Write[] {
  return ['domain_routes', 'plugin_aliases'].map((table) => ({
    sql: `UPDATE ${table} SET deployment_id = ? WHERE account_id = ? AND deployment_id = ?`,
    params: [to, caller.accountId, former.id],
  }))
}

/** The statements by which a deployment takes over settings before it becomes active. */
export type TakeSettings = (deployment: Deployment, context: RequestContext) => Promise<Write[]>

/** Makes a deployment the one that its store uses, at once. For the active one nothing changes. */
export function activate(
  pluginsUrl: string,
  takeSettings: TakeSettings,
): Handler<Contract['pluginManagement']['activate']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    refuseRemoved(deployment)
    if (deployment.active)
      return { body: { ...answer(deployment, pluginsUrl, context), formerDeploymentId: deploymentId } }
    await requireOpenStore(deployment.storeId, context, 'deploymentId')
    if (!(await hasDocument(deployment, context))) throw showsNothing(deployment)
    const current = await readActivation(deployment, context)
    const ready = [...(await madeReady(deployment, context)), ...(await takeSettings(deployment, context))]
    const writes = [...ready, ...activationWrites(deployment, context)]
    const place = { storeId: deployment.storeId, param: 'deploymentId' }
    const body = { ...answer(deployment, pluginsUrl, context), formerDeploymentId: current?.deploymentId ?? null }
    return { body, writes: inOpenStore(writes, place, context) }
  }
}

async function hasDocument({ id }: Deployment, { caller, services }: RequestContext): Promise<boolean> {
  const sql = 'SELECT DISTINCT content_type FROM plugin_files WHERE account_id = ? AND deployment_id = ?'
  const types = readTypes(await services.db.read(sql, [caller.accountId, id]))
  return types.some(({ content_type: contentType }) => isDocument({ contentType }))
}

const readTypes = rowReader(pick(pluginFilesTable, 'content_type'))

function showsNothing({ id }: Deployment): ApiError {
  return new ApiError(
    'state_conflict',
    `The deployment '${id}' has no HTML document, so that its pages would be 404s; deploy one with a document for each page.`,
    { param: 'deploymentId' },
  )
}

/** Goes back to what was active before; done again, one further. */
export function rollback(pluginsUrl: string): Handler<Contract['pluginManagement']['rollback']> {
  return async ({ body }, context) => {
    await requireOpenStore(body.storeId, context)
    await requirePlugin(body.pluginId, context)
    const current = await readActivation(body, context)
    const earlier = current && (await findEarlier(body, current, context))
    if (current === null || earlier === null) throw nothingBefore(body.pluginId)
    const deployment = await requireAny(earlier.deploymentId, context)
    if (body.dryRun)
      return { body: { ...answer(deployment, pluginsUrl, context), formerDeploymentId: current.deploymentId } }
    const back = rollbackWrites(deployment, { current, earlier }, context)
    return {
      body: { ...answer(deployment, pluginsUrl, context), formerDeploymentId: current.deploymentId },
      writes: inOpenStore([...(await madeReady(deployment, context)), ...back], { storeId: body.storeId }, context),
    }
  }
}

/** It cannot be removed meanwhile, and stands for its version. */
async function madeReady(deployment: Deployment, context: RequestContext): Promise<Write[]> {
  if (deployment.archivedAtMs === null) return [holdStanding(deployment, context)]
  return [holdDeployment(deployment, context), ...(await restoreVersion(deployment, context))]
}

function answer(deployment: Deployment, pluginsUrl: string, { caller }: RequestContext) {
  const now = { ...deployment, archivedAtMs: null, active: true }
  return { success: true as const, deployment: managedDeployment(now, pluginsUrl, caller) }
}

function nothingBefore(pluginId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `No other deployment of the plugin '${pluginId}' was active in this store before; activate a deployment by its id.`,
    { param: 'pluginId' },
  )
}
