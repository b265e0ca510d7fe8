import { type Contract, DEPLOYMENT_RESTORE_MS } from '@tillwright/contract'
import { recordNow, worker } from '../../audit/index.ts'
import { emit } from '../../events/index.ts'
import type { RequestContext, Handler, Services, Write } from '../../request-context.ts'
import { ApiError } from '../../runtime/index.ts'
import { pick, rowReader, type Statement } from '../../storage/index.ts'
import { domainRoutesTable, pluginDeploymentsTable } from '../tables.ts'
import { type Deployment, findVersion, managedDeployment, requireAny } from './deployments.ts'

/**
 * Takes a deployment down. It leaves a tombstone, which keeps its files for 24 hours. Removed already, it stays so, and
 * its time too.
 */
export function remove(pluginsUrl: string): Handler<Contract['pluginManagement']['remove']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    if (deployment.removedAtMs !== null) return { body: answer(deployment, pluginsUrl, context) }
    if (deployment.active) throw inUse(deploymentId, 'its store uses it; activate another one first')
    const [route] = readPinned(await context.services.db.read(selectPinned, [context.caller.accountId, deploymentId]))
    if (route !== undefined) throw inUse(deploymentId, `${route.hostname} serves it; promote another one there first`)
    const removed = {
      ...deployment,
      removedAtMs: context.nowMs,
      archivedAtMs: deployment.archivedAtMs ?? context.nowMs,
    }
    const writes = [
      ...removalWrites(deployment, context),
      ...deploymentEvent('s_plugin_deployment_removed', deployment, context),
    ]
    return { body: answer(removed, pluginsUrl, context), writes }
  }
}

/** Undoes a removal, as long as the files are there. */
export function restore(pluginsUrl: string): Handler<Contract['pluginManagement']['restore']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    const { removedAtMs } = deployment
    if (removedAtMs === null) return { body: answer(deployment, pluginsUrl, context) }
    if (removedAtMs + DEPLOYMENT_RESTORE_MS <= context.nowMs) throw tooLate(deploymentId)
    const standing = await findVersion(deployment, context.caller.accountId, context.services.db)
    const archivedAtMs = standing === null ? null : deployment.archivedAtMs
    const write = {
      sql: `UPDATE plugin_deployments SET removed_at = NULL, archived_at = ?
        WHERE account_id = ? AND id = ? AND removed_at = ?`,
      params: [archivedAtMs, context.caller.accountId, deploymentId, removedAtMs],
      expect: 1,
    }
    const writes = [write, ...deploymentEvent('s_plugin_deployment_restored', deployment, context)]
    return { body: answer({ ...deployment, removedAtMs: null, archivedAtMs }, pluginsUrl, context), writes }
  }
}

function deploymentEvent(
  type: 's_plugin_deployment_removed' | 's_plugin_deployment_restored',
  { id: deploymentId, pluginId, storeId, version }: Deployment,
  context: RequestContext,
): Write[] {
  return emit(type, { storeId, properties: { pluginId, deploymentId, version } }, context)
}

/**
 * Deletes files, settings and page keys of deployments that can no longer be restored. That they were removed stays
 * known.
 */
export async function sweepRemoved(
  services: Pick<Services, 'db' | 'clock' | 'randomness' | 'secrets'>,
): Promise<Statement[]> {
  const nowMs = services.clock.now()
  const due = readDue(await services.db.read(selectDue, [nowMs - DEPLOYMENT_RESTORE_MS]))
  if (due.length === 0) return []
  const recorded = due.flatMap(({ account_id: accountId, id }) => {
    const resource = { type: 'deployment', id }
    return recordNow({ accountId, actor: worker('retention'), operation: 'deployments.sweep', resource }, services)
  })
  return [...sweepStatements(nowMs), ...recorded]
}

const selectDue = 'SELECT account_id, id FROM plugin_deployments WHERE removed_at <= ? AND swept_at IS NULL'
const readDue = rowReader(pick(pluginDeploymentsTable, 'account_id', 'id'))

function sweepStatements(nowMs: number): Statement[] {
  const before = nowMs - DEPLOYMENT_RESTORE_MS
  const tables = [
    'plugin_files',
    'plugin_pictures',
    'plugin_settings',
    'plugin_setting_bases',
    'plugin_revisions',
    'plugin_aliases',
  ]
  const swept = tables.map((table) => ({
    sql: `DELETE FROM ${table} WHERE (account_id, deployment_id) IN
      (SELECT account_id, id FROM plugin_deployments WHERE removed_at <= ? AND swept_at IS NULL)`,
    params: [before],
  }))
  // A page's key is good on its deployment's own host alone, which is never served again.
  const keys = {
    sql: `DELETE FROM api_keys WHERE (account_id, id) IN
      (SELECT k.account_id, k.id FROM plugin_deployments d JOIN api_keys k ON k.account_id = d.account_id
        WHERE d.removed_at <= ? AND d.swept_at IS NULL AND k.kind = 'publishable'
          AND k.allowed_origins LIKE '["http%://' || d.host || '.%"]')`,
    params: [before],
  }
  const mark = {
    sql: `UPDATE plugin_deployments SET swept_at = ?, manifest = '{}', details = '{}'
      WHERE removed_at <= ? AND swept_at IS NULL`,
    params: [nowMs, before],
  }
  return [...swept, keys, mark]
}

/** Guarded behind the mark: who made it active or put it on a domain meanwhile was first. */
function removalWrites({ id, storeId, pluginId }: Deployment, { caller, nowMs }: RequestContext): Write[] {
  const { accountId } = caller
  return [
    {
      sql: `UPDATE plugin_deployments SET removed_at = ?, archived_at = COALESCE(archived_at, ?)
        WHERE account_id = ? AND id = ? AND removed_at IS NULL`,
      params: [nowMs, nowMs, accountId, id],
      expect: 1,
    },
    {
      sql: `UPDATE plugin_activations SET number = number
        WHERE account_id = ? AND store_id = ? AND plugin_id = ? AND deployment_id = ?`,
      params: [accountId, storeId, pluginId, id],
      expect: 0, // a plugin that was never activated has no row
    },
    {
      sql: 'UPDATE domain_routes SET follows = 0 WHERE account_id = ? AND deployment_id = ? AND follows = 0',
      params: [accountId, id],
      expect: 0,
    },
  ]
}

const selectPinned = 'SELECT hostname FROM domain_routes WHERE account_id = ? AND deployment_id = ? AND follows = 0'
const readPinned = rowReader(pick(domainRoutesTable, 'hostname'))

function answer(deployment: Deployment, pluginsUrl: string, { caller }: RequestContext) {
  return { success: true as const, deployment: managedDeployment(deployment, pluginsUrl, caller) }
}

function inUse(deploymentId: string, why: string): ApiError {
  return new ApiError('state_conflict', `The deployment '${deploymentId}' cannot be removed: ${why}.`, {
    param: 'deploymentId',
  })
}

function tooLate(deploymentId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `The deployment '${deploymentId}' was removed more than 24 hours ago; deploy its content again.`,
    { param: 'deploymentId' },
  )
}
