import { packageManagers, type Wanted } from './choices.ts'
import { Failed } from './failed.ts'
import { makeFiles } from './make-files.ts'
import { placeFiles } from './place-files.ts'
import { idOf } from './plugin-names.ts'
import { runProgram } from './run-program.ts'
import { startGit, type GitStart } from './start-git.ts'
import type { Templates } from './templates.ts'

/** What was made. */
export interface Created extends Omit<Wanted, 'install' | 'git'>, Pick<GitStart, 'git'> {
  pluginId: string
  /** Relative to the folder, with `/`. */
  files: string[]
  installed: boolean
  /** What did not come to be as wanted, without being a failure. */
  notes: string[]
}

/** What creating works with. */
export interface Means {
  templates: Templates
  /** The release that this is. */
  version: string
  /** Aborted by Ctrl-C: then nothing stays. */
  signal: AbortSignal
}

/**
 * Makes a plugin: its files, its packages, its repository.
 *
 * @throws {Failed} `conflict`, `interrupted`; `failed` where packages could not be installed, and then the files stay.
 */
export async function create(wanted: Wanted, { templates, version, signal }: Means): Promise<Created> {
  const { install, git: wantsGit, ...chosen } = wanted
  const { folder } = chosen
  const files = makeFiles(templates, { ...chosen, version })
  const placed = await placeFiles(folder, files)
  try {
    if (install && !signal.aborted) await installPackages(chosen, signal)
    const { git, note } = wantsGit && !signal.aborted ? await startGit(folder, signal) : nothingOfGit
    if (signal.aborted) throw new Failed('Interrupted. Nothing was left behind.', 'interrupted')
    const notes = note === null ? [] : [note]
    return { ...chosen, pluginId: idOf(chosen.name), files: Object.keys(files), installed: install, git, notes }
  } catch (error) {
    if (signal.aborted) await placed.remove()
    throw error
  }
}

const nothingOfGit: GitStart = { git: 'none', note: null }

/** In CI, Yarn would not write the lockfile that a new plugin does not have yet. */
const firstInstall = { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' }

async function installPackages({ folder, packageManager }: Omit<Wanted, 'install' | 'git'>, signal: AbortSignal) {
  const { install } = packageManagers[packageManager]
  const { code } = await runProgram(install.split(' '), { cwd: folder, output: 'shown', signal, env: firstInstall })
  if (code === 0) return
  if (signal.aborted) throw new Failed('Interrupted. Nothing was left behind.', 'interrupted')
  throw new Failed(`"${install}" failed. The plugin is in ${folder}: run that there again, when its reason is gone.`)
}
