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
 * @throws {CommandFailed} If the one given is another plugin's, or none is active.
 * @throws {TillwrightError} `resource_missing`, if there is no such one.
 */
export async function findDeployment(
  pluginId: string,
  options: DeploymentOptions,
  connection: Connection,
): Promise<string> {
  if (options.deployment !== undefined) return deploymentOf(pluginId, options.deployment, connection)
  const storeId = chooseStore(options, connection.target)
  const deployments = await listDeployments(connection, { storeId, pluginId, state: 'live' })
  const active = deployments.find(({ state }) => state === 'active')
  if (active !== undefined) return active.id
  throw new CommandFailed(`${pluginId} is not deployed to ${storeId} yet; deploy it with "tillwright publish".`)
}

async function deploymentOf(pluginId: string, deploymentId: string, { client }: Connection): Promise<string> {
  const { deployment } = await client.pluginManagement.view({ deploymentId })
  if (deployment.pluginId === pluginId) return deploymentId
  throw new CommandFailed(
    `--deployment: ${deploymentId} is one of ${deployment.pluginId}, not of ${pluginId}; "tillwright deployments list --plugin ${pluginId}" has those.`,
    'usage',
  )
}
