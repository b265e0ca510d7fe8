import type { Client } from '@tillwright/client'
import { batchesOf, type Asset } from './batches-of.ts'

/** How many requests are on their way at a time. */
const AT_ONCE = 4

/** Where assets are sent. */
export interface AssetStore {
  client: Pick<Client, 'plugins'>
  signal: AbortSignal
  /** Is told of the bytes that have arrived. */
  onStored: (bytes: number) => void
}

/**
 * Sends files, several at a time. Each is stored under its hash as soon as it has arrived, so that whoever is interrupted
 * goes on with the rest later.
 *
 * @throws {TillwrightError} For the first request that fails for good; what is on its way then is broken off.
 */
export async function uploadAssets(assets: readonly Asset[], { client, signal, onStored }: AssetStore): Promise<void> {
  const broken = new AbortController()
  const either = AbortSignal.any([signal, broken.signal])
  const waiting = batchesOf(assets).values() // one iterator for all lanes, so that each batch is sent once
  const lane = async () => {
    for (const batch of waiting) {
      await client.plugins.uploadAssets({ assets: batch.map(encoded) }, { signal: either })
      onStored(batch.reduce((sum, { bytes }) => sum + bytes.length, 0))
    }
  }
  const lanes = Array.from({ length: AT_ONCE }, lane)
  try {
    await Promise.all(lanes)
  } finally {
    broken.abort()
    await Promise.allSettled(lanes)
  }
}

function encoded({ sha256, bytes }: Asset): { sha256: string; size: number; content: string } {
  return { sha256, size: bytes.length, content: Buffer.from(bytes).toString('base64') }
}
