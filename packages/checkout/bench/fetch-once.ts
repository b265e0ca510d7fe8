import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** The parts of a contender: npm packages and, if these lack the frame, the published source. */
export interface Ingredients {
  /** The folder's name, with the versions that make it another folder. */
  name: string
  /** Exact versions. */
  packages: Readonly<Record<string, string>>
  source?: { repository: string; commit: string }
}

const cache = resolve(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tillwright')
const run = promisify(execFile)

/**
 * Fetches what a contender is made of into the user's cache, once; nothing of it is executed by the installation, and
 * nothing becomes a dependency of ours.
 *
 * @returns A folder with `node_modules` and, where asked for, `source`.
 * @throws {Error} Says what could not be reached; a half-finished try never counts.
 */
export async function fetchOnce({ name, packages, source }: Ingredients): Promise<string> {
  const folder = join(cache, `bench-${name}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  try {
    await mkdir(unfinished, { recursive: true })
    await writeFile(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies: packages }))
    const flags = ['--ignore-scripts', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    await run('npm', ['install', ...flags], { cwd: unfinished })
    if (source) await checkOut(source, join(unfinished, 'source'))
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw new Error(
      `${name} could not be fetched (${reason(error)}): npm's registry and GitHub must be reachable once.`,
      {
        cause: error,
      },
    )
  }
  return folder
}

/** The last thing that npm or git said. */
function reason(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return said.split('\n').at(-1) || String(error)
}

async function checkOut({ repository, commit }: { repository: string; commit: string }, folder: string): Promise<void> {
  await run('git', ['init', '--quiet', folder])
  await run('git', ['-C', folder, 'fetch', '--quiet', '--depth', '1', repository, commit])
  await run('git', ['-C', folder, 'checkout', '--quiet', 'FETCH_HEAD'])
}
