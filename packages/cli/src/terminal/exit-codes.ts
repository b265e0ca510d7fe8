/** What a process of `tillwright` ends with, so that a script can tell one failure from another. 0 is success. */
export const exitCodes = {
  /** It did not work, for a reason that none of the others names. */
  failed: 1,
  /** The command line is wrong: an unknown word, a missing option. */
  usage: 2,
  /** The plugin is not valid, or exceeds a budget of its own. */
  invalid: 3,
  /** No key, a wrong one, or one that may not do this. */
  unauthorized: 4,
  /** Something else has changed what the command was about to change. */
  conflict: 5,
  /** The platform could not be reached, or did not answer in time. */
  network: 6,
  /** It wants a yes that nobody is there to give. */
  unconfirmed: 7,
  /** A signal ended it. Source: POSIX shells, 128 + SIGINT. */
  interrupted: 130,
} as const

/** A reason to fail. */
export type Failure = keyof typeof exitCodes
