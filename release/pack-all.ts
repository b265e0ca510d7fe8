import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '../.ci/is-built.ts'
import { publicPackages } from '../.ci/public-packages.ts'
import { root } from '../.ci/spawn-program.ts'

const run = promisify(execFile)

/** A package as a release would have it. */
export interface PackedPackage {
  /** Its `package.json` as it is in the archive. */
  manifest: { name: string; version: string }
  /** The path of the archive. */
  tarball: string
}

/** Builds and packs every package that people install into a folder. */
export async function packAll(folder: string): Promise<PackedPackage[]> {
  const build = ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']
  if (!isBuilt) await run('pnpm', build, { cwd: root })
  const all = await publicPackages()
  return Promise.all(all.map((each) => pack(each.folder, join(folder, `${basename(each.folder)}.tgz`))))
}

/** Packs a built package of ours, as a release would. */
export async function pack(source: string, tarball: string): Promise<PackedPackage> {
  await run('pnpm', ['pack', '--out', tarball], { cwd: source })
  const { stdout } = await run('tar', ['-xOzf', tarball, 'package/package.json'])
  return { manifest: JSON.parse(stdout), tarball }
}
