import type { Migration } from '../migrate.ts'

/** What an operator calls a key, so that a list of them says which is which; null for a key without a name. */
export const keyNames: Migration = {
  id: '0007-key-names',
  statements: ['ALTER TABLE api_keys ADD COLUMN name {text}'],
}
