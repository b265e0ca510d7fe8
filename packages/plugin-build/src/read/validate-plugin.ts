import type { Problem } from '../problem.ts'
import { examinePlugin } from './read-plugin.ts'
import { sortProblems } from './sort-problems.ts'

/** Whether a plugin can be built and deployed, and what is wrong with it. */
export interface Validation {
  /** Whether no problem is an error. */
  valid: boolean
  /** Sorted by file and place. */
  problems: Problem[]
  /** Those of `problems` that `fixPlugin` mends. */
  fixable: Problem[]
}

/** Checks a plugin's folder: its file, its configuration, and that its entries exist. It writes nothing. */
export async function validatePlugin(root: string): Promise<Validation> {
  const { plugin, findings } = await examinePlugin(root)
  const fixable = findings.flatMap(({ problem, repair }) => (repair === undefined ? [] : [problem]))
  return {
    valid: plugin !== null,
    problems: sortProblems(findings.map(({ problem }) => problem)),
    fixable: sortProblems(fixable),
  }
}
