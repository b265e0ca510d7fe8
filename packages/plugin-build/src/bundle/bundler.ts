import { readdir, readFile, realpath } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { checkGates, type GatedText } from '../gates/index.ts'
import type { Problem } from '../problem.ts'
import { type Bundle, bundledFile, type BundleFile, type BundleOptions } from './bundle.ts'
import { buildDocument, type BuiltDocument, planDocuments, type PlannedDocument } from './documents.ts'
import { type BuildEnvironment, checkNeeded, checkVariables, readEnvironment, readJsxRuntime } from './environment.ts'
import { buildModules, type BuiltModules } from './modules.ts'
import { type NamedOutput, nameOutputs, pageOutputs } from './outputs.ts'
import { checkBudgets, measureFiles, reportBundle } from './report.ts'

/**
 * Bundles a plugin's folder into the files of its deployment: a document per page, scripts and styles named by content,
 * separate source maps, and the public folder. Reproducible: the same plugin gives the same bytes on every machine.
 * Everything stays in memory.
 *
 * @returns No files if one of the problems is an error.
 */
export async function bundlePlugin(options: BundleOptions): Promise<Bundle> {
  const { root, publicFolder } = options
  const planned = planDocuments(options)
  if (!arePlans(planned)) return failed(planned)
  const environment = readEnvironment(root, options.environment)
  const missing = checkNeeded(options.neededVariables, environment.shown)
  if (missing.length > 0) return failed(missing)
  const entries = planned.map(({ entry }) => entry)
  const [built, asIs] = await Promise.all([
    buildModules({ root, entries, variables: environment.shown, jsx: readJsxRuntime(root) }),
    readPublicFolder(root, publicFolder),
  ])
  if (!('outputs' in built)) return failed(built)
  const made = await makeDocuments(root, planned, built)
  const parts = { ...made, environment, asIs, publicFolder }
  const files = filesOf(parts)
  const sizes = measureFiles(files.filter(({ isPublic }) => isPublic))
  const report = reportBundle(
    made.documents.flatMap(({ pages }) => pages),
    sizes,
  )
  const problems = [...built.problems, ...made.problems, ...asIs.problems, ...check(parts, options)]
  problems.push(...checkBudgets(report, options.budgets))
  return { files: problems.some(isError) ? [] : files, report, problems }
}

interface Parts {
  documents: BuiltDocument[]
  outputs: NamedOutput[]
  environment: BuildEnvironment
  asIs: PublicFolder
  publicFolder: string | null
}

async function makeDocuments(root: string, planned: readonly PlannedDocument[], built: BuiltModules) {
  const toBuild = planned.map((document) => ({ ...document, outputs: pageOutputs(built.outputs, document.entry) }))
  const named = nameOutputs(
    built,
    toBuild.map(({ outputs }) => outputs),
  )
  const results = await Promise.all(toBuild.map((document) => buildDocument(root, document, named)))
  return {
    outputs: [...named.values()],
    documents: results.filter((result) => 'html' in result),
    problems: results.filter((result) => 'code' in result),
  }
}

