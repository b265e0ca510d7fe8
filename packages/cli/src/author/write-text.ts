import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { FileText } from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'
import { createFile, replaceFile } from '../whole-files.ts'

/**
 * Writes a file of a plugin, new or replacing an old one. Atomic: readers see the old or the new content.
 *
 * @throws {CommandFailed} If a link leads out of the folder.
 */
export async function writeText(folder: string, { path, text }: FileText): Promise<void> {
  const target = await insideOf(folder, path)
  await replaceFile(target, text)
}

/**
 * Writes a new file, and never overwrites an existing one.
 *
 * @throws {CommandFailed} If the file exists, or a link leads out of the folder.
 */
export async function writeNew(folder: string, { path, text }: FileText): Promise<void> {
  const target = await insideOf(folder, path)
  await createFile(target, text).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new CommandFailed(`${path} already exists and was left unchanged; move it away and try again.`, 'conflict')
  })
}

/** The real path of an existing or future file; a link inside the folder is kept. */
async function insideOf(folder: string, path: string): Promise<string> {
  const wanted = join(folder, path)
  await mkdir(dirname(wanted), { recursive: true })
  const root = await realpath(folder)
  const target = await realpath(wanted).catch(async () => join(await realpath(dirname(wanted)), pathEnd(path)))
  if (target.startsWith(root.endsWith(sep) ? root : root + sep)) return target
  throw new CommandFailed(`${path}: a link leads out of the plugin's folder; replace it with the file itself.`)
}

function pathEnd(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
