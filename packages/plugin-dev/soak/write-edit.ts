import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Way } from './choose-edit.ts'
import type { Files } from './files-of.ts'

/** An edit of files: their content before and after. */
export interface FilesEdit {
  before: Files
  after: Files
  how: Way
  /** Between two writes of the same file. */
  gapMs: number
}

/** The files that differ, in the order in which they are written. */
export function changedPaths({ before, after }: Pick<FilesEdit, 'before' | 'after'>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths].filter((path) => before[path] !== after[path])
}

/** Writes into a folder what has changed. */
export async function writeEdit(root: string, edit: FilesEdit): Promise<void> {
  const { after, how } = edit
  const paths = changedPaths(edit)
  if (how === 'twice') {
    for (const path of paths) await put(root, path, edit.before[path])
    await delay(edit.gapMs)
  }
  if (how === 'deleted first') await Promise.all(paths.map((path) => rm(join(root, path), { force: true })))
  const write = how === 'moved' ? putAside : put
  if (how === 'at once') await Promise.all(paths.map((path) => write(root, path, after[path])))
  else for (const path of paths) await write(root, path, after[path])
}

async function put(root: string, path: string, text: string | undefined): Promise<void> {
  const file = join(root, path)
  if (text === undefined) return rm(file, { force: true })
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

/** Writes a temporary file and renames it. */
async function putAside(root: string, path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return put(root, path, text)
  await put(root, `${path}~`, text)
  await rename(join(root, `${path}~`), join(root, path))
}
