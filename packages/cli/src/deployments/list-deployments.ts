import type { DeploymentFilter, ListedDeployment } from '@tillwright/plugin-publish'
import type { Connection } from '../target/connect.ts'
import { interruption } from '../terminal/interruption.ts'

/** The deployments that a command asks for. The publisher is loaded by those commands alone that use it. */
export async function listDeployments({ client }: Connection, filter: DeploymentFilter): Promise<ListedDeployment[]> {
  const publisher = await import('@tillwright/plugin-publish')
  return publisher.listDeployments(filter, { client, signal: interruption() })
}
