/** The exit codes, the same as those of `tillwright`. 0 is success. */
export const exitCodes = {
  /** Any other failure. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Files are in the way. */
  conflict: 5,
  /** A signal ended it. Source: POSIX shells, 128 + SIGINT. */
  interrupted: 130,
} as const
export type Failure = keyof typeof exitCodes

/** A failure whose message says what to do. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: Failure

  constructor(message: string, failure: Failure = 'failed') {
    super(message)
    this.failure = failure
  }
}
