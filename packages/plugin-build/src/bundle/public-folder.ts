import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import type { Problem } from '../problem.ts'

/** The files that are deployed as they are. */
export interface PublicFolder {
  files: { path: string; bytes: Uint8Array }[]
  /** Errors about files that cannot be deployed. */
  problems: Problem[]
}

/** Files that systems leave in folders by themselves. */
const litter = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Reads a folder of the plugin with all below it; nothing, if it does not exist. */
export async function readPublicFolder(root: string, folder: string | null): Promise<PublicFolder> {
  if (folder === null) return { files: [], problems: [] }
  const base = join(root, folder)
  const names = await namesBelow(base, '')
  const home = await realpath(root)
  const read = await Promise.all(names.map((path) => readPublicFile(base, path, home)))
  return {
    files: read.flatMap((each, index) => (each instanceof Uint8Array ? { path: names[index] ?? '', bytes: each } : [])),
    problems: read.flatMap((each, index) =>
      each instanceof Uint8Array ? [] : unreadableFile(`${folder}/${names[index] ?? ''}`, each),
    ),
  }
}

/** The paths of all files below a folder. A link to a folder is not followed: it may lead in a circle. */
async function namesBelow(base: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter(({ name }) => !litter.has(name))
    .map((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? namesBelow(base, path) : Promise.resolve([path])
    })
  return (await Promise.all(names)).flat()
}

/** Its bytes, or the code of what is wrong with it. */
async function readPublicFile(
  base: string,
  path: string,
  home: string,
): Promise<Uint8Array | 'link-outside' | 'unreadable-file'> {
  const real = await realpath(join(base, path)).catch(() => null)
  if (real !== null && !real.startsWith(home + sep)) return 'link-outside'
  return real === null ? 'unreadable-file' : readFile(real).catch(() => 'unreadable-file' as const)
}

function unreadableFile(file: string, code: 'link-outside' | 'unreadable-file'): Problem {
  const rule =
    code === 'link-outside'
      ? 'A public file must lie in the plugin’s folder; this is a link that leads out of it.'
      : 'A public file must be a file that can be read.'
  const fix = 'Put a copy of what it stands for in its place.'
  return { code, severity: 'error', file, line: 1, column: 1, pointer: null, rule, fix }
}

/**
 * A name that works on every system and in every URL: no device of Windows, no space at either end, no dot at the end.
 * It is as strict as the API's schemas, which would take longer to load than most plugins to build.
 */
const goodName = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))(?! )[^\\<>:"|?*#%\p{Cc}]*[^\\<>:"|?*#%\p{Cc}. ]$/iu

/**
 * Errors for names that a deployment refuses: those that some systems do not allow, and two that are the same on
 * case-insensitive systems.
 *
 * @param files By the path under which each is deployed, with the source to blame.
 */
export function checkNames(files: readonly { path: string; file: string }[]): Problem[] {
  const bad = files.filter(({ path }) => !isGoodPath(path))
  const groups = Map.groupBy(files, ({ path }) => path.normalize('NFC').toLowerCase())
  const twice = [...groups.values()].flatMap((group) => group.slice(1))
  return [
    ...bad.map(({ file }) =>
      nameProblem('file-name', file, ['The name of a file must be good on every system.', rename]),
    ),
    ...twice.map(({ file, path }) =>
      nameProblem('same-name', file, [`Two files would be deployed as "${path}".`, rename]),
    ),
  ]
}

/** Whether a file can be deployed under a path. */
export function isGoodPath(path: string): boolean {
  return path.length <= PATH_MAX_CHARS && path.split('/').every((name) => goodName.test(name))
}

/** As the API has it. */
const PATH_MAX_CHARS = 512

const rename = 'Rename the file; letters, digits, ".", "_" and "-" are always good.'

function nameProblem(code: string, file: string, [rule, fix]: [string, string]): Problem {
  return { code, severity: 'error', file, line: 1, column: 1, pointer: null, rule, fix }
}
