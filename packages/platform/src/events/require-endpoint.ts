import { missing } from '../ambient/api-error.ts'
import type { Database } from '../storage/database.ts'

/**
 * Finds the endpoint that a replay names.
 *
 * @throws {ApiError} When the account has none of that id.
 * @throws {DatabaseUnavailable}
 */
export async function requireEndpoint(db: Database, accountId: string, id: string): Promise<{ enabled: boolean }> {
  const [row] = await db.read('SELECT enabled FROM webhook_endpoints WHERE account_id = ? AND id = ?', [accountId, id])
  if (row === undefined) throw missing('webhook endpoint', id, 'endpointId')
  return { enabled: row['enabled'] === 1 }
}
