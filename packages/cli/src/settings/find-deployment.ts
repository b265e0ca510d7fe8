import { listDeployments } from '../deployments/deployments.ts'
import { chooseStore } from '../publish/publish-options.ts'
import type { Connection } from '../target/connect.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/** The options that select the deployment whose settings a command uses. */
export interface DeploymentOptions {
  deployment?: string
  store?: string
}

/**
 * The deployment whose settings a command uses: the one given, or the plugin's active one.
 *
 * @throws {CommandFailed} If none is active.
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
  throw new CommandFailed(`${pluginId} is not deployed to ${storeId} yet; deploy it with "tillwright publish".`)
}
