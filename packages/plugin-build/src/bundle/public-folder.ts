import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { ASSET_MAX_BYTES } from '@tillwright/contract'
import { fileError, type Problem } from '../problem.ts'

/** The files that are deployed unchanged. */
export interface PublicFolder {
  files: { path: string; bytes: Uint8Array }[]
  /** Errors about files that cannot be deployed. */
  problems: Problem[]
}

/** Reads a folder of the plugin recursively; empty if it does not exist. Files that are not for buyers are left out. */
export async function readPublicFolder(root: string, folder: string | null): Promise<PublicFolder> {
  if (folder === null) return { files: [], problems: [] }
  const base = join(root, folder)
  const names = await namesBelow(base, '')
  const home = await realpath(root)
  const read = await Promise.all(names.map((path) => readPublicFile(base, path, home)))
  return {
    files: read.flatMap((each, index) => (each instanceof Uint8Array ? { path: names[index] ?? '', bytes: each } : [])),
    problems: read.flatMap((each, index) =>
      each instanceof Uint8Array ? [] : fileError(`${folder}/${names[index] ?? ''}`, each),
    ),
  }
}

/** The paths of all files below a folder. Links to folders are not followed, because they may be circular. */
async function namesBelow(base: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter(({ name }) => isForBuyers(name))
    .map((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? namesBelow(base, path) : Promise.resolve([path])
    })
  return (await Promise.all(names)).flat()
}

/** Files that Windows creates in folders. */
const litter = new Set(['Thumbs.db', 'desktop.ini'])

/**
 * Whether a file or folder below the public one is deployed. One whose name begins with a dot belongs to a tool, such as
 * `.git`, or to this machine, such as `.env`; only `.well-known` is an address of the web (RFC 8615).
 *
 * @param path Relative, with `/` as the separator.
 */
export function isForBuyers(path: string): boolean {
  return path.split('/').every((name) => (!name.startsWith('.') || name === '.well-known') && !litter.has(name))
}

/** What keeps a file from being deployed: its code, rule and fix. */
type Obstacle = Pick<Problem, 'code' | 'rule' | 'fix'>

async function readPublicFile(base: string, path: string, home: string): Promise<Uint8Array | Obstacle> {
  try {
    const real = await realpath(join(base, path))
    if (!real.startsWith(home + sep)) return linkOutside
    const found = await stat(real)
    // Reading a pipe would wait for its writer for ever.
    if (!found.isFile()) return noFile
    return found.size > ASSET_MAX_BYTES ? tooLarge(found.size) : await readFile(real)
  } catch (error) {
    return unreadable(String(Object(error).code))
  }
}

const linkOutside: Obstacle = {
  code: 'link-outside',
  rule: 'A public file must be in the plugin’s folder, but this link leads out of it.',
  fix: 'Replace the link with a copy of the file.',
}

const noFile: Obstacle = {
  code: 'not-a-file',
  rule: 'A public file must be a file, but this is a link to a folder, or no file at all.',
  fix: 'Replace the link with a copy of the folder, or remove it.',
}

function tooLarge(bytes: number): Obstacle {
  const [most, has] = [ASSET_MAX_BYTES, bytes].map((count) => count.toLocaleString('en-US'))
  return {
    code: 'file-too-large',
    rule: `A public file must have at most ${most} bytes; this one has ${has}.`,
    fix: 'Make it smaller, or serve it from another host that the manifest’s "security" allows.',
  }
}

function unreadable(code: string): Obstacle {
  if (code === 'ENOENT') {
    return {
      code: 'file-missing',
      rule: 'A public file must exist, but this link leads to nothing.',
      fix: 'Replace the link with the file, or remove it.',
    }
  }
  return {
    code: 'file-unreadable',
    rule: `A public file must be readable, but the system reports ${code}.`,
    fix: 'Correct its permissions, or take it out of the public folder.',
  }
}
