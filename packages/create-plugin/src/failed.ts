/** What the process ends with, as `tillwright` does. 0 is success. */
export const exitCodes = {
  /** It did not work, for a reason that none of the others names. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** Something is there that would be written over. */
  conflict: 5,
  /** A signal ended it. Source: POSIX shells, 128 + SIGINT. */
  interrupted: 130,
} as const
export type Failure = keyof typeof exitCodes

/** Why no plugin was made, and what to do about it, in the message. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: Failure

  constructor(message: string, failure: Failure = 'failed') {
    super(message)
    this.failure = failure
  }
}
