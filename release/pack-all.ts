import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isBuilt } from '../.ci/is-built.ts'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../packages')

/** A package as a release would have it. */
export interface PackedPackage {
  /** Its `package.json` as it is in the archive. */
  manifest: { name: string; version: string }
  /** The path of the archive. */
  tarball: string
}

/** Builds and packs every package of ours into a folder. */
export async function packAll(folder: string): Promise<PackedPackage[]> {
  const build = ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']
  if (!isBuilt) await run('pnpm', build, { cwd: packages })
  const names = await readdir(packages)
  return Promise.all(names.map((name) => pack(join(packages, name), join(folder, `${name}.tgz`))))
}

/** Packs a built package of ours, as a release would. */
export async function pack(source: string, tarball: string): Promise<PackedPackage> {
  await run('pnpm', ['pack', '--out', tarball], { cwd: source })
  const { stdout } = await run('tar', ['-xOzf', tarball, 'package/package.json'])
  return { manifest: JSON.parse(stdout), tarball }
}
