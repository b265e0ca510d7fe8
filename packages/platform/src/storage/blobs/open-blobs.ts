import type { S3Place } from './blobs-url.ts'
import { join } from 'node:path'
import type { Clock } from '../../runtime/index.ts'
import type { Blobs } from './blobs.ts'
import { clearUnfinished, fileBlobs } from './file-blobs.ts'

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
