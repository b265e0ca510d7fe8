import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { BundleFile, BundleReport, Plugin } from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'

/** What lies in a folder that a build has made, with a list of all that is in it. */
const MARK = 'tillwright-build.json'

/** A file of a build without its bytes. */
export type ListedFile = Omit<BundleFile, 'bytes'> & { size: number }

/** What a build has brought. */
export interface FinishedBuild {
  plugin: Plugin
  files: readonly BundleFile[]
  report: BundleReport | null
}

/** The files of a build as they are listed. */
export function fileList(files: readonly BundleFile[]): ListedFile[] {
  return files.map(({ bytes, ...file }) => ({ ...file, size: bytes.length }))
}

/**
 * Writes a build into a folder, in place of the former build as a whole. It is written beside and renamed: whoever looks
 * finds all of one build, or for a moment nothing. The same build gives the same bytes.
 *
 * @param out Absolute.
 * @throws {CommandFailed} When what is there was not made by a build, or the plugin itself or its public folder is meant.
 */
export async function writeBuild(build: FinishedBuild, out: string): Promise<void> {
  await mkdir(dirname(out), { recursive: true })
  const target = join(await realpath(dirname(out)), basename(out))
  refuseOwn(build.plugin, target)
  const isThere = await isOurs(target)
  const [draft, former] = [`${target}.${process.pid}.new`, `${target}.${process.pid}.old`]
  try {
    await writeFiles(build, draft)
    if (isThere) await rename(target, former)
    await rename(draft, target)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  await rm(former, { recursive: true, force: true })
}

async function writeFiles({ plugin, files, report }: FinishedBuild, folder: string): Promise<void> {
  const { pluginId, version } = plugin.file
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))))
  await Promise.all([folder, ...folders].map(async (path) => mkdir(path, { recursive: true })))
  for (const { path, bytes } of files) await writeFile(join(folder, path), bytes, { flag: 'wx' })
  const list = { pluginId, version, files: fileList(files), report }
  await writeFile(join(folder, MARK), `${JSON.stringify(list, null, 2)}\n`, { flag: 'wx' })
}

/** What lies in the public folder would be taken for the plugin's own by the next build. */
function refuseOwn({ root, publicFolder }: Plugin, target: string): void {
  const folder = publicFolder === null ? null : join(root, publicFolder)
  if (isWithin(root, target) || (folder !== null && isWithin(target, folder))) {
    throw new CommandFailed(`--out: ${target} holds files of the plugin itself; name another folder.`, 'usage')
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Whether a build is there that may be replaced; an empty folder may be as well. */
async function isOurs(target: string): Promise<boolean> {
  const stats = await lstat(target).catch(() => null)
  if (stats === null) return false
  const names = stats.isDirectory() ? await readdir(target) : null
  if (names?.length === 0 || names?.includes(MARK) === true) return true
  throw new CommandFailed(
    `${target} was not made by a build and was left as it is; name another folder with --out, or delete it.`,
    'conflict',
  )
}
