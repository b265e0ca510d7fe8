import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { PublicPackage } from '../.ci/public-packages.ts'
import { root } from '../.ci/spawn-program.ts'
import { pack } from './pack-all.ts'

const run = promisify(execFile)

/** A package as installed in a project. */
export interface InstalledPackage {
  name: string
  /** The archive that it came out of. */
  tarball: string
  /** Entry points with types, such as `@tillwright/checkout/react`. */
  typedEntries: readonly string[]
}

/** Types that a project has of its own accord; packages do not bring them. */
const typesOfOthers = ['node', 'react', 'react-dom'] as const

/**
 * Packs packages and puts them into a folder as an install would, each with just what its manifest asks for, which is taken
 * from this workspace: so it works offline, and what a package forgets to ask for is not found.
 */
export async function installApart(packages: readonly PublicPackage[], folder: string): Promise<InstalledPackage[]> {
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const name of typesOfOthers) {
    const source = join(root, 'packages/create-plugin/node_modules/@types', name)
    await symlink(await realpath(source), join(folder, 'node_modules/@types', name), 'junction')
  }
  return Promise.all(packages.map((each) => installOne(each, folder)))
}

async function installOne({ name, folder: source }: PublicPackage, folder: string): Promise<InstalledPackage> {
  const place = join(folder, 'node_modules', name)
  const tarball = join(folder, `${name.replace('/', '-')}.tgz`)
  await pack(source, tarball)
  await mkdir(join(place, 'node_modules'), { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
  const {
    dependencies,
    peerDependencies,
    exports = {},
  } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'))
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
    const found = join(source, 'node_modules', needed)
    if (needed.startsWith('@tillwright/') || !existsSync(found)) continue // installed next to it; an optional peer
    await mkdir(dirname(join(place, 'node_modules', needed)), { recursive: true })
    await symlink(await realpath(found), join(place, 'node_modules', needed), 'junction')
  }
  const typed = Object.entries<{ types?: string }>(exports).filter(([, entry]) => entry.types !== undefined)
  return { name, tarball, typedEntries: typed.map(([path]) => `${name}${path.slice(1)}`) }
}
