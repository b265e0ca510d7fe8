import type { Client } from '@tillwright/client'
import type { Connection } from '../target/connect.ts'

/** A deployment as lists have it. */
export type Deployment = Awaited<ReturnType<Client['pluginManagement']['list']>>['data'][number]

/** All deployments that are asked for, however many pages they fill. */
export async function listDeployments(
  { client }: Connection,
  filter: { storeId: string; pluginId?: string; state: 'live' | 'all' },
): Promise<Deployment[]> {
  const all: Deployment[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await client.pluginManagement.list({ ...filter, limit: 100, ...(after !== undefined && { after }) })
    all.push(...page.data)
    after = page.nextCursor
  }
  return all
}
