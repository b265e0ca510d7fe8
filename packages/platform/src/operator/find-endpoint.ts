import { listEndpoints, type WebhookEndpoint } from '../events/webhook-endpoints.ts'
import type { Database } from '../storage/database.ts'

/** An endpoint with the account that it belongs to. */
export type ListedEndpoint = WebhookEndpoint & { accountId: string }

/** The endpoint of an id, whosever it is, or `null`. */
export async function findEndpoint(db: Database, id: string): Promise<ListedEndpoint | null> {
  const [row] = await db.read('SELECT account_id FROM webhook_endpoints WHERE id = ?', [id])
  if (row === undefined) return null
  const accountId = String(row['account_id'])
  const endpoint = (await listEndpoints(db, accountId)).find((each) => each.id === id)
  return endpoint === undefined ? null : { ...endpoint, accountId }
}
