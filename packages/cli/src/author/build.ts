import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import {
  buildPlugin,
  type BundleFile,
  type BundleReport,
  type PageReport,
  type Plugin,
  type Problem,
} from '@tillwright/plugin-build'
import { CommandFailed } from '../terminal/fail-with.ts'
import { answer, facts, type OutputOptions, showBytes, table } from '../terminal/output.ts'
import { dryRunOption, judge, pluginCommand, showProblems } from './plugin-command.ts'

interface BuildOptions extends OutputOptions {
  out: string
  dryRun?: boolean
}

const help = `
Validates the plugin, then bundles it. Exits with 3 if there is an error: in the manifest or a module, an exceeded budget, a
secret in the output, or a card field. The output folder is replaced as a whole, so nothing of an earlier build remains; a
folder that was not created by a build is left alone.

tillwright-build.json and --json contain the full report: what each page loads, its Content-Security-Policy, and the
integrity of its files.`

/** `tillwright build`. */
export const buildCommand = pluginCommand('build')
  .option('--out <folder>', "the output folder, relative to the plugin's folder", 'dist')
  .option(...dryRunOption)
  .addHelpText('after', help)
  .action((folder: string, options: BuildOptions) => answer(options, () => build(folder, options), showBuild))

async function build(folder: string, { out, dryRun = false }: BuildOptions): Promise<Built> {
  const { plugin, files, report, problems } = await buildPlugin(folder, { environment: process.env, target: null })
  if (judge(problems) && plugin !== null && !dryRun) {
    await writeBuild({ plugin, files, report }, resolve(plugin.root, out))
  }
  return { out, files: fileList(files), report, problems, dryRun }
}

/** The number of modules listed per page. */
const INPUTS_SHOWN = 3

/** A build's output for people: problems, what each page loads, and the output folder. */
function showBuild({ out, files, report, problems, dryRun }: Built): string {
  const problemLines = showProblems(problems)
  if (report === null) return problemLines
  const pages = table(['page', 'loads', 'brotli', 'later', 'heaviest'], report.pages.map(pageRow))
  return [
    problemLines,
    problemLines === '' ? '' : '\n',
    pages,
    '\n',
    facts(totals(report, { files: files.length, out, dryRun })),
  ].join('')
}

function pageRow({ id, bytes, brotliBytes, lazyFiles, biggestInputs }: PageReport): string[] {
  const heaviest = biggestInputs.slice(0, INPUTS_SHOWN).map(({ path, bytes: of }) => `${path} ${showBytes(of)}`)
  return [id, showBytes(bytes), showBytes(brotliBytes), `${lazyFiles.length} files`, heaviest.join(', ') || '-']
}

function totals(
  { publicBytes, publicBrotliBytes }: BundleReport,
  { files, out, dryRun }: Pick<Built, 'out' | 'dryRun'> & { files: number },
): [string, string][] {
  const all: [string, string] = ['public', `${showBytes(publicBytes)}, by brotli ${showBytes(publicBrotliBytes)}`]
  if (files === 0) return [all, ['written', 'nothing, because of errors']]
  return [all, ['files', String(files)], [dryRun ? 'would write' : 'written', out]]
}

/** The result of a build command. */
interface Built {
  /** Relative to the plugin's folder, as passed by the user. */
  out: string
  /** Empty if one of the problems is an error; nothing was written in that case. */
  files: ListedFile[]
  /** Null if a module could not be built. */
  report: BundleReport | null
  problems: Problem[]
  dryRun: boolean
}

/** A file in every output folder that identifies it as such and lists its contents. */
const MARK = 'tillwright-build.json'

/** A file of a build without its content. */
type ListedFile = Omit<BundleFile, 'bytes'> & { size: number }

/** A completed build, ready to be written. */
export interface FinishedBuild {
  plugin: Plugin
  files: readonly BundleFile[]
  report: BundleReport | null
}

/** The listed files of a build. */
function fileList(files: readonly BundleFile[]): ListedFile[] {
  return files.map(({ bytes, ...file }) => ({ ...file, size: bytes.length }))
}

/**
 * Writes a build into a folder, replacing the previous build as a whole. It is written next to it and renamed, so
 * readers see a complete build or, for a moment, nothing. The same build gives the same bytes.
 *
 * @param out Absolute path.
 * @throws {CommandFailed} If the folder was not created by a build, or is the plugin itself or its public folder.
 */
async function writeBuild(finished: FinishedBuild, out: string): Promise<void> {
  await mkdir(dirname(out), { recursive: true })
  const target = join(await realpath(dirname(out)), basename(out))
  refuseOwn(finished.plugin, target)
  const isThere = await isOurs(target)
  const [draft, former] = [`${target}.${process.pid}.new`, `${target}.${process.pid}.old`]
  try {
    await writeFiles(finished, draft)
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

/** Refuses the public folder as output: the next build would take its contents for the plugin's own files. */
function refuseOwn({ root, publicFolder }: Plugin, target: string): void {
  const folder = publicFolder === null ? null : join(root, publicFolder)
  if (isWithin(root, target) || (folder !== null && isWithin(target, folder))) {
    throw new CommandFailed(`--out: ${target} contains the plugin's own files; choose another folder.`, 'usage')
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Whether the folder is a previous build, which may be replaced, or empty. */
async function isOurs(target: string): Promise<boolean> {
  const stats = await lstat(target).catch(() => null)
  if (stats === null) return false
  const names = stats.isDirectory() ? await readdir(target) : null
  if (names?.length === 0 || names?.includes(MARK) === true) return true
  throw new CommandFailed(
    `${target} was not created by a build and was left unchanged; choose another folder with --out, or delete it.`,
    'conflict',
  )
}
