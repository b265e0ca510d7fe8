import { Command } from 'commander'
import { listDeployments } from '../deployments/list-deployments.ts'
import { chooseStore } from '../publish/choose-store.ts'
import { storeOption } from '../publish/publish-options.ts'
import { askPlatform } from '../target/ask-platform.ts'
import type { Connection } from '../target/connect.ts'
import type { TargetOptions } from '../target/find-target.ts'
import { withTarget } from '../target/target-option.ts'
import { table } from '../terminal/align.ts'
import { jsonOption, type OutputOptions } from '../terminal/answer.ts'

type Routes = Awaited<ReturnType<Connection['client']['pluginManagement']['view']>>['routes']

/** `tillwright domains`: the places on domains that show plugins of a store. */
export const domainsCommand = withTarget(new Command('domains'))
  .option(...storeOption)
  .option(...jsonOption)
  .action((options: OutputOptions & TargetOptions & { store?: string }) =>
    askPlatform(options, (connection) => listRoutes(chooseStore(options, connection.target), connection), show),
  )

async function listRoutes(storeId: string, connection: Connection): Promise<Routes> {
  const deployments = await listDeployments(connection, { storeId, state: 'live' })
  const routes: Routes = []
  for (const { id } of deployments)
    routes.push(...(await connection.client.pluginManagement.view({ deploymentId: id })).routes)
  return routes
}

function show(routes: Routes): string {
  if (routes.length === 0) return 'No domain shows a plugin yet; "tillwright promote" lets one.\n'
  return table(
    ['domain', 'plugin', 'deployment', 'follows'],
    routes.map(({ hostname, path, pluginId, deploymentId, follows }) => [
      hostname + path,
      pluginId,
      deploymentId,
      follows === 'active' ? 'what is active' : 'this deployment',
    ]),
  )
}
