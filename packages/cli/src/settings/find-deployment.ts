import { listDeployments } from '../deployments/deployments.ts'
import { chooseStore } from '../publish/publish-options.ts'
import type { Connection } from '../target/connect.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/** How a command names the deployment whose settings it is about. */
export interface DeploymentOptions {
  deployment?: string
  store?: string
}

/**
 * The deployment whose settings a command is about: the one that it names, or the active one of the plugin.
 *
 * @throws {CommandFailed} Where none is active.
 */
export async function findDeployment(
  pluginId: string,
  options: DeploymentOptions,
  connection: Connection,
): Promise<string> {
  if (options.deployment !== undefined) return options.deployment
  const storeId = chooseStore(options, connection.target)
  const deployments = await listDeployments(connection, { storeId, pluginId, state: 'live' })
  const active = deployments.find(({ state }) => state === 'active')
  if (active !== undefined) return active.id
  throw new CommandFailed(`${pluginId} is not deployed to ${storeId} yet; do it with "tillwright publish".`)
}
