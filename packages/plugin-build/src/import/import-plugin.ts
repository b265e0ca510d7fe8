import { realpath } from 'node:fs/promises'
import { PLUGIN_FILE } from '@tillwright/contract'
import type { Problem } from '../problem.ts'
import { hasErrors } from '../read/finding.ts'
import type { FileText } from '../read/fix-plugin.ts'
import { readJson } from '../read/read-json.ts'
import { sortProblems } from '../read/sort-problems.ts'
import { importConfig } from './import-config.ts'
import { importPages } from './import-pages.ts'
import { importMode } from './import-mode.ts'
import { Rewriting, type Change } from './rewriting.ts'

/** What an import comes to: files to write, each change that they make, and what stood in the way. */
export interface Import {
  /** Empty when nothing is older than today's shape. */
  files: FileText[]
  report: Change[]
  /** Errors for which the file could not be read; then there are no files. */
  problems: Problem[]
}

/**
 * Brings an older plugin up to date: features and requirements written as text, requirements with `from` or `params`,
 * modes that are no more, and settings that the file does not name. Comments and order stay. It writes nothing.
 */
export async function importPlugin(folder: string): Promise<Import> {
  const root = await realpath(folder).catch(() => folder)
  const { document, findings } = await readJson(root, PLUGIN_FILE)
  if (document === null || document.root.type !== 'object' || hasErrors(findings)) {
    return { files: [], report: [], problems: sortProblems(findings.map(({ problem }) => problem)) }
  }
  const rewriting = new Rewriting(document)
  importMode(rewriting)
  importPages(rewriting)
  const files = await importConfig(root, rewriting)
  const changed = rewriting.text === document.text ? [] : [{ path: PLUGIN_FILE, text: rewriting.text }]
  return { files: [...changed, ...files], report: rewriting.report, problems: [] }
}
