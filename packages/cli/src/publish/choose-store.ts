import type { Target } from '../target/target.ts'
import { CommandFailed } from '../terminal/fail-with.ts'

/**
 * The store that a command is for: the one that it names, or that of the login or of the local platform.
 *
 * @throws {CommandFailed} `usage`, where there is none.
 */
export function chooseStore({ store }: { store?: string }, { storeId, name }: Target): string {
  const chosen = store ?? storeId
  if (chosen !== null) return chosen
  throw new CommandFailed(
    `--store: name the store, or keep it with "tillwright login --target ${name} --store ...".`,
    'usage',
  )
}
