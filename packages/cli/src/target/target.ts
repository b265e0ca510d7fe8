import type { Environment } from '@tillwright/contract'

/** A platform to act on, and as whom. */
export interface Target {
  /** Which kind of platform it is said to be. */
  name: Environment
  /** Where it answers, without a slash at the end. */
  apiUrl: string
  /** A secret key of the account. */
  apiKey: string
  /** The store to work on unless a command names another. */
  storeId: string | null
}

/** The kinds of platforms that there are. */
export const targetNames: readonly Environment[] = ['local', 'development', 'production']
