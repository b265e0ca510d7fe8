import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { LocalFile } from '@tillwright/platform'
import { CommandFailed } from '../terminal/fail-with.ts'
import { checkedTarget, originOf } from './target.ts'

/** A running local platform according to its file, and the folder of its state. */
export interface FoundLocal {
  home: string
  file: LocalFile
}

/**
 * The description of the running local platform: `.tillwright/local.json` in a folder or its nearest parent that has one,
 * then in this folder or its parents; or in `TILLWRIGHT_HOME` alone. `null` if none is running.
 *
 * @param from The folder to begin with; this one by default.
 * @throws {CommandFailed} For a file that another user may have written, or that contains anything but a platform on
 *   this machine with test keys: a parent folder may belong to anyone.
 */
export async function findLocal(env: NodeJS.ProcessEnv = process.env, from = '.'): Promise<LocalFile | null> {
  return (await findLocalHome(env, from))?.file ?? null
}

/** The same, with the folder in which it was found. */
export async function findLocalHome(env: NodeJS.ProcessEnv, from: string): Promise<FoundLocal | null> {
  const home = env['TILLWRIGHT_HOME']
  // A folder given by the user may be a link; one found by searching may not.
  if (home !== undefined && home !== '') return readLocal(await realpath(resolve(home)).catch(() => resolve(home)))
  return (await findAbove(resolve(from))) ?? findAbove(process.cwd())
}

async function findAbove(start: string): Promise<FoundLocal | null> {
  for (let folder = start; ; folder = dirname(folder)) {
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
  if (isForeign(folder, 0o022)) throw refused(home, 'belongs to another user, or is writable by others')
  if (!entry.isFile()) throw refused(path, 'is a link or not a file')
  // The open file is checked, so that it cannot be replaced in between.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return null
    throw refused(path, `cannot be opened (${String(Object(error).code)})`)
  })
  if (handle === null) return null
  try {
    if (isForeign(await handle.stat(), 0o077))
      throw refused(path, 'belongs to another user, or is accessible to others')
    return await readFile(handle, 'utf8')
  } finally {
    await handle.close()
  }
}

/** Whether a file belongs to another user, or its mode has one of these bits. Windows has neither. */
function isForeign({ uid, mode }: Stats, bits: number): boolean {
  return process.getuid !== undefined && (uid !== process.getuid() || (mode & bits) !== 0)
}

/**
 * The folder of state of a local platform that is started for a folder: `TILLWRIGHT_HOME`, which the user has chosen, or
 * `.tillwright` in it.
 *
 * @throws {CommandFailed} For a `.tillwright` with links, as a repository from somebody else can bring one: the log, the
 *   database and the rest would be written into files elsewhere on this machine.
 */
export async function homeFor(folder: string): Promise<string> {
  const named = process.env['TILLWRIGHT_HOME']
  if (named !== undefined && named !== '') return named
  const home = join(resolve(folder), '.tillwright')
  const link = await findLink(home)
  if (link === null) return home
  throw new CommandFailed(
    `${link} is a link, so that what is kept there would be written elsewhere. Delete it, or set TILLWRIGHT_HOME to a folder of yours. Nothing was written.`,
    'conflict',
  )
}

async function findLink(home: string): Promise<string | null> {
  const folder = await lstat(home).catch(() => null)
  if (folder === null) return null
  if (folder.isSymbolicLink()) return home
  const entries = await readdir(home, { withFileTypes: true }).catch(() => [])
  const link = entries.find((entry) => entry.isSymbolicLink())
  return link === undefined ? null : join(home, link.name)
}

const names = ['apiUrl', 'vaultUrl', 'apiKey', 'adminApiKey', 'storeId'] as const

function parse(text: string, path: string): LocalFile {
  try {
    const file: unknown = JSON.parse(text)
    // Commands send only strings from it; the rest is at most printed.
    if (names.every((name) => typeof Object(file)[name] === 'string')) return file as LocalFile
  } catch {
    // reported below, without the text, which contains keys
  }
  throw refused(path, 'is damaged')
}

function refused(path: string, why: string): CommandFailed {
  const fix = 'Nothing was sent. If it is yours, restart the platform with "tillwright start", which writes it again'
  return new CommandFailed(
    `${path} ${why}. ${fix}; otherwise delete it, or set TILLWRIGHT_HOME to your own platform's folder.`,
    'unauthorized',
  )
}
