import type { Consent } from './check-consent.ts'
import { checkPlan } from './check-plan.ts'
import type { Content } from './content.ts'
import { deployBody } from './deploy-body.ts'
import type { Plan } from './plan.ts'
import { PublishError } from './publish-error.ts'
import type { Place } from './read-remote.ts'
import type { Remote } from './remote.ts'
import { syncSettings } from './sync-settings.ts'
import { uploadAssets } from './upload-assets.ts'

/** What has to be at hand to apply a plan. */
export interface Applying extends Place {
  content: Content
  /** The bytes of each file, by SHA-256. */
  bytes: ReadonlyMap<string, Uint8Array>
  /** How the platform stands now. */
  remote: Remote
  consent: Consent
  /** Whether the store is to use it at once; otherwise it waits on its own host. */
  activate: boolean
  /** Is told of the bytes that have arrived. */
  onStored: (bytes: number) => void
}

/** What publishing came to. */
export interface Published {
  deploymentId: string
  url: string
  /** The one that was active before, to go back to; `null` where there was none. */
  formerDeploymentId: string | null
  isActive: boolean
  uploaded: { files: number; bytes: number }
  updated: string[]
  conflicts: string[]
}

/**
 * Publishes what a plan says: sends what the platform lacks, deploys it beside what is active, brings its settings up to
 * date, and only then lets the store use it. Whoever is interrupted begins again, and sends the rest alone.
 *
 * @throws {PublishError} When plugin or platform are not as the plan says, or nobody has agreed to what it endangers.
 * @throws {TillwrightError} When the platform refuses, or does not answer.
 */
export async function applyPlan(plan: Plan, applying: Applying): Promise<Published> {
  const { content, remote, client, signal } = applying
  checkPlan(plan, applying)
  const uploaded = await upload(applying)
  const { deploymentId, url, isActive } = await deploy(applying)
  const settings = await syncSettings(content.settings, deploymentId, applying)
  if (applying.activate && !isActive) await client.pluginManagement.activate({ deploymentId }, { signal })
  return {
    deploymentId,
    url,
    formerDeploymentId: remote.active?.id ?? null,
    isActive: applying.activate || isActive,
    uploaded,
    ...settings,
  }
}

async function upload({ remote, bytes, client, signal, onStored }: Applying): Promise<Published['uploaded']> {
  const assets = remote.missing.flatMap((sha256) => {
    const found = bytes.get(sha256)
    return found === undefined ? [] : [{ sha256, bytes: found }]
  })
  await uploadAssets(assets, { client, signal, onStored })
  return { files: assets.length, bytes: assets.reduce((sum, asset) => sum + asset.bytes.length, 0) }
}

async function deploy({ content, storeId, client, signal, consent }: Applying) {
  const body = { ...deployBody(content, storeId), activate: false, overwrite: consent.overwrite }
  const answer = await client.plugins.deploy(body, { signal })
  if (answer.deployment !== null) {
    return { deploymentId: answer.deployment.id, url: answer.deployment.url, isActive: answer.deployment.active }
  }
  throw new PublishError('moved', 'The platform has lost files while they were sent: publish again.')
}
