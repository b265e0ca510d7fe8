import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any upload takes, also into a process beside this one. */
const OLD_MS = 24 * 60 * 60 * 1_000

/**
 * Removes what processes that were killed have left of blobs they were writing, once it is a day old. Blobs stay.
 *
 * @param folder Need not exist.
 * @param nowMs By the clock that the folder's files are dated with.
 */
export async function clearUnfinished(folder: string, nowMs: number): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.new'))) {
    const file = join(folder, name)
    const found = await stat(file).catch(() => null) // gone meanwhile: it was finished
    if (found !== null && found.mtimeMs <= nowMs - OLD_MS) await rm(file, { force: true })
  }
}
