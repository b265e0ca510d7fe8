import { realpath } from 'node:fs/promises'
import { applyEdits, type Edit } from 'jsonc-parser'
import type { Problem } from '../problem.ts'
import type { Finding } from './finding.ts'
import { examinePlugin } from './read-plugin.ts'
import { readText } from './read-text.ts'
import { sortProblems } from './sort-problems.ts'

/** A file of a plugin as it should be; whoever asked writes it. */
export interface FileText {
  /** Relative to the plugin's folder. */
  path: string
  text: string
}

/** What mends a plugin. */
export interface Fixes {
  files: FileText[]
  fixed: Problem[]
}

/**
 * Mends what is wrong with a plugin where there is no doubt about what was meant: misspelt keys and choices, trailing
 * commas, byte order marks, a missing id. Comments, order and everything else stay as they are. It writes nothing.
 */
export async function fixPlugin(root: string): Promise<Fixes> {
  const { findings } = await examinePlugin(root)
  const real = await realpath(root).catch(() => root)
  const byFile = Map.groupBy(
    findings.filter(({ repair }) => repair !== undefined),
    ({ problem }) => problem.file,
  )
  const mended = await Promise.all([...byFile].map(async ([path, of]) => mend(real, path, of)))
  return {
    files: mended.flatMap(({ file }) => file ?? []),
    fixed: sortProblems(mended.flatMap(({ fixed }) => fixed)),
  }
}

async function mend(
  root: string,
  path: string,
  findings: readonly Finding[],
): Promise<{ file?: FileText; fixed: Problem[] }> {
  const read = await readText(root, path)
  if (read.problem !== undefined) return { fixed: [] }
  const edits: Edit[] = []
  const fixed = findings.flatMap(({ problem, repair = [] }) => {
    if (repair.some((edit) => edits.some((other) => overlap(edit, other)))) return []
    edits.push(...repair)
    return [problem]
  })
  return { file: { path, text: applyEdits(read.text, edits) }, fixed }
}

/** Of two edits in one place the second waits for the next run, which reads the text that the first has made. */
function overlap(one: Edit, other: Edit): boolean {
  return one.offset <= other.offset + other.length && other.offset <= one.offset + one.length
}
