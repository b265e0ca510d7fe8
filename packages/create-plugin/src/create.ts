import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { link, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve as absolute } from 'node:path'
import { idOf, packageManagers, type PluginChoices } from './choices.ts'
import { Failed } from './failure.ts'
import { type Files, makeFiles, type Templates } from './files.ts'

/** The result of `create`. */
export interface Created extends Omit<PluginChoices, 'install' | 'git'>, Pick<GitStart, 'git'> {
  pluginId: string
  /** Relative to the folder, with `/`. */
  files: string[]
  installed: boolean
  /** Steps that did not succeed, without being a failure. */
  notes: string[]
}

/** The context of `create`. */
export interface CreateContext {
  templates: Templates
  /** The release that this is. */
  version: string
  /** Aborted by Ctrl-C: then nothing stays. */
  signal: AbortSignal
}

/**
 * Makes a plugin: its files, its packages, its repository.
 *
 * @throws {Failed} `usage`, `conflict`, `interrupted`; `failed` where packages could not be installed, and then the files stay.
 */
export async function create(wanted: PluginChoices, { templates, version, signal }: CreateContext): Promise<Created> {
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

async function installPackages(
  { folder, packageManager }: Omit<PluginChoices, 'install' | 'git'>,
  signal: AbortSignal,
) {
  const { install } = packageManagers[packageManager]
  const { code } = await runProgram(install.split(' '), { cwd: folder, output: 'shown', signal, env: firstInstall })
  if (code === 0) return
  if (signal.aborted) throw new Failed('Interrupted. Nothing was left behind.', 'interrupted')
  throw new Failed(`"${install}" failed. The plugin is in ${folder}: run that there again, when its reason is gone.`)
}

/** The result of a program. The code is `null` if it could not be started or was ended by a signal. */
export interface ProgramResult {
  code: number | null
  /** Its output and errors, unless they were shown. */
  said: string
}

/** Where a program runs, and whether what it says is shown as it comes, on our standard error. */
export interface RunOptions {
  cwd: string
  output: 'shown' | 'kept'
  /** Ends it with SIGINT. */
  signal: AbortSignal
  /** Variables in addition to those of this process. */
  env?: Readonly<Record<string, string>>
}

/** Runs a program to its end, and also waits for that when it is interrupted: it may be writing. */
function runProgram(command: readonly string[], { cwd, output, signal, env }: RunOptions): Promise<ProgramResult> {
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const stdio = output === 'shown' ? (['ignore', 2, 2] as const) : (['ignore', 'pipe', 'pipe'] as const)
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: [...stdio],
      // Package managers are scripts on Windows; a shell there would take the words of a message apart.
      shell: process.platform === 'win32' && program !== 'git',
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (said += text.toString()))
    const interrupt = () => void child.kill('SIGINT')
    signal.addEventListener('abort', interrupt)
    const end = (code: number | null) => {
      signal.removeEventListener('abort', interrupt)
      resolve({ code, said })
    }
    child.on('error', () => end(null)).on('close', end)
  })
}

/** How far the repository was set up, and why not further; that is no failure. */
interface GitStart {
  git: 'committed' | 'initialized' | 'none'
  note: string | null
}

/** Makes a git repository of a folder, with everything in it as the first commit. */
async function startGit(folder: string, signal: AbortSignal): Promise<GitStart> {
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

/** Files that are in their place. */
export interface Placed {
  /** Removes everything that was not there before, including files that others have written since. */
  remove: () => Promise<void>
}

/**
 * Writes the files of a plugin into its folder, which need not exist. They are written aside and then moved, so that
 * there are all of them or none.
 *
 * @throws {Failed} `usage` for a path that the dev server could not serve; `conflict` where something would be written
 *   over: it names the files, and nothing is touched.
 */
async function placeFiles(folder: string, files: Files): Promise<Placed> {
  const target = absolute(folder)
  const [mark] = /[#?]/.exec(target) ?? []
  if (mark !== undefined)
    throw new Failed(
      `${target} has "${mark}" in its path, and Vite could not serve the pages: name another folder.`,
      'usage',
    )
  if ((await kindOf(target)) === 'nothing') return placeFolder(target, files)
  await refuseObstacles(target, folder, files)
  return placeInto(target, files)
}

async function placeFolder(target: string, files: Files): Promise<Placed> {
  const made = await mkdir(dirname(target), { recursive: true })
  const remove = () => rm(made ?? target, { recursive: true, force: true })
  // Not by mkdtemp, whose folders nobody else on the machine may read: this one stays.
  const aside = join(dirname(target), `.${basename(target)}-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(aside)
    await writeFiles(aside, files)
    await rename(aside, target)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    if (made !== undefined) await remove()
    throw error
  }
  return { remove }
}

/** In an existing folder each file is linked, which fails if the file has appeared meanwhile. */
async function placeInto(target: string, files: Files): Promise<Placed> {
  const before = new Set(await readdir(target))
  const made: string[] = []
  const aside = await mkdtemp(join(target, '.create-plugin-'))
  async function remove(): Promise<void> {
    for (const path of made.toReversed()) await rm(path, { recursive: true, force: true })
    const since = (await readdir(target)).filter((name) => !before.has(name))
    await Promise.all(since.map((name) => rm(join(target, name), { recursive: true, force: true })))
  }
  try {
    await writeFiles(aside, files)
    for (const path of Object.keys(files)) {
      const folder = await mkdir(dirname(join(target, path)), { recursive: true })
      if (folder !== undefined) made.push(folder)
      await link(join(aside, path), join(target, path))
      made.push(join(target, path))
    }
    await rm(aside, { recursive: true })
  } catch (error) {
    await remove()
    throw error
  }
  return { remove }
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function refuseObstacles(target: string, folder: string, files: Files): Promise<void> {
  if ((await kindOf(target)) !== 'folder') throw new Failed(`${folder} is a file: name a folder.`, 'conflict')
  const found = await Promise.all(Object.keys(files).map((path) => obstacleOn(target, path)))
  const obstacles = [...new Set(found.filter((path) => path !== null))]
  if (obstacles.length === 0) return
  const list = obstacles.map((path) => `  ${path}\n`).join('')
  throw new Failed(
    `${folder} has files that would be written over:\n${list}Name another folder, or move them. Nothing was written.`,
    'conflict',
  )
}

/** The obstacle for a file: the file itself, or a parent that is not a folder. */
async function obstacleOn(target: string, path: string): Promise<string | null> {
  const parts = path.split('/')
  for (let length = 1; length <= parts.length; length += 1) {
    const part = parts.slice(0, length).join('/')
    const kind = await kindOf(join(target, part))
    if (kind === 'nothing') return null
    if (kind === 'other' || length === parts.length) return part
  }
  return null
}

async function kindOf(path: string): Promise<'nothing' | 'folder' | 'other'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'nothing'
    throw error
  }
}
