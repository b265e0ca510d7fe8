import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type PageOrigins, pagePolicy, type PageSecurity } from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import type { Plugin } from '../manifest/index.ts'
import { leadsOutside } from './outside-files.ts'
import { fileError, type Problem } from '../problem.ts'
import { inputName } from '../source-map.ts'
import type { BundleOptions } from './bundle.ts'
import type { BuildEntry } from './esbuild.ts'
import type { NamedOutput, PageOutputs } from './outputs.ts'
import type { PageToReport } from './report.ts'

/** Placeholders that never resolve. Source: RFC 6761 section 6.4. */
const unknownOrigins: PageOrigins = { apiUrl: 'https://api.invalid', vaultUrl: 'https://vault.invalid' }

/** A document to build: of one page in `direct-mode`, of all pages in `spa-mode`. */
interface DocumentToBuild {
  /** The path in the output. */
  path: string
  title: string
  /** Meta description, as search engines and link previews show it. */
  description: string | undefined
  /** A BCP 47 tag. */
  lang: string
  /** The path of the plugin's own document, if it has one, relative to the root. */
  source: string
  outputs: PageOutputs
  /** The ids of its pages. */
  pages: readonly string[]
  /** Third-party origins that they use. */
  security: PageSecurity
}

/** A document with what its pages load. */
export interface BuiltDocument {
  path: string
  html: string
  /** The plugin's own document as written, by its path from the root; if it was generated, the generated one again. */
  source: { file: string; text: string }
  pages: PageToReport[]
}

/**
 * Generates a document, or completes the plugin's own.
 *
 * @param named The outputs under their final names, by esbuild's paths.
 */
export async function buildDocument(
  root: string,
  document: DocumentToBuild,
  named: ReadonlyMap<string, NamedOutput>,
): Promise<BuiltDocument | Problem> {
  const { path, source, outputs } = document
  const at = (paths: readonly string[]) => paths.flatMap((each) => named.get(each) ?? []).toSorted(byPath)
  const [script, styles] = [at([outputs.script]), at(outputs.style === null ? [] : [outputs.style])]
  const [preloads, lazy] = [at(outputs.imports), at(outputs.lazy)]
  if (leadsOutside(root, source)) return linkedDocument(source)
  const own = await readFile(join(root, source), 'utf8').catch(() => null)
  const links = { styles, preloads, scripts: script }
  const html = own === null ? pageDocument(document, links) : completeDocument(own, links)
  if (html === null) return documentWithoutHead(source)
  const first = [...script, ...preloads, ...styles]
  const files = [...first, ...lazy]
  const page = {
    document: path,
    loads: [path, ...first.map((output) => output.path)],
    lazyFiles: lazy.map((output) => output.path),
    inputs: first.flatMap(({ built }) =>
      [...built.inputs].map(([input, bytes]) => ({ path: inputName(input), bytes })),
    ),
    csp: pagePolicy(unknownOrigins, inlineHashes(html), document.security),
    integrity: Object.fromEntries(files.map((output) => [output.path, output.integrity])),
  }
  const written = own === null ? { file: path, text: html } : { file: source, text: own }
  return { path, html, source: written, pages: document.pages.map((id) => ({ ...page, id })) }
}

function linkedDocument(file: string): Problem {
  return fileError(file, {
    code: 'link-outside',
    rule: 'A document must be in the plugin’s folder, but this link leads out of it.',
    fix: 'Replace the link with a copy of the file.',
  })
}

function byPath(a: NamedOutput, b: NamedOutput): number {
  return a.path < b.path ? -1 : 1
}

function documentWithoutHead(file: string): Problem {
  return fileError(file, {
    code: 'document-without-head',
    rule: 'A document must have a head for its scripts and styles.',
    fix: 'Add `<head></head>` to it.',
  })
}

/** A document and its entry module. */
export interface PlannedDocument extends Omit<DocumentToBuild, 'outputs'> {
  entry: BuildEntry
}

/** The options that determine the documents. */
export type PlannedPlugin = Pick<
  BundleOptions,
  'root' | 'mode' | 'name' | 'description' | 'pages' | 'lang' | 'security'
>

/** The documents of a plugin: one per page, or one for all. If entries do not exist, a problem for each. */
export function planDocuments(options: PlannedPlugin): PlannedDocument[] | Problem[] {
  const planned = options.mode === 'direct-mode' ? pageDocuments(options) : [applicationDocument(options)]
  const missing = planned.filter(({ entry }) => entry.module === '' || !existsSync(join(options.root, entry.module)))
  return missing.length === 0 ? planned : missing.map(missingEntry)
}

