import type { Contract } from '@tillwright/contract'
import { findStore } from '../../catalog/index.ts'
import type { Call, Handler, Write } from '../../request-context.ts'
import { ApiError, missing } from '../../runtime/index.ts'
import { activationWrites, findEarlier, readActivation, rollbackWrites, standForVersion } from './activation.ts'
import {
  type Deployment,
  holdDeployment,
  managedDeployment,
  refuseRemoved,
  requireAny,
  requirePlugin,
} from './deployments.ts'

/** Makes a deployment the one that its store uses, at once. What is active already changes nothing. */
export function activate(pluginsUrl: string): Handler<Contract['pluginManagement']['activate']> {
  return async ({ params: { deploymentId } }, call) => {
    const deployment = await requireAny(deploymentId, call)
    refuseRemoved(deployment)
    if (deployment.active) return { body: answer(deployment, deploymentId, pluginsUrl) }
    const current = await readActivation(deployment, call)
    const writes = [...(await madeReady(deployment, call)), ...activationWrites(deployment, call)]
    return { body: answer(deployment, current?.deploymentId ?? null, pluginsUrl), writes }
  }
}

/** Goes back to what was active before; done again, one further. */
export function rollback(pluginsUrl: string): Handler<Contract['pluginManagement']['rollback']> {
  return async ({ body }, call) => {
    const { accountId } = call.caller
    if ((await findStore(body.storeId, accountId, call.parts.db)) === null) {
      throw missing('store', body.storeId, 'storeId')
    }
    await requirePlugin(body.pluginId, call)
    const current = await readActivation(body, call)
    const earlier = current && (await findEarlier(body, current, call))
    if (current === null || earlier === null) throw nothingBefore(body.pluginId)
    const deployment = await requireAny(earlier.deploymentId, call)
    const back = rollbackWrites(deployment, { current, earlier }, call)
    return {
      body: answer(deployment, current.deploymentId, pluginsUrl),
      writes: [...(await madeReady(deployment, call)), ...back],
    }
  }
}

/** It cannot be removed meanwhile, and stands for its version. */
async function madeReady(deployment: Deployment, call: Call): Promise<Write[]> {
  return [holdDeployment(deployment, call), ...(await standForVersion(deployment, call))]
}

function answer(deployment: Deployment, formerDeploymentId: string | null, pluginsUrl: string) {
  const now = { ...deployment, archivedAtMs: null, active: true }
  return { success: true as const, deployment: managedDeployment(now, pluginsUrl), formerDeploymentId }
}

function nothingBefore(pluginId: string): ApiError {
  return new ApiError(
    'state_conflict',
    `Nothing of the plugin '${pluginId}' was active before in this store; activate a deployment by its id.`,
    { param: 'pluginId' },
  )
}
