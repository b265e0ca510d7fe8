import { type Client, TillwrightError } from '@tillwright/client'
import { type Content, deployBody } from './content.ts'
import { checkPlan } from './plan-check.ts'
import type { Plan } from './plan.ts'
import { PublishError } from './publish-error.ts'
import type { Remote, TargetStore } from './remote.ts'
import { type Consent, syncSettings } from './settings.ts'

/** Options of `applyPlan`. */
export interface PublishOptions extends TargetStore {
  content: Content
  /** The bytes of each file, by SHA-256. */
  bytes: ReadonlyMap<string, Uint8Array>
  /** The platform's current state. */
  remote: Remote
  consent: Consent
  /** Whether to activate it for the store at once; otherwise it is only served on its own host. */
  activate: boolean
  /**
   * Settings that the store decides, such as the product that it sells, by preset: a JSON Merge Patch (RFC 7396) that is
   * applied as an edit of the merchant's before the deployment becomes active.
   */
  storePresets?: Readonly<Record<string, Record<string, unknown>>>
  /** Where the content comes from, such as a commit: kept with the deployment, and no part of its content. */
  sourceData?: Record<string, unknown> | null
  /** Called with the number of bytes that were stored. */
  onStored: (bytes: number) => void
}

/** The result of publishing. */
export interface PublishResult {
  deploymentId: string
  url: string
  /** The previously active deployment, for a rollback; `null` if there was none. */
  formerDeploymentId: string | null
  isActive: boolean
  uploaded: { files: number; bytes: number }
  updated: string[]
  conflicts: string[]
}

/**
 * Applies a plan: uploads the files that the platform lacks, deploys the plugin next to the active deployment, updates
 * its settings, and activates it last. After an interruption, applying again uploads only the rest.
 *
 * @throws {PublishError} If the plugin or the platform has changed since the plan, or a risk lacks consent.
 * @throws {TillwrightError} When the platform refuses, or does not answer.
 */
export async function applyPlan(plan: Plan, applying: PublishOptions): Promise<PublishResult> {
  const { content, remote, client, signal } = applying
  checkPlan(plan, applying)
  const uploaded = await upload(applying)
  const { deploymentId, url, isActive } = await deploy(applying)
  const settings = await syncSettings(content.settings, deploymentId, applying)
  const { storePresets: presets = {} } = applying
  if (Object.keys(presets).length > 0) {
    await client.pluginManagement.updateSettings({ deploymentId, presets }, { signal })
  }
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

async function upload({ remote, bytes, client, signal, onStored }: PublishOptions): Promise<PublishResult['uploaded']> {
  const assets = remote.missing.flatMap((sha256) => {
    const found = bytes.get(sha256)
    return found === undefined ? [] : [{ sha256, bytes: found }]
  })
  await uploadAssets(assets, { client, signal, onStored })
  return { files: assets.length, bytes: assets.reduce((sum, asset) => sum + asset.bytes.length, 0) }
}

async function deploy({ content, storeId, client, signal, consent, sourceData = null }: PublishOptions) {
  const source = sourceData === null ? {} : { sourceData }
  const body = { ...deployBody(content, storeId), ...source, activate: false, overwrite: consent.overwrite }
  const answer = await client.plugins.deploy(body, { signal }).catch((error: unknown) => {
    throw error instanceof TillwrightError && error.code === 'resource_exists' ? takenMeanwhile(content) : error
  })
  if (answer.deployment !== null) {
    return { deploymentId: answer.deployment.id, url: answer.deployment.url, isActive: answer.deployment.active }
  }
  throw new PublishError('moved', 'The platform lost files while they were uploaded: publish again.')
}

/** The plan knew nothing of it, so somebody else publishes at the same time. */
function takenMeanwhile({ pluginId, version }: Content): PublishError {
  return new PublishError(
    'moved',
    `Version ${version} of ${pluginId} was deployed with different content since the plan was made: publish again, as its next build.`,
  )
}

/** The number of concurrent requests; a file larger than a batch has the line for itself. */
const AT_ONCE = 4
/** On a line this slow, in bytes a second, uploads still complete: a telephone's with poor reception. */
const SLOWEST_LINE = 50_000
/** How long the platform waits for a request's body. */
const ARRIVAL_MAX_MS = 300_000
/** For everything but the body. */
const ANSWER_MS = 30_000

/** Where assets are sent. */
export interface UploadOptions {
  client: Pick<Client, 'plugins'>
  signal: AbortSignal
  /** Called with the number of bytes that were stored. */
  onStored: (bytes: number) => void
}

/**
 * Uploads files, several at a time. Each is stored under its hash as soon as it arrives, so an interrupted upload can
 * be resumed.
 *
 * @throws {TillwrightError} For the first request that fails for good; the others are aborted.
 */
async function uploadAssets(assets: readonly Asset[], options: UploadOptions): Promise<void> {
  const isLarge = ({ bytes }: Asset) => bytes.length > BATCH_BYTES
  await uploadBatches(batchesOf(assets.filter((asset) => !isLarge(asset))), AT_ONCE, options)
  await uploadBatches(batchesOf(assets.filter(isLarge)), 1, options)
}

async function uploadBatches(
  batches: readonly Asset[][],
  atOnce: number,
  { client, signal, onStored }: UploadOptions,
): Promise<void> {
  const broken = new AbortController()
  const either = AbortSignal.any([signal, broken.signal])
  const waiting = batches.values() // one iterator for all lanes, so that each batch is sent once
  const lane = async () => {
    for (const batch of waiting) {
      const assetsOfBatch = batch.map(encoded)
      const timeoutMs = arrivalMs(assetsOfBatch.reduce((sum, { content }) => sum + content.length, 0) * atOnce)
      await client.plugins.uploadAssets({ assets: assetsOfBatch }, { signal: either, timeoutMs })
      onStored(batch.reduce((sum, { bytes }) => sum + bytes.length, 0))
    }
  }
  const lanes = Array.from({ length: atOnce }, lane)
  try {
    await Promise.all(lanes)
  } finally {
    broken.abort()
    await Promise.allSettled(lanes)
  }
}

/** How long a request may take while this many bytes share the line. */
function arrivalMs(bytes: number): number {
  return Math.min(ANSWER_MS + Math.ceil((bytes / SLOWEST_LINE) * 1_000), ARRIVAL_MAX_MS)
}

function encoded({ sha256, bytes }: Asset): { sha256: string; size: number; content: string } {
  return { sha256, size: bytes.length, content: Buffer.from(bytes).toString('base64') }
}

/** A file's bytes, under their SHA-256 in lower-case hexadecimal. */
interface Asset {
  sha256: string
  bytes: Uint8Array
}

/** The size of one request: small enough that an interrupted one costs little, large enough that few are needed. */
const BATCH_BYTES = 1_048_576
const BATCH_FILES = 50

/** Groups files into batches, in their order; a file larger than a batch gets its own. */
function batchesOf(assets: readonly Asset[]): Asset[][] {
  const batches: Asset[][] = []
  let room = 0
  for (const asset of assets) {
    const last = batches.at(-1)
    if (last !== undefined && asset.bytes.length <= room && last.length < BATCH_FILES) last.push(asset)
    else {
      batches.push([asset])
      room = BATCH_BYTES
    }
    room -= asset.bytes.length
  }
  return batches
}
