import type { Client } from '@tillwright/client'

/** A deployment as lists have it. */
export type ListedDeployment = Awaited<ReturnType<Client['pluginManagement']['list']>>['data'][number]

/** Which deployments of a store are listed. */
export interface DeploymentFilter {
  storeId: string
  pluginId?: string
  state: 'live' | 'all'
}

/**
 * All deployments that are asked for, the newest first, however many pages they fill.
 *
 * @throws {TillwrightError} When the platform does not answer, or refuses.
 */
export async function listDeployments(
  filter: DeploymentFilter,
  { client, signal }: { client: Client; signal: AbortSignal },
): Promise<ListedDeployment[]> {
  const all: ListedDeployment[] = []
  for (let after: string | null | undefined; after !== null;) {
    const query = { ...filter, limit: 100, ...(after !== undefined && { after }) }
    const page = await client.pluginManagement.list(query, { signal })
    all.push(...page.data)
    after = page.nextCursor
  }
  return all
}
