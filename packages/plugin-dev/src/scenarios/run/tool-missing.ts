/** A tool that scenarios need is not installed; the message says how to get it. */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing'
  /** The command line tells such errors without a stack. */
  readonly isForOperator = true
}
