import type { Migration } from './migrate.ts'
import { moneyPath } from './migrations/0001-money-path.ts'
import { eventCounts } from './migrations/0006-event-counts.ts'

/** Every step of the platform's schema, oldest first. A step that was released is never changed. */
export const migrations: readonly Migration[] = [moneyPath, eventCounts]