function filesOf({ documents, outputs, asIs }: Parts): BundleFile[] {
  const files = [
    ...documents.map(({ path, html }) => bundledFile(path, Buffer.from(html))),
    ...outputs.map(({ path, bytes }) => bundledFile(path, bytes)),
    ...outputs.flatMap(({ path, map }) =>
      map === null ? [] : bundledFile(`${path}.map`, Buffer.from(JSON.stringify(map))),
    ),
    ...asIs.files.map(({ path, bytes }) => bundledFile(path, bytes)),
  ]
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function check({ documents, outputs, environment, asIs, publicFolder }: Parts, { target }: BundleOptions): Problem[] {
  const copied = asIs.files.map(({ path, bytes }) => ({ path, bytes, file: `${publicFolder}/${path}` }))
  const texts: GatedText[] = [
    ...documents.map(({ source }) => ({ ...source, map: null })),
    ...outputs.flatMap(({ path, text, map }) => (text === null ? [] : { file: path, text, map })),
    ...copied
      .filter(({ bytes }) => !bytes.includes(0))
      .map(({ file, bytes }) => ({ file, text: Buffer.from(bytes).toString(), map: null })),
  ]
  const names = [
    ...documents.map(({ path, source }) => ({ path, file: source.file })),
    ...outputs.map(({ path }) => ({ path, file: path })),
    ...copied,
  ]
  const maps = outputs.flatMap(({ map }) => map ?? [])
  return [
    ...checkNames(names),
    ...checkGates(texts, { hidden: environment.hidden, target }),
    ...checkVariables(maps, environment.shown),
  ]
}

function arePlans(planned: PlannedDocument[] | Problem[]): planned is PlannedDocument[] {
  return planned.every((each) => 'entry' in each)
}

function isError({ severity }: Problem): boolean {
  return severity === 'error'
}

function failed(problems: Problem[]): Bundle {
  return { files: [], report: null, problems }
}

/** The files that are deployed unchanged. */
interface PublicFolder {
  files: { path: string; bytes: Uint8Array }[]
  /** Errors about files that cannot be deployed. */
  problems: Problem[]
}

/** Files that operating systems create in folders. */
const litter = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/** Reads a folder of the plugin recursively; empty if it does not exist. */
export async function readPublicFolder(root: string, folder: string | null): Promise<PublicFolder> {
  if (folder === null) return { files: [], problems: [] }
  const base = join(root, folder)
  const names = await namesBelow(base, '')
  const home = await realpath(root)
  const read = await Promise.all(names.map((path) => readPublicFile(base, path, home)))
  return {
    files: read.flatMap((each, index) => (each instanceof Uint8Array ? { path: names[index] ?? '', bytes: each } : [])),
    problems: read.flatMap((each, index) =>
      each instanceof Uint8Array ? [] : unreadableFile(`${folder}/${names[index] ?? ''}`, each),
    ),
  }
}

/** The paths of all files below a folder. Links to folders are not followed, because they may be circular. */
async function namesBelow(base: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter(({ name }) => !litter.has(name))
    .map((entry) => {
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? namesBelow(base, path) : Promise.resolve([path])
    })
  return (await Promise.all(names)).flat()
}

/** Its content, or the code of the problem with it. */
async function readPublicFile(
  base: string,
  path: string,
  home: string,
): Promise<Uint8Array | 'link-outside' | 'unreadable-file'> {
  const real = await realpath(join(base, path)).catch(() => null)
  if (real !== null && !real.startsWith(home + sep)) return 'link-outside'
  return real === null ? 'unreadable-file' : readFile(real).catch(() => 'unreadable-file' as const)
}

function unreadableFile(file: string, code: 'link-outside' | 'unreadable-file'): Problem {
  const rule =
    code === 'link-outside'
      ? 'A public file must be in the plugin’s folder, but this link leads out of it.'
      : 'A public file must be a readable file.'
  const fix = 'Replace the link with a copy of the file.'
  return { code, severity: 'error', file, line: 1, column: 1, pointer: null, rule, fix }
}

/**
 * A name valid on every system and in every URL: no Windows device, no leading or trailing space, no trailing dot. As
 * strict as the API's schemas, which would take longer to load than most plugins take to build.
 */
const goodName = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))(?! )[^\\<>:"|?*#%\p{Cc}]*[^\\<>:"|?*#%\p{Cc}. ]$/iu

/**
 * Errors for names that a deployment refuses: those that some systems do not allow, and duplicates on case-insensitive
 * systems.
 *
 * @param files By the path they are deployed under, with the source to report.
 */
function checkNames(files: readonly { path: string; file: string }[]): Problem[] {
  const bad = files.filter(({ path }) => !isGoodPath(path))
  const groups = Map.groupBy(files, ({ path }) => path.normalize('NFC').toLowerCase())
  const twice = [...groups.values()].flatMap((group) => group.slice(1))
  return [
    ...bad.map(({ file }) => nameProblem('file-name', file, ['A file name must be valid on every system.', rename])),
    ...twice.map(({ file, path }) =>
      nameProblem('same-name', file, [`Two files would be deployed as "${path}".`, rename]),
    ),
  ]
}

/** Whether a file can be deployed under a path. */
export function isGoodPath(path: string): boolean {
  return path.length <= PATH_MAX_CHARS && path.split('/').every((name) => goodName.test(name))
}

/** The same limit as in the API. */
const PATH_MAX_CHARS = 512

const rename = 'Rename the file; letters, digits, ".", "_" and "-" are always valid.'

function nameProblem(code: string, file: string, [rule, fix]: [string, string]): Problem {
  return { code, severity: 'error', file, line: 1, column: 1, pointer: null, rule, fix }
}
