import { DEPLOYMENT_RESTORE_MS, type DeploymentState, type ManagedDeployment } from '@tillwright/contract'
import { toResource, type Deployment } from './deployments.ts'

/** A deployment with what has become of it, as the API shows it. */
export function managedDeployment(deployment: Deployment, pluginsUrl: string): ManagedDeployment {
  const { removedAtMs } = deployment
  return {
    ...toResource(deployment, pluginsUrl),
    state: stateOf(deployment),
    removedAt: removedAtMs === null ? null : new Date(removedAtMs).toISOString(),
    restorableUntil: removedAtMs === null ? null : new Date(removedAtMs + DEPLOYMENT_RESTORE_MS).toISOString(),
  }
}

function stateOf({ removedAtMs, archivedAtMs, active }: Deployment): DeploymentState {
  if (removedAtMs !== null) return 'removed'
  if (archivedAtMs !== null) return 'archived'
  return active ? 'active' : 'idle'
}
