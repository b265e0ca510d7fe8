import type { S3Place } from './blobs-url.ts'
import { join } from 'node:path'
import type { Clock } from '../../runtime/index.ts'
import { type Blobs, BlobsUnavailable } from './blobs.ts'
import { clearUnfinished, fileBlobs } from './file-blobs.ts'

/**
 * Opens the store for plugin files: a local folder unless a URL is configured. The S3 client is loaded only if used.
 * Unfinished files of killed processes are removed from the folder.
 *
 * @param home The platform's state folder.
 */
export async function openBlobs(
  { home, blobs: place }: { home: string; blobs?: S3Place | undefined },
  clock: Pick<Clock, 'machineNow'>,
): Promise<Blobs> {
  if (place === undefined) {
    const folder = join(home, 'blobs')
    await clearUnfinished(folder, clock.machineNow())
    return fileBlobs(folder)
  }
  const { s3Blobs } = await import('./s3-blobs.ts')
  return s3Blobs(place)
}

/** The store of a process that has nothing to do with plugins, such as one of the vault: it needs no way there. */
export const closedBlobs: Blobs = {
  put: closed,
  receive: closed,
  has: closed,
  remove: closed,
  get: closed,
  compressed: closed,
}

function closed(): Promise<never> {
  return Promise.reject(new BlobsUnavailable('A process with the role vault alone has no files of plugins.'))
}
