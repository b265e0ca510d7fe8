/** A problem that the plugin's author can fix: a folder, a port, a missing tool. Printed as its message, without a stack. */
export class AuthorError extends Error {
  override readonly name: string = 'AuthorError'
  /** How the command line knows it. */
  readonly isForOperator = true
}
