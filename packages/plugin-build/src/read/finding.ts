import type { Edit } from 'jsonc-parser'
import type { Problem } from '../problem.ts'

/** A problem, and the edits that mend it where there is no doubt about what was meant. */
export interface Finding {
  problem: Problem
  repair?: readonly Edit[]
}

/** Whether something is wrong that nothing can be built with. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ problem }) => problem.severity === 'error')
}
