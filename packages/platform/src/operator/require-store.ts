import { OperatorError } from '../ambient/operator-error.ts'
import type { Database } from '../storage/database.ts'

/**
 * Checks that a store which `--store` names is the account's.
 *
 * @throws {OperatorError} Where the account has none of that id.
 */
export async function requireStore(db: Database, accountId: string, store: string): Promise<void> {
  const rows = await db.read('SELECT id FROM stores WHERE account_id = ? AND id = ?', [accountId, store])
  if (rows.length > 0) return
  throw new OperatorError(
    `--store: the account ${accountId} has no store '${store}'; name one of its own, or its account with --account.`,
  )
}
