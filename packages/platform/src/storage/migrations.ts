import type { Migration } from './migration.ts'
import { baseline } from './migrations/0001-baseline.ts'

/** Every step of the platform's schema, oldest first. A step that was released is never changed. */
export const migrations: readonly Migration[] = [baseline]
