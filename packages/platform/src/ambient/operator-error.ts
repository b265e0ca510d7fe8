/**
 * Something that whoever runs the platform can mend: a setting, a port, a database. The message is all they need, so it
 * is shown as it is, without a stack.
 */
export class OperatorError extends Error {
  /** Tells it in a program that has another copy of this class. */
  readonly isForOperator = true
}
