import { link, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Failed } from './failure.ts'
import type { Files } from './files.ts'

/** Files that are in their place. */
export interface Placed {
  /** Removes everything that was not there before, including files that others have written since. */
  remove: () => Promise<void>
}

/**
 * Writes the files of a plugin into its folder, which need not exist. They are written aside and then moved, so that
 * there are all of them or none.
 *
 * @throws {Failed} `conflict` where something would be written over; it names the files, and nothing is touched.
 */
export async function placeFiles(folder: string, files: Files): Promise<Placed> {
  const target = resolve(folder)
  if ((await kindOf(target)) === 'nothing') return placeFolder(target, files)
  await refuseObstacles(target, folder, files)
  return placeInto(target, files)
}

async function placeFolder(target: string, files: Files): Promise<Placed> {
  const made = await mkdir(dirname(target), { recursive: true })
  const remove = () => rm(made ?? target, { recursive: true, force: true })
  const aside = await mkdtemp(join(dirname(target), `.${basename(target)}-`))
  try {
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
