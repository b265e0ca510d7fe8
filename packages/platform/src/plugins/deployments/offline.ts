import type { Contract } from '@tillwright/contract'
import { emit } from '../../events/index.ts'
import type { Handler, RequestContext, Write } from '../../request-context.ts'
import { type Deployment, managedDeployment, refuseRemoved, requireAny } from './deployments.ts'

/** Has every address that leads to a deployment answer that it is offline. Offline already, it stays so, and its time too. */
export function takeOffline(pluginsUrl: string): Handler<Contract['pluginManagement']['takeOffline']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    refuseRemoved(deployment)
    if (deployment.offlineSinceMs !== null) return { body: answer(deployment, pluginsUrl, context) }
    const offline = { ...deployment, offlineSinceMs: context.nowMs }
    return { body: answer(offline, pluginsUrl, context), writes: switchWrites(offline, context) }
  }
}

/** Undoes that. */
export function bringOnline(pluginsUrl: string): Handler<Contract['pluginManagement']['bringOnline']> {
  return async ({ params: { deploymentId } }, context) => {
    const deployment = await requireAny(deploymentId, context)
    refuseRemoved(deployment)
    if (deployment.offlineSinceMs === null) return { body: answer(deployment, pluginsUrl, context) }
    const online = { ...deployment, offlineSinceMs: null }
    return { body: answer(online, pluginsUrl, context), writes: switchWrites(online, context) }
  }
}

/** Of two at once that do the same, the second loses the race and finds it done. */
function switchWrites(deployment: Deployment, context: RequestContext): Write[] {
  const { id: deploymentId, pluginId, storeId, version, offlineSinceMs } = deployment
  const isOffline = offlineSinceMs !== null
  const type = isOffline ? 's_plugin_deployment_hidden' : 's_plugin_deployment_shown'
  return [
    {
      sql: `UPDATE plugin_deployments SET offline_at = ? WHERE account_id = ? AND id = ? AND removed_at IS NULL
        AND offline_at IS ${isOffline ? '' : 'NOT '}NULL`,
      params: [offlineSinceMs, context.caller.accountId, deploymentId],
      expect: 1,
    },
    ...emit(type, { storeId, properties: { pluginId, deploymentId, version } }, context),
  ]
}

function answer(deployment: Deployment, pluginsUrl: string, { caller }: RequestContext) {
  return { success: true as const, deployment: managedDeployment(deployment, pluginsUrl, caller) }
}
