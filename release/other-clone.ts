import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, utimes } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { PublicPackage } from '../.ci/public-packages.ts'
import { root } from '../.ci/spawn-program.ts'

const run = promisify(execFile)

/** The time of every file there: long ago, and the same for all. */
const MODIFIED_S = 1_000_000_000

/**
 * Makes another working tree with the files of this one and nothing that was built, as a clone elsewhere has them at
 * another time, and installs what the packages need. It is on the disk of this one, where an install links files.
 *
 * @param packages The packages to build.
 * @returns Its folder, which the caller removes.
 */
export async function otherClone(packages: readonly PublicPackage[] | 'all'): Promise<string> {
  await mkdir(join(root, '.cache'), { recursive: true })
  const clone = await mkdtemp(join(root, '.cache/clone-'))
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 16_000_000 })
  for (const file of stdout.split('\n').filter(Boolean)) await copy(file, clone)
  const install = ['install', '--prefer-offline', '--frozen-lockfile', '--ignore-scripts', '--loglevel=error']
  const filters = packages === 'all' ? [] : packages.flatMap(({ name }) => ['--filter', name])
  await run('pnpm', [...install, ...filters], { cwd: clone })
  return clone
}

/** A file that has been deleted and not committed is in the list as well. */
async function copy(file: string, clone: string): Promise<void> {
  try {
    await cp(join(root, file), join(clone, file), { recursive: true, verbatimSymlinks: true })
    await utimes(join(clone, file), MODIFIED_S, MODIFIED_S)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // what `fs` throws has a code
  }
}

/** Builds packages in the clone: those whose build reads no other, one by one, or all of them in their order. */
export async function buildThere(clone: string, packages: readonly PublicPackage[] | 'all'): Promise<void> {
  const env = { ...process.env, PATH: `${join(clone, 'node_modules/.bin')}:${process.env['PATH']}` }
  if (packages === 'all') {
    await run('turbo', ['run', 'build', '--force', '--output-logs=errors-only', `--cwd=${clone}`], { cwd: clone, env })
    return
  }
  for (const { folder } of packages) {
    const cwd = join(clone, relative(root, folder))
    const { scripts } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'))
    await run('sh', ['-c', scripts.build], { cwd, env })
  }
}