function pageDocuments({ pages, description, lang = 'en', security = {} }: PlannedPlugin): PlannedDocument[] {
  return pages.map(({ id, name, entry }) => ({
    entry: { name: id, module: entry },
    path: `pages/${id}.html`,
    title: name,
    description,
    lang,
    source: `src/pages/${id}.html`,
    pages: [id],
    security,
  }))
}

function applicationDocument({ pages, name, description, lang = 'en', security = {} }: PlannedPlugin): PlannedDocument {
  return {
    entry: { name: 'app', module: pages[0]?.entry ?? '' },
    path: 'index.html',
    title: name,
    description,
    lang,
    source: 'src/app.html',
    pages: pages.map(({ id }) => id),
    security,
  }
}

function missingEntry({ entry: { name, module } }: PlannedDocument): Problem {
  const rule = `The entry module of "${name}" must exist.`
  const said = { code: 'missing-entry', rule, fix: 'Create it, or name another entry.' }
  return fileError(module === '' ? 'plugin.manifest.json' : module, said)
}

/**
 * The document of a page as a build would generate it, but with the given scripts: for a server that bundles on
 * request.
 *
 * @param scripts The addresses of the scripts of an entry, which is relative to the plugin's folder.
 * @returns The document, or the errors that prevent it.
 */
export async function sourceDocument(
  { root, mode, pages, file }: Plugin,
  pageId: string,
  scripts: (entry: string) => readonly string[],
): Promise<{ html: string } | { problems: Problem[] }> {
  const planned = planDocuments({ root, mode, pages, name: file.name, description: file.description })
  const document = planned.find((each) => 'entry' in each && each.pages.includes(pageId))
  if (document === undefined || !('entry' in document)) return { problems: planned.filter((each) => 'code' in each) }
  const links = {
    styles: [],
    preloads: [],
    scripts: scripts(document.entry.module).map((path) => ({ path, integrity: null })),
  }
  const own = await readFile(join(root, document.source), 'utf8').catch(() => null)
  const html = own === null ? pageDocument(document, links) : completeDocument(own, links)
  return html === null ? { problems: [documentWithoutHead(document.source)] } : { html }
}

/** The files that a document loads. */
export interface DocumentLinks {
  styles: readonly LinkedFile[]
  /** Loaded together with the scripts that import them. */
  preloads: readonly LinkedFile[]
  scripts: readonly LinkedFile[]
}

export interface LinkedFile {
  path: string
  /** `sha384-...`; null for files that change while they are served. Source: Subresource Integrity. */
  integrity: string | null
}

/** Where the platform inserts the page's data: its session and configuration. */
export const DATA_MARKER = '<!--tillwright-data-->'

type GeneratedDocument = Pick<DocumentToBuild, 'title' | 'description' | 'lang'>

/**
 * The document of a page. Addresses are relative, because the platform adds a `<base>` with the plugin's location.
 * Nothing is inline, so it works under the strictest policy.
 */
function pageDocument({ title, description, lang }: GeneratedDocument, named: DocumentLinks): string {
  const about = description === undefined ? '' : `<meta name="description" content="${escaped(description)}">\n`
  return `<!doctype html>
<html lang="${escaped(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${about}${linkTags(named)}</head>
<body>
<div id="app"></div>
</body>
</html>
`
}

/**
 * Adds the same links to the plugin's own document, at the end of its head.
 *
 * @returns Null if it has no `</head>`.
 */
function completeDocument(html: string, named: DocumentLinks): string | null {
  const end = html.search(/<\/head\s*>/i)
  if (end === -1) return null
  const added = html.includes(DATA_MARKER) ? linkTags(named).replace(`${DATA_MARKER}\n`, '') : linkTags(named)
  return html.slice(0, end) + added + html.slice(end)
}

function linkTags({ styles, preloads, scripts }: DocumentLinks): string {
  return [
    ...styles.map((file) => `<link rel="stylesheet" ${attributes('href', file)}>`),
    ...preloads.map((file) => `<link rel="modulepreload" ${attributes('href', file)}>`),
    DATA_MARKER,
    ...scripts.map((file) => `<script type="module" ${attributes('src', file)}></script>`),
    '',
  ].join('\n')
}

function attributes(name: string, { path, integrity }: LinkedFile): string {
  const pinned = integrity === null ? '' : ` integrity="${integrity}" crossorigin`
  return `${name}="${escaped(encodeURI(path))}"${pinned}`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
