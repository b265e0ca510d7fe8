import { PLUGIN_FILE } from '@tillwright/contract'
import type { Problem } from '../problem.ts'

/** Problems as they are told: those of `plugin.manifest.json` first, then by file, from top to bottom. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      Number(b.file === PLUGIN_FILE) - Number(a.file === PLUGIN_FILE) ||
      Number(a.file > b.file) - Number(a.file < b.file) ||
      a.line - b.line ||
      a.column - b.column,
  )
}
