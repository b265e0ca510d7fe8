import type { LocalFile } from '@tillwright/platform'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A local platform that says that it runs, and the folder of its state. */
export interface FoundLocal {
  home: string
  file: LocalFile
}

/**
 * What the local platform says of itself while it runs: `.tillwright/local.json` of this folder or of the next one above
 * that has it, or that of `TILLWRIGHT_HOME`. `null` where none runs.
 */
export async function findLocal(env: NodeJS.ProcessEnv = process.env, from = process.cwd()): Promise<LocalFile | null> {
  return (await findLocalHome(env, from))?.file ?? null
}

/** The same with the folder in which it was found. */
export async function findLocalHome(env: NodeJS.ProcessEnv, from: string): Promise<FoundLocal | null> {
  const home = env['TILLWRIGHT_HOME']
  if (home !== undefined && home !== '') return readLocal(resolve(home))
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = await readLocal(join(folder, '.tillwright'))
    if (found !== null || folder === dirname(folder)) return found
  }
}

async function readLocal(home: string): Promise<FoundLocal | null> {
  const text = await readFile(join(home, 'local.json'), 'utf8').catch(() => null)
  return text === null ? null : { home, file: JSON.parse(text) }
}
