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
 * The commit of a folder.
 *
 * @returns `null` outside of a repository, before the first commit, and on a machine without Git.
 */
export async function gitSource(folder: string): Promise<GitSource | null> {
  try {
    const [log, branch, changes] = await Promise.all([
      git(folder, 'log', '-1', '--format=%H%n%s'),
      git(folder, 'branch', '--show-current'),
      git(folder, 'status', '--porcelain', '--', '.'),
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

async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args], { timeout: GIT_TIMEOUT_MS })
  return stdout
}
