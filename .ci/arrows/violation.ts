/** A place in the sources that breaks a rule. */
export interface Violation {
  /** Relative to the repository. */
  path: string
  /** Counted from 1. */
  line: number
  /** The broken rule. */
  rule: string
  /** How to fix it. */
  fix: string
}
