import { createClient } from '@tillwright/client'
import type { DevPlatform } from '@tillwright/plugin-dev'
import { applyPlan, makePlan, readRemote, trialOf } from '@tillwright/plugin-publish'
import { buildContent } from '../publish/publish.ts'
import { interruption } from '../terminal/interaction.ts'

/** The platform that a plugin is deployed to for tests. */
export type TestPlatform = Pick<DevPlatform, 'apiUrl' | 'apiKey' | 'environment'> & { storeId: string }

/** A deployment that is only tried out. */
export interface TrialDeployment {
  /** Where it is served, without a slash at the end. */
  url: string
  /** Takes it down. */
  remove: () => Promise<void>
}

/** Builds and deploys a plugin without activating it, under a version of its own: the plugin's stays free. */
export async function deployForTest(folder: string, platform: TestPlatform): Promise<TrialDeployment> {
  const { apiKey, apiUrl, environment, storeId } = platform
  const client = createClient({ apiKey, baseUrl: apiUrl })
  const { content: built, bytes } = await buildContent(folder, environment)
  const content = trialOf(built)
  const place = { client, storeId, signal: interruption() }
  const consent = { overwrite: true, force: true, strategy: 'theirs' } as const
  const [remote, { accountId }] = await Promise.all([
    readRemote(content, place, consent.strategy),
    client.accounts.testKey({}),
  ])
  const plan = makePlan(content, remote, { apiUrl, environment, accountId, storeId })
  const { deploymentId, url } = await applyPlan(plan, {
    ...place,
    content,
    bytes,
    remote,
    consent,
    activate: false,
    onStored: () => {},
  })
  return {
    url: url.replace(/\/$/, ''),
    remove: async () => void (await client.pluginManagement.remove({ deploymentId })),
  }
}
