import type { Migration } from './migrate.ts'
import { moneyPath } from './migrations/0001-money-path.ts'
import { funnels } from './migrations/0004-funnels.ts'
import { threeds } from './migrations/0005-threeds.ts'

/** Every step of the schema, in order. */
export const migrations: readonly Migration[] = [
  moneyPath,
  funnels,
  threeds, // the last of them
]
