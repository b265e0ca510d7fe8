import { ApiError } from '../../ambient/api-error.ts'
import type { Call } from '../../call.ts'
import { findActive, type Deployment } from '../deployments/deployments.ts'
import { requirePlugin } from '../deployments/require-plugin.ts'

/**
 * What a store uses of a plugin.
 *
 * @throws {ApiError} 404 with `param` pluginId for a plugin that the account does not have; 409 when nothing is deployed.
 */
export async function requireActive(wanted: { pluginId: string; storeId: string }, call: Call): Promise<Deployment> {
  await requirePlugin(wanted.pluginId, call)
  const active = await findActive(wanted, call.caller.accountId, call.parts.db)
  if (active !== null) return active
  throw new ApiError(
    'state_conflict',
    `The store '${wanted.storeId}' has no deployment of the plugin '${wanted.pluginId}'; deploy it there first.`,
    { param: 'pluginId' },
  )
}
