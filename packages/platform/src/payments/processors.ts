import type { Write } from '../call.ts'
import type { Database } from '../storage/database.ts'

/** A processor of an account, as its operator adds it. `driver` names the code that speaks to it. */
export interface NewProcessor {
  id: string
  accountId: string
  name: string
  driver: 'simulator'
}

/** The statement that records a processor. */
export function insertProcessor(processor: NewProcessor, nowMs: number): Write {
  return {
    sql: 'INSERT INTO processors (account_id, id, name, driver, created_at) VALUES (?, ?, ?, ?, ?)',
    params: [processor.accountId, processor.id, processor.name, processor.driver, nowMs],
  }
}

/** The ids of the account's processors that are not archived. */
export async function liveProcessors(accountId: string, db: Database): Promise<Set<string>> {
  const rows = await db.read('SELECT id FROM processors WHERE account_id = ? AND archived_at IS NULL', [accountId])
  return new Set(rows.map((row) => String(row['id'])))
}
