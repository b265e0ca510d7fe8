import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The commit that a deployment was built from, as its `sourceData` says it. */
export type GitSource = {
  commit: string
  /** `null` where no branch is checked out, as in many CI systems. */
  branch: string | null
  /** The first line of the commit's message. */
  message: string
  /** Whether files of the plugin differ from the commit. */
  modified: boolean
}

/** How long Git may take: it is asked before a deployment, which does not wait for a slow disk. */
const GIT_TIMEOUT_MS = 10_000
/** `sourceData` is for people to read. */
const MESSAGE_MAX_CHARS = 200

/**
 * The commit of a folder. The repository may be somebody else's: none of its hooks, filters and other programs is run.
 *
 * @returns `null` outside of a repository, before the first commit, on a machine without Git, and where the repository
 *   itself names filters, which Git runs to compare files.
 */
export async function gitSource(folder: string): Promise<GitSource | null> {
  try {
    if (await namesFilters(folder)) return null
    const [log, branch, changes] = await Promise.all([
      git(folder, 'log', '-1', '--no-show-signature', '--format=%H%n%s'),
      git(folder, 'branch', '--show-current'),
      git(folder, 'status', '--porcelain', '--ignore-submodules=dirty', '--', '.'),
    ])
    const [commit = '', message = ''] = log.split('\n')
    // Node takes one that ends at the moment of its time-out for one that said nothing.
    if (commit === '') return null
    return {
      commit,
      branch: branch.trim() || null,
      message: message.slice(0, MESSAGE_MAX_CHARS),
      modified: changes.trim() !== '',
    }
  } catch {
    // Where a deployment comes from is good to know, and no condition of it.
    return null
  }
}

/** Filters of the user's own settings, such as Git LFS, are the user's. */
async function namesFilters(folder: string): Promise<boolean> {
  const found = await git(folder, 'config', '--show-scope', '--get-regexp', '^filter\\.').catch((error: unknown) => {
    if (Object(error).code === 1) return '' // there are none
    throw error
  })
  return /^(?:local|worktree)\t/m.test(found)
}

/** No monitor of files is asked, no index is written, behind which a hook would run, and nothing is fetched. */
async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const safely = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-C', folder]
  const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'none' }
  const { stdout } = await promisify(execFile)('git', [...safely, ...args], { timeout: GIT_TIMEOUT_MS, env })
  return stdout
}
