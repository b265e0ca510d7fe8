import { realpath } from 'node:fs/promises'
import { applyEdits, type Edit } from 'jsonc-parser'
import { type Finding, readText } from '../json/index.ts'
import { type Problem, sortProblems } from '../problem.ts'
import { examinePlugin } from './plugin.ts'

/** A file to write. */
export interface FileText {
  /** Relative to the plugin's folder. */
  path: string
  text: string
}

/** The fixes of a plugin: files to write, and the problems that they fix. */
export interface Fixes {
  files: FileText[]
  fixed: Problem[]
}

/**
 * Fixes the problems of a plugin that have a clear intention: misspelt keys and values, trailing commas, byte order
 * marks, a missing id. Comments, order and everything else are kept. Nothing is written to disk.
 */
export async function fixPlugin(root: string): Promise<Fixes> {
  const { findings } = await examinePlugin(root)
  const real = await realpath(root).catch(() => root)
  const byFile = Map.groupBy(
    findings.filter(({ repair }) => repair !== undefined),
    ({ problem }) => problem.file,
  )
  const fixes = await Promise.all([...byFile].map(async ([path, of]) => fixFile(real, path, of)))
  return {
    files: fixes.flatMap(({ file }) => file ?? []),
    fixed: sortProblems(fixes.flatMap(({ fixed }) => fixed)),
  }
}

async function fixFile(
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

/** Overlapping edits cannot both be applied: the second waits for the next run. */
function overlap(one: Edit, other: Edit): boolean {
  return one.offset <= other.offset + other.length && other.offset <= one.offset + one.length
}
