import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { fileBlobs } from './file-blobs.ts'
import type { S3Place } from './read-blobs-url.ts'

/**
 * The store that a platform keeps the files of plugins in: a folder of its own, unless it is told of another one. The
 * client of that is loaded then alone.
 *
 * @param home The folder of the platform's state.
 */
export async function openBlobs(home: string, place: S3Place | undefined): Promise<Blobs> {
  if (place === undefined) return fileBlobs(join(home, 'blobs'))
  const { s3Blobs } = await import('./s3-blobs.ts')
  return s3Blobs(place)
}
