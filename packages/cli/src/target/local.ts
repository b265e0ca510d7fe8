import { constants, type Stats } from 'node:fs'
import { lstat, open, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { LocalFile } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'
import { checkedTarget, originOf } from './target.ts'

/** A local platform that says that it runs, and the folder of its state. */
export interface FoundLocal {
  home: string
  file: LocalFile
}

/**
 * What the local platform says of itself while it runs: `.tillwright/local.json` of this folder or of the next one above
 * that has it, or that of `TILLWRIGHT_HOME`. `null` where none runs.
 *
 * @throws {CommandFailed} For a file that somebody else may have written, or that names anything but a platform on this
 *   machine with test keys: a folder above this one can be anybody's.
 */
export async function findLocal(env: NodeJS.ProcessEnv = process.env, from = process.cwd()): Promise<LocalFile | null> {
  return (await findLocalHome(env, from))?.file ?? null
}

/** The same with the folder in which it was found. */
export async function findLocalHome(env: NodeJS.ProcessEnv, from: string): Promise<FoundLocal | null> {
  const home = env['TILLWRIGHT_HOME']
  // A folder that is named may be reached by a link; one that is only come across may not.
  if (home !== undefined && home !== '') return readLocal(await realpath(resolve(home)).catch(() => resolve(home)))
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = await readLocal(join(folder, '.tillwright'))
    if (found !== null || folder === dirname(folder)) return found
  }
}

async function readLocal(home: string): Promise<FoundLocal | null> {
  const path = join(home, 'local.json')
  const text = await readOwn(home, path)
  if (text === null) return null
  const file = parse(text, path)
  try {
    checkedTarget({ name: 'local', apiUrl: file.apiUrl, apiKey: file.apiKey })
    checkedTarget({ name: 'local', apiUrl: file.apiUrl, apiKey: file.adminApiKey })
    originOf('local', file.vaultUrl)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    throw refused(path, `does not describe a local platform: ${error.message}`)
  }
  return { home, file }
}

/** The text of a file that only this user can have written; `null` without a file. */
async function readOwn(home: string, path: string): Promise<string | null> {
  const folder = await lstat(home).catch(() => null)
  if (folder === null) return null
  const entry = await lstat(path).catch(() => null)
  if (entry === null) return null
  if (!folder.isDirectory()) throw refused(home, 'is a link or not a folder')
  if (isForeign(folder, 0o022)) throw refused(home, 'belongs to somebody else, or others may write to it')
  if (!entry.isFile()) throw refused(path, 'is a link or not a file')
  // It is checked as it was opened, so that nobody can exchange it in between.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return null
    throw refused(path, `cannot be opened (${String(Object(error).code)})`)
  })
  if (handle === null) return null
  try {
    if (isForeign(await handle.stat(), 0o077)) throw refused(path, 'belongs to somebody else, or others may use it')
    return await readFile(handle, 'utf8')
  } finally {
    await handle.close()
  }
}

/** Whether something is another user's, or its mode has one of these bits. Windows knows neither. */
function isForeign({ uid, mode }: Stats, bits: number): boolean {
  return process.getuid !== undefined && (uid !== process.getuid() || (mode & bits) !== 0)
}

const names = ['apiUrl', 'vaultUrl', 'apiKey', 'adminApiKey', 'storeId'] as const

function parse(text: string, path: string): LocalFile {
  try {
    const file: unknown = JSON.parse(text)
    // What commands send somewhere is text; the rest is printed at most.
    if (names.every((name) => typeof Object(file)[name] === 'string')) return file as LocalFile
  } catch {
    // told below, without the text, which has keys in it
  }
  throw refused(path, 'is damaged')
}

function refused(path: string, why: string): CommandFailed {
  const fix = 'Nothing was sent. If it is yours, start the platform again with "tillwright start", which writes it anew'
  return new CommandFailed(
    `${path} ${why}. ${fix}; otherwise delete it, or name your own platform's folder in TILLWRIGHT_HOME.`,
    'unauthorized',
  )
}
