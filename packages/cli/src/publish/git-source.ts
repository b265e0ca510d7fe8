import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Risk } from '@tillwright/plugin-publish'

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

/**
 * The risk that publishing a folder undoes what somebody else has published: the active deployment was made from a commit that
 * the folder's history does not have, such as that of a colleague, or of a newer checkout.
 *
 * @param sourceData Of the active deployment.
 * @returns None where the history is not known: outside of a repository, and in a shallow clone, as CI systems make it.
 */
export async function undoneCommit(
  folder: string,
  sourceData: Readonly<Record<string, unknown>> | null,
): Promise<Risk[]> {
  const { commit, message } = sourceData ?? {}
  // It comes from whoever has deployed, and is handed to a program.
  if (typeof commit !== 'string' || !/^[0-9a-f]{40,64}$/.test(commit)) return []
  if ((await hasCommit(folder, commit)) !== false) return []
  const said = typeof message === 'string' ? message.replaceAll(/\p{Cc}/gu, '').slice(0, MESSAGE_MAX_CHARS) : ''
  const words = said === '' ? '' : `, "${said}"`
  return [
    {
      code: 'commit_missing',
      message: `The active version was made from commit ${commit.slice(0, 8)}${words}, which this folder's history does not have: what it has changed is undone. Pull it first, unless that is meant.`,
    },
  ]
}

async function hasCommit(folder: string, commit: string): Promise<boolean | null> {
  try {
    const isShallow = (await git(folder, 'rev-parse', '--is-shallow-repository')).trim() === 'true'
    const head = await git(folder, 'rev-parse', '--verify', 'HEAD')
    if (isShallow || head === '') return null
  } catch {
    return null
  }
  return git(folder, 'merge-base', '--is-ancestor', commit, 'HEAD').then(
    () => true,
    () => false,
  )
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
