import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PackageArrows, packageArrows, steps } from './arrows/table.ts'

const root = join(import.meta.dirname, '..')
/** About a quarter of an hour of reading. */
const ARCHITECTURE_MAX_BYTES = 8 * 1024
const EXTENSION = /\.(?:ts|tsx|mjs)$/

/** Compares ARCHITECTURE.md with the table of arrows: its size, its table of packages and its list of rooms. */
export function checkArchitecture(text: string): string[] {
  const size = Buffer.byteLength(text)
  const rows = text.matchAll(/^\| `(.+?)` \|.*\| (.+) \|$/gm)
  const listed = text.matchAll(/^\d+\. ((?:`[\w.-]+`(?:, )?)+): /gm)
  const rooms = [...listed].map(([, names = '']) => names.replaceAll('`', ''))
  return [
    ...(size > ARCHITECTURE_MAX_BYTES ? [`has ${size} bytes, more than ${ARCHITECTURE_MAX_BYTES}`] : []),
    ...differences(
      [...rows].map(([, name, imports]) => `${name}: ${imports}`),
      Object.entries(packageArrows).map(([name, arrows]) => `${name}: ${importsOf(arrows)}`),
    ),
    ...differences(
      rooms,
      steps.map((names) => names.join(', ')),
    ),
  ]
}

/** The column "imports". */
function importsOf({ imports, optional = [], types = [], light = [], files = [] }: PackageArrows): string {
  const kinds = [
    ...imports,
    ...optional.map((name) => `${name} (optional)`),
    ...types.map((name) => `${name} (types)`),
    ...light,
    ...files.map((name) => `${name} (files)`),
  ]
  return kinds.join(', ') || '-'
}

function differences(found: readonly string[], wanted: readonly string[]): string[] {
  const length = Math.max(found.length, wanted.length)
  return Array.from({ length }, (_, i) => i)
    .filter((i) => found[i] !== wanted[i])
    .map((i) => `says "${found[i] ?? 'nothing'}" where the arrows say "${wanted[i] ?? 'nothing'}"`)
}

/**
 * Finds paths in backticks that lead nowhere. They stand below the repository or below `packages/`; in a package, a name
 * with an extension may also be that of any file below the document's folder.
 *
 * @param file The document, relative to the repository.
 */
export function checkPaths(text: string, file: string): string[] {
  const folder = dirname(file)
  return [...text.matchAll(/`([\w@][\w@./*-]*)`/g)].flatMap(([, path = '']) => {
    const isRooted = /^(?:packages|apps|templates|\.ci)\//.test(path)
    const isFile = EXTENSION.test(path) && (path.includes('/') || folder !== '.')
    if (!isRooted && !isFile) return []
    const places = [
      path,
      ...(isRooted ? [] : [`packages/${path}`]),
      ...(folder === '.' ? [] : [`${folder}/**/${path}`]),
    ]
    return places.some(exists) ? [] : [`names ${path}, which does not exist`]
  })
}

function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(join(root, path))
  return globSync(path, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).length > 0
}

if (import.meta.main) {
  const readmes = globSync('packages/**/README.md', { cwd: root, exclude: ['**/node_modules', '**/dist'] })
  const files = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', ...readmes]
  const mistakes = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...(file === 'ARCHITECTURE.md' ? checkArchitecture(text) : []), ...checkPaths(text, file)]
    return found.map((mistake) => `${file} ${mistake}: correct it.`)
  })
  for (const mistake of mistakes) console.log(mistake)
  process.exitCode = mistakes.length === 0 ? 0 : 1
}
