import { checkGates, type GatedText } from '../gates/index.ts'
import { fileError, type Problem } from '../problem.ts'
import { type Bundle, bundledFile, type BundleFile, type BundleOptions } from './bundle.ts'
import { buildDocument, type BuiltDocument, planDocuments, type PlannedDocument } from './documents.ts'
import { type BuildEnvironment, checkNeeded, checkVariables, readEnvironment, readJsxRuntime } from './environment.ts'
import { buildModules, type BuiltModules } from './modules.ts'
import { type NamedOutput, nameOutputs, pageOutputs } from './outputs.ts'
import { type PublicFolder, readPublicFolder } from './public-folder.ts'
import { checkBudgets, measureFiles, reportBundle } from './report.ts'
import { checkStyles } from './styles.ts'

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
  const environment = await readEnvironment(root, options.environment)
  if (environment.problems.length > 0) return failed(environment.problems)
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
    ...checkStyles(maps),
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
    ...bad.map(({ file }) =>
      fileError(file, { code: 'file-name', rule: 'A file name must be valid on every system.', fix: rename }),
    ),
    ...twice.map(({ file, path }) =>
      fileError(file, { code: 'same-name', rule: `Two files would be deployed as "${path}".`, fix: rename }),
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
