import { createClient } from '@tillwright/client'
import type { DevPlatform } from '@tillwright/plugin-dev'
import { applyPlan, makePlan, readRemote } from '@tillwright/plugin-publish'
import { buildContent } from '../publish/publish.ts'
import { interruption } from '../terminal/interaction.ts'

/** The platform that a plugin is deployed to for tests. */
export type TestPlatform = Pick<DevPlatform, 'apiUrl' | 'apiKey' | 'environment'> & { storeId: string }

/**
 * Builds and deploys a plugin without activating it, replacing an earlier test deployment.
 *
 * @returns The address that it is served at.
 */
export async function deployForTest(folder: string, platform: TestPlatform): Promise<string> {
  const { apiKey, apiUrl, environment, storeId } = platform
  const client = createClient({ apiKey, baseUrl: apiUrl })
  const { content, bytes } = await buildContent(folder, environment)
  const place = { client, storeId, signal: interruption() }
  const consent = { overwrite: true, force: true, strategy: 'theirs' } as const
  const [remote, { accountId }] = await Promise.all([
    readRemote(content, place, consent.strategy),
    client.accounts.testKey({}),
  ])
  const plan = makePlan(content, remote, { apiUrl, environment, accountId, storeId })
  const { url } = await applyPlan(plan, {
    ...place,
    content,
    bytes,
    remote,
    consent,
    activate: false,
    onStored: () => {},
  })
  return url.replace(/\/$/, '')
}
