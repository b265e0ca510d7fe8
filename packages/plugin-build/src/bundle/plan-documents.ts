import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../problem.ts'
import type { DocumentToBuild } from './build-document.ts'
import type { BundleOptions } from './bundle-options.ts'
import type { BuildEntry } from './run-esbuild.ts'

/** A document and the module that it begins with. */
export interface PlannedDocument extends Omit<DocumentToBuild, 'outputs'> {
  entry: BuildEntry
}

/** What documents are planned from. */
export type PlannedPlugin = Pick<BundleOptions, 'root' | 'mode' | 'name' | 'pages' | 'lang' | 'security'>

/** The documents of a plugin: one for each page, or one for all. Or the entries that do not exist. */
export function planDocuments(options: PlannedPlugin): PlannedDocument[] | Problem[] {
  const planned = options.mode === 'direct-mode' ? pageDocuments(options) : [applicationDocument(options)]
  const missing = planned.filter(({ entry }) => entry.module === '' || !existsSync(join(options.root, entry.module)))
  return missing.length === 0 ? planned : missing.map(missingEntry)
}

function pageDocuments({ pages, lang = 'en', security = {} }: PlannedPlugin): PlannedDocument[] {
  return pages.map(({ id, name, entry }) => ({
    entry: { name: id, module: entry },
    path: `pages/${id}.html`,
    title: name,
    lang,
    source: `src/pages/${id}.html`,
    pages: [id],
    security,
  }))
}

function applicationDocument({ pages, name, lang = 'en', security = {} }: PlannedPlugin): PlannedDocument {
  return {
    entry: { name: 'app', module: pages[0]?.entry ?? '' },
    path: 'index.html',
    title: name,
    lang,
    source: 'src/app.html',
    pages: pages.map(({ id }) => id),
    security,
  }
}

function missingEntry({ entry: { name, module } }: PlannedDocument): Problem {
  const file = module === '' ? 'plugin.manifest.json' : module
  const place = { file, line: 1, column: 1, pointer: null }
  const rule = `The module that "${name}" begins with must exist.`
  return {
    code: 'missing-entry',
    severity: 'error',
    ...place,
    rule,
    fix: 'Write it, or name another one as the entry.',
  }
}
