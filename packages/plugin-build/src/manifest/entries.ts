import type { PluginFile } from '@tillwright/contract'
import {
  atKey,
  atValue,
  type Complaint,
  type Finding,
  type JsonDocument,
  type JsonPath,
  type Kind,
  kindOf,
} from '../json/index.ts'

/** A page with its entry module. */
export interface PageEntry {
  id: string
  path: string
  /** The name in the dashboard; the id by default. */
  name: string
  isDefault: boolean
  /** Relative to the plugin's folder. In spa-mode the application's, the same for each page. */
  entry: string
}

/** The extensions of modules, in order of preference. */
const EXTENSIONS = ['.tsx', '.ts', '.jsx', '.js']

/** The plugin's folder, its manifest as written, and as parsed. */
export interface EntrySource {
  root: string
  document: JsonDocument
  file: PluginFile
}

/** Finds the entry module of each page; a missing one is a finding. */
export async function findEntries(source: EntrySource): Promise<{ pages: PageEntry[]; findings: Finding[] }> {
  const { file } = source
  const marked = file.pages.findIndex(({ isDefault }) => isDefault === true)
  const found = file.mode === 'spa-mode' ? await entryOfApp(source) : await entriesOfPages(source)
  const pages = file.pages.map(({ id, path, name = id }, index) => {
    return { id, path, name, isDefault: index === Math.max(marked, 0), entry: found.entries[index] ?? '' }
  })
  return { pages, findings: found.findings }
}

interface Found {
  entries: readonly string[]
  findings: Finding[]
}

async function entryOfApp({ root, document, file }: EntrySource): Promise<Found> {
  const { entry, findings } = await findEntry({ root, document, path: [], given: file.entry, usual: 'src/app' })
  const unused = file.pages.flatMap((page, index) =>
    page.entry === undefined ? [] : [atKey(document, ['pages', index, 'entry'], unusedEntry('direct-mode'))],
  )
  return { entries: file.pages.map(() => entry), findings: [...findings, ...unused] }
}

async function entriesOfPages({ root, document, file }: EntrySource): Promise<Found> {
  const found = await Promise.all(
    file.pages.map(async ({ id, entry }, index) =>
      findEntry({ root, document, path: ['pages', index], given: entry, usual: `src/pages/${id}` }),
    ),
  )
  const unused = file.entry === undefined ? [] : [atKey(document, ['entry'], unusedEntry('spa-mode'))]
  return {
    entries: found.map(({ entry }) => entry),
    findings: [...found.flatMap(({ findings }) => findings), ...unused],
  }
}

interface Search {
  root: string
  document: JsonDocument
  /** The path of the page, or the application, in the manifest. */
  path: JsonPath
  given: string | undefined
  /** The default path of the entry, without its extension. */
  usual: string
}

async function findEntry({
  root,
  document,
  path,
  given,
  usual,
}: Search): Promise<{ entry: string; findings: Finding[] }> {
  if (given !== undefined) {
    const findings = await checkGiven({ root, document, path, given })
    return { entry: given, findings }
  }
  for (const extension of EXTENSIONS) {
    if ((await kindOf(root, usual + extension)) === 'file') return { entry: usual + extension, findings: [] }
  }
  const place =
    path.length === 0 ? atValue(document, ['mode'], noUsual(usual)) : atValue(document, [...path, 'id'], noUsual(usual))
  return { entry: '', findings: [place] }
}

async function checkGiven({
  root,
  document,
  path,
  given,
}: Omit<Search, 'usual'> & { given: string }): Promise<Finding[]> {
  const kind = await kindOf(root, given)
  const isModule = EXTENSIONS.some((extension) => given.endsWith(extension))
  if (kind === 'file' && isModule) return []
  return [atValue(document, [...path, 'entry'], kind === 'file' ? noModule(given) : notThere(given, kind))]
}

function noUsual(usual: string): Complaint {
  return {
    code: 'entry-missing',
    rule: `The module ${usual} must exist, with the extension ${EXTENSIONS.join(', ')}.`,
    fix: `Create ${usual}${EXTENSIONS[0]}, or name another module as "entry".`,
  }
}

function notThere(given: string, kind: Kind): Complaint {
  const why = kind === 'outside' ? 'it is a link that leads out of the plugin’s folder' : 'there is no such file'
  return {
    code: 'entry-missing',
    rule: `${given} must be a file, but ${why}.`,
    fix: 'Create the file, or correct "entry".',
  }
}

function noModule(given: string): Complaint {
  return {
    code: 'entry-invalid',
    rule: `${given} must be a module: a file with the extension ${EXTENSIONS.join(', ')}.`,
    fix: 'Name the entry module of the page.',
  }
}

function unusedEntry(mode: string): Complaint {
  return {
    code: 'entry-unused',
    severity: 'warning',
    rule: `Here, "entry" has an effect in ${mode} only.`,
    fix: `Remove it, or write "mode": "${mode}".`,
  }
}
