import type { Migration } from '../migrate.ts'

/**
 * What a processor is told apart by (`config`, JSON) and speaks with (`sealed_secret`), and what it calls an attempt
 * (`reference`).
 */
export const processors: Migration = {
  id: '0010-processors',
  statements: [
    'ALTER TABLE processors ADD COLUMN config {text}',
    'ALTER TABLE processors ADD COLUMN sealed_secret {text}',
    'ALTER TABLE payment_attempts ADD COLUMN reference {text}',
  ],
}
