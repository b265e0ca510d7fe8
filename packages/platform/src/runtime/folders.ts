import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** For the platform's user alone. */
const MODE = 0o700

/**
 * Makes a folder, and those above it that are missing. Node's own `recursive` does not return where a folder that is there
 * takes none, such as `/proc`.
 *
 * @returns The topmost folder that was made; `undefined` if all were there.
 * @throws {Error} Of the file system, with its code.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  try {
    return await made(path)
  } catch (error) {
    if (Object(error).code !== 'ENOENT' || dirname(path) === path) throw error
    const topmost = await makeFolder(dirname(path))
    const last = await made(path)
    return topmost ?? last
  }
}

async function made(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: MODE })
    return path
  } catch (error) {
    if (Object(error).code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined
    throw error
  }
}
