import { existsSync } from 'node:fs'
import { glob, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Entry } from './tar.ts'

/** An npm package that goes into the image. */
export interface NpmPackage {
  name: string
  version: string
  /** An SPDX expression, as its manifest states it. */
  license: string
  /** Where it is in the image, relative to the folder of the first ones: `node_modules/pg`. */
  place: string
  /** Where its files are on this machine. */
  source: string
}

interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
}

/** Packages of which the platform serves files and runs nothing, so that their own dependencies stay away. */
const servedFiles: Readonly<Record<string, RegExp>> = {
  '@tillwright/checkout': /^(?:package\.json|dist\/.*)$/,
  '@tillwright/console': /^(?:package\.json|dist\/.*)$/,
}

/** Large packages of which a part is used: libraries of processors, and what they send with. */
const usedFiles: Readonly<Record<string, RegExp>> = {
  '@adyen/api-library':
    /^(?:package\.json|LICENSE|lib\/package\.json|lib\/src\/(?:[^/]+|(?:constants|helpers|httpClient|utils|services\/exception|typings\/checkout)\/[^/]+|services\/(?:resource|checkout\/(?:modifications|payments)Api)\.js))$/,
  '@paypal/paypal-server-sdk': /^(?!dist\/cjs\/|src\/)/,
  axios: /^(?!dist\/(?:browser|esm|axios))/,
}

/** Types, source maps, sources and pages about a package, none of which runs. Licenses are kept. */
const NEVER_RUN = /\.(?:map|[cm]?ts|tsx|md|markdown|flow|yml)$|(?:^|\/)(?:\.[^/]+|tests?|examples?|benchmarks?)\//i
const LICENSE = /(?:^|\/)(?:licen[cs]e|notice|copying)[^/]*$/i

/**
 * Finds what some packages need to run: their dependencies, as they are installed in this workspace and thus as its lockfile
 * says. One version of a package is at the top, further ones are below the packages that need them.
 *
 * @param first Our own packages, by name: where each is unpacked, and whose folder in the workspace has its dependencies.
 * @param leaves Packages installed without their own dependencies; by default those that the platform serves files of.
 */
export async function collectPackages(
  first: ReadonlyMap<string, { unpacked: string; workspace: string }>,
  leaves: readonly string[] = Object.keys(servedFiles),
): Promise<NpmPackage[]> {
  const placed = new Map<string, NpmPackage>()
  const queue: { found: NpmPackage; from: string }[] = []
  const place = async (at: string, source: string, from: string): Promise<void> => {
    const { name, version, license } = await readManifest(source)
    const named = typeof license === 'object' ? license.type : (license ?? 'NOASSERTION')
    const found = { name, version, license: named, place: at, source }
    placed.set(at, found)
    if (!leaves.includes(name)) queue.push({ found, from })
  }
  for (const [name, { unpacked, workspace }] of first) await place(`node_modules/${name}`, unpacked, workspace)
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { found, from } = next
    const manifest = await readManifest(found.source)
    for (const [name, isOptional] of neededBy(manifest)) {
      if (first.has(name)) continue
      const source = await installed(name, from)
      if (source === null && isOptional) continue
      if (source === null) throw new Error(`${found.name} needs ${name}, which is not installed: run pnpm install.`)
      const known = reachable(name, found.place, placed)
      if (known?.source === source) continue
      await place(`${known === undefined ? '' : `${found.place}/`}node_modules/${name}`, source, source)
    }
  }
  return [...placed.values()].toSorted((a, b) => (a.place < b.place ? -1 : 1))
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

/** Dependencies of a package, and whether each is optional. Optional peers are left out. */
function neededBy(manifest: Manifest): Map<string, boolean> {
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const wanted = peers.filter((name) => manifest.peerDependenciesMeta?.[name]?.optional !== true)
  const needed = [...Object.keys(manifest.dependencies ?? {}), ...wanted].map((name) => [name, false] as const)
  return new Map([...needed, ...Object.keys(manifest.optionalDependencies ?? {}).map((name) => [name, true] as const)])
}

/** The real folder of a package, looked up as Node does. */
async function installed(name: string, from: string): Promise<string | null> {
  for (let folder = await realpath(from); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(candidate)) return realpath(candidate)
  }
  return null
}

/** The package that Node would find under this name from a place in the image. */
function reachable(name: string, place: string, placed: ReadonlyMap<string, NpmPackage>): NpmPackage | undefined {
  for (let at = `/${place}`; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    const found = placed.get(`${at}/node_modules/${name}`.slice(1))
    if (found !== undefined || at === '') return found
  }
}

/** The files of a package that run, or that its license asks to pass on. */
export async function filesOf({ name, place, source }: NpmPackage, folder: string): Promise<Entry[]> {
  const entries: Entry[] = []
  const wanted = servedFiles[name] ?? usedFiles[name]
  for await (const file of glob('**', {
    cwd: source,
    withFileTypes: true,
    exclude: (each) => each.name === 'node_modules',
  })) {
    const path = join(file.parentPath, file.name).slice(source.length + 1)
    if (!file.isFile() || (wanted !== undefined && !wanted.test(path))) continue
    if (NEVER_RUN.test(path) && !LICENSE.test(path)) continue
    entries.push({ path: `${folder}/${place}/${path}`, mode: 0o644, content: await readFile(join(source, path)) })
  }
  return entries
}
