import { statfs } from 'node:fs/promises'
import type { Services } from '../request-context.ts'
import { asWarnings, failuresOf, startWorker } from '../runtime/index.ts'

const LOOK_EVERY_MS = 30_000

/** How full the disk is on which a folder lies, in bytes. */
export async function diskOf(folder: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * Tells the other processes how full this one's disk is.
 *
 * @returns Stops it.
 */
export function startWatchingDisk(
  folder: string,
  { clock, cluster, log }: Pick<Services, 'clock' | 'cluster' | 'log'>,
): () => Promise<void> {
  return startWorker({
    clock,
    everyMs: LOOK_EVERY_MS,
    look: async () => cluster.sawDisk(await diskOf(folder)),
    ...failuresOf(asWarnings(log), { worker: 'disk', message: 'the disk could not be looked at; trying again' }),
  })
}
