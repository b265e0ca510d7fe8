import type { Database } from '../storage/database.ts'

/** What an account's processors are called, by their ids; archived ones too. */
export async function readNames(accountId: string, db: Database): Promise<Record<string, string>> {
  const rows = await db.read('SELECT id, name FROM processors WHERE account_id = ?', [accountId])
  return Object.fromEntries(rows.map((row) => [String(row['id']), String(row['name'])]))
}
