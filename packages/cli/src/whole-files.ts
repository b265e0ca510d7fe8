import { rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a file, new or replacing an old one. Readers see the old or the new content, and after a failure the old one. A
 * pipe in its place is replaced, too: nobody may be reading from it.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  const there = await stat(path).catch(() => null)
  const draft = `${path}.${process.pid}`
  try {
    // Not through a link that lies there in a folder of somebody else.
    await writeFile(draft, text, { mode: mode ?? there?.mode ?? 0o644, flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Writes a new file. After a failure there is none, or the one that was there before (EEXIST). */
export async function createFile(path: string, text: string, mode = 0o644): Promise<void> {
  try {
    await writeFile(path, text, { mode, flag: 'wx' })
  } catch (error) {
    if (Object(error).code !== 'EEXIST') await rm(path, { force: true })
    throw error
  }
}
