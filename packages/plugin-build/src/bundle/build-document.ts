import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pagePolicy, type PageOrigins, type PageSecurity } from '@tillwright/contract'
import { inlineHashes } from '@tillwright/contract/inline-hashes'
import type { Problem } from '../problem.ts'
import { inputName } from './input-name.ts'
import { leadsOutside } from './outside-files.ts'
import type { NamedOutput } from './name-outputs.ts'
import { completeDocument, pageDocument } from './page-document.ts'
import type { PageOutputs } from './page-outputs.ts'
import type { PageToReport } from './report-bundle.ts'

/** Names that are sure to be nobody's. Source: RFC 6761 section 6.4. */
const unknownOrigins: PageOrigins = { apiUrl: 'https://api.invalid', vaultUrl: 'https://vault.invalid' }

/** A document to be made: of one page in `direct-mode`, of all in `spa-mode`. */
export interface DocumentToBuild {
  /** Of the output. */
  path: string
  title: string
  /** BCP 47. */
  lang: string
  /** Where the plugin may have one of its own, relative to the root. */
  source: string
  outputs: PageOutputs
  /** The ids of its pages. */
  pages: readonly string[]
  /** The origins of others that they work with. */
  security: PageSecurity
}

/** A document, with what its pages load. */
export interface BuiltDocument {
  path: string
  html: string
  /** The plugin's own document as it was written, by its path from the root; the whole again if it was made here. */
  source: { file: string; text: string }
  pages: PageToReport[]
}

/**
 * Makes a document, or completes the one that the plugin brings.
 *
 * @param named The outputs under their own names, by the paths that esbuild gave.
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
  if (html === null) return headless(source)
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
  return {
    code: 'link-outside',
    severity: 'error',
    file,
    line: 1,
    column: 1,
    pointer: null,
    rule: 'A document must lie in the plugin’s folder; this is a link that leads out of it.',
    fix: 'Put a copy of what it stands for in its place.',
  }
}

function byPath(a: NamedOutput, b: NamedOutput): number {
  return a.path < b.path ? -1 : 1
}

/** What is said of a document without a head. */
export function headless(file: string): Problem {
  return {
    code: 'document-without-head',
    severity: 'error',
    file,
    line: 1,
    column: 1,
    pointer: null,
    rule: 'A document must have a head, in which its scripts and styles are named.',
    fix: 'Add `<head></head>` to it.',
  }
}
