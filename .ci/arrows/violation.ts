/** A place in the sources that breaks a rule. */
export interface Violation {
  /** Relative to the repository. */
  path: string
  /** Counted from 1. */
  line: number
  /** What is wrong there. */
  rule: string
  /** What to do about it. */
  fix: string
}
