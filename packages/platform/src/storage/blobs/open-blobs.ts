import { join } from 'node:path'
import type { Clock } from '../../ambient/clock.ts'
import type { Blobs } from './blobs.ts'
import { clearUnfinished } from './clear-unfinished.ts'
import { fileBlobs } from './file-blobs.ts'
import type { S3Place } from './read-blobs-url.ts'

/**
 * The store that a platform keeps the files of plugins in: a folder of its own, unless it is told of another one. The
 * client of that is loaded then alone. What a killed process has left unfinished in the folder is cleared away.
 *
 * @param home The folder of the platform's state.
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
