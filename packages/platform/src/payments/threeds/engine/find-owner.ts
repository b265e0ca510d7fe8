import type { Database } from '../../../storage/database.ts'

/** The account of a transaction, as part of a look-up: its one parameter is the 3DS server's id. */
export const OWNER = '(SELECT account_id FROM threeds_sessions WHERE external_session_id = ?)'

/**
 * The account whose session has a transaction. A real directory would not know it; the simulator keeps what it
 * remembers by account, like everything else in the database.
 *
 * @returns `null` for a transaction of nobody.
 */
export async function findOwner(transactionId: string, db: Database): Promise<string | null> {
  const [row] = await db.read('SELECT account_id FROM threeds_sessions WHERE external_session_id = ?', [transactionId])
  return row === undefined ? null : String(row['account_id'])
}
