import { nextSeed } from '../../../.ci/test-seed.ts'

/** Where a platform keeps its state, across its deaths. */
export interface Place {
  /** The folder of keys, and of the embedded database. */
  home: string
  /** `null` for the embedded database. */
  databaseUrl: string | null
}

/** Has something ended when the work that needs it is over. */
export type Over = (end: () => void | Promise<void>) => void

/** The settings of a platform at a place, on ports that are free. Each start draws from a seed of its own. */
export function settingsOf({ home, databaseUrl }: Place): Record<string, string> {
  return {
    TILLWRIGHT_HOME: home,
    TILLWRIGHT_PORT: '0',
    TILLWRIGHT_VAULT_PORT: '0',
    TILLWRIGHT_LOG_LEVEL: 'warn',
    TILLWRIGHT_SEED: nextSeed(),
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
  }
}
