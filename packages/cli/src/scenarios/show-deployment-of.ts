import type { Plugin } from '@tillwright/plugin-build'
import type { FindPlatform, PublishedHost, Scenario } from '@tillwright/plugin-dev'
import { chooseStore } from '../publish/choose-store.ts'
import { findDeployment } from '../settings/find-deployment.ts'
import { connect, type Connection } from '../target/connect.ts'
import { CommandFailed } from '../terminal/fail-with.ts'
import type { PreviewOptions } from './preview-options.ts'
import { readPluginWith } from './read-plugin-with.ts'

/** A deployment that can be seen in scenarios. */
export interface ShownDeployment extends Pick<Connection, 'client'> {
  deploymentId: string
  plugin: Plugin
  scenarios: readonly Scenario[]
  host: PublishedHost
}

/**
 * Prepares the deployment that a command is about to be seen in scenarios.
 *
 * @throws {CommandFailed} In production, where none is active, and for a plugin with errors.
 */
export async function showDeploymentOf(folder: string, options: PreviewOptions): Promise<ShownDeployment> {
  if (options.target === 'production') {
    throw new CommandFailed('--target: previews need a demo product and funnel, which production is spared.', 'usage')
  }
  const { publishedHost } = await import('@tillwright/plugin-dev')
  const { plugin, scenarios } = await readPluginWith(folder)
  const connection = await connect(options)
  const { client, target } = connection
  const environment = target.name === 'local' ? 'local' : 'development' // production was refused
  const storeId = chooseStore(options, target)
  const deploymentId = await findDeployment(plugin.file.pluginId, options, connection)
  const { deployment } = await client.pluginManagement.view({ deploymentId })
  const findPlatform: FindPlatform = async () => ({
    environment,
    apiUrl: target.apiUrl,
    vaultUrl: '', // a deployment's pages are told by their platform
    apiKey: target.apiKey,
    storeId,
    makePublishableKey: async () => null,
  })
  const host = await publishedHost(plugin, { findPlatform, url: deployment.url.replace(/\/$/, '') })
  return { client, deploymentId, plugin, scenarios, host }
}
