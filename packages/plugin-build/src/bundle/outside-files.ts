import { existsSync, realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Metafile } from 'esbuild'
import { lineStarts, positionAt, type Problem } from '../problem.ts'
import { inputName } from '../source-map.ts'

/** An import that leads to a file which neither the plugin nor a package brings along. */
interface Escape {
  /** The importing file, absolute; null for an entry. */
  importer: string | null
  specifier: string
  /** The file, absolute, with links followed. */
  path: string
}

/**
 * Finds what a build took from outside of the plugin's folder: by a relative or absolute import, a link, a path of
 * `tsconfig.json` or an asset's address. Packages may lie outside, where a workspace keeps them: a package is what an
 * import by name leads to in a `node_modules` of the importing file's folder or of one above, and all below its own
 * folder, wherever links have that. Nothing of it may lead out of there, either.
 */
export async function findOutsideFiles(
  root: string,
  entries: readonly string[],
  { inputs }: Pick<Metafile, 'inputs'>,
): Promise<Problem[]> {
  const escapes = escapesFrom(root, entries, inputs)
  return Promise.all(escapes.map((escape) => problemOf(root, escape)))
}

/** Whether a path leads out of a folder when links are followed; false where nothing stands. */
export function leadsOutside(root: string, path: string): boolean {
  return existsSync(join(root, path)) && !isWithin(realpathSync(root), realpathSync(join(root, path)))
}

function escapesFrom(root: string, entries: readonly string[], inputs: Metafile['inputs']): Escape[] {
  const home = realpathSync(root)
  const outside = entries.filter((entry) => !isWithin(home, realPathOf(root, entry)))
  const escapes = outside.map((entry): Escape => ({ importer: null, specifier: entry, path: realPathOf(root, entry) }))
  const homes = new Map<string, string>()
  // esbuild names files by their real path, from the root.
  const toVisit = entries.map((entry) => ({
    input: relative(root, realPathOf(root, entry)).replaceAll('\\', '/'),
    home,
  }))
  for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
    if (homes.has(next.input)) continue
    homes.set(next.input, next.home)
    const importer = realPathOf(root, next.input)
    for (const { path: imported, original, external } of inputs[next.input]?.imports ?? []) {
      if (external === true || isVirtual(imported)) continue
      const path = realPathOf(root, imported)
      const specifier = original ?? imported
      const packageFolder = isWithin(next.home, path) ? next.home : packageOf(specifier, dirname(importer))
      if (packageFolder !== null && isWithin(packageFolder, path))
        toVisit.push({ input: imported, home: packageFolder })
      else escapes.push({ importer, specifier, path })
    }
  }
  return escapes
}

/** Modules that esbuild makes by itself have a name with `<` or a namespace; an asset's address stands for its file. */
function isVirtual(input: string): boolean {
  return input.startsWith('<') || /^(?!address:)[a-z-]{2,}:/.test(input)
}

function realPathOf(root: string, input: string): string {
  const path = resolve(root, input.replace(/^address:/, ''))
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The folder of the package that an import by name finds from a folder; null for any other import. */
function packageOf(specifier: string, from: string): string | null {
  const [, name] = /^((?:@[^/\\]+\/)?[^./\\:#@][^/\\:]*)(?:\/|$)/.exec(specifier) ?? []
  if (name === undefined) return null
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name)
    if (existsSync(found)) return realpathSync(found)
    if (folder === dirname(folder)) return null
  }
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

async function problemOf(root: string, { importer, specifier, path }: Escape): Promise<Problem> {
  const shown = inputName(relative(root, path))
  const file = importer === null ? specifier : inputName(relative(root, importer))
  const text = importer === null ? '' : await readFile(importer, 'utf8').catch(() => '')
  return outsideFile({ file, specifier, shown, text })
}

/** What is said of an import that leads out of the plugin. */
export function outsideFile(found: { file: string; specifier: string; shown: string; text: string }): Problem {
  const { file, specifier, shown, text } = found
  const index = Math.max(0, text.indexOf(specifier))
  return {
    code: 'file-outside',
    severity: 'error',
    file,
    ...positionAt(lineStarts(text), index),
    pointer: null,
    rule: `"${specifier}" leads out of the plugin’s folder, to ${shown}, which would be published with it.`,
    fix: 'Move the file into the plugin’s folder, or make a package of it and install that.',
  }
}
