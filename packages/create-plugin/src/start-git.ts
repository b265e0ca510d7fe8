import { runProgram } from './run-program.ts'

/** How far the repository has come, with why it came no further; nobody fails for that. */
export interface GitStart {
  git: 'committed' | 'initialized' | 'none'
  note: string | null
}

/** Makes a git repository of a folder, with everything in it as the first commit. */
export async function startGit(folder: string, signal: AbortSignal): Promise<GitStart> {
  const git = (...words: string[]) => runProgram(['git', ...words], { cwd: folder, output: 'kept', signal })
  const inside = await git('rev-parse', '--is-inside-work-tree')
  if (inside.code === null) return { git: 'none', note: 'git is not installed, so there is no repository.' }
  if (inside.code === 0) return { git: 'none', note: 'The folder is part of a git repository already; none was made.' }
  const begun = await git('init', '--quiet', '--initial-branch', 'main')
  if (begun.code !== 0) return { git: 'none', note: `git init failed: ${begun.said.trim()}` }
  const added = await git('add', '--all')
  const committed = added.code === 0 ? await git('commit', '--quiet', '--message', 'A new Tillwright plugin') : added
  if (committed.code === 0) return { git: 'committed', note: null }
  const isNameless = /user\.(?:name|email)|identity|who you are/i.test(committed.said)
  const why = isNameless ? 'git does not know your name and address' : `git commit failed: ${committed.said.trim()}`
  return { git: 'initialized', note: `The first commit is yours to make, because ${why}.` }
}
