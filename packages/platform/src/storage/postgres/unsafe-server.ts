import type { Client } from 'pg'
import { OperatorError } from '../../ambient/operator-error.ts'

/** Thrown when a server does not keep what it has acknowledged. */
export class UnsafeDatabase extends OperatorError {
  override readonly name = 'UnsafeDatabase'
}

/** With one of these off, a crash can take back a payment that was already confirmed, or break the tables. */
const REQUIRED = ['fsync', 'synchronous_commit', 'full_page_writes'] as const

/**
 * Checks the settings that apply to this very connection, which may come from the server, the database or the role.
 *
 * @throws {UnsafeDatabase} With the setting and what to do about it.
 */
export async function refuseUnsafeServer(client: Client): Promise<void> {
  const sql = 'SELECT name, setting, source FROM pg_settings WHERE name = ANY ($1)'
  const { rows } = await client.query<{ name: string; setting: string; source: string }>(sql, [REQUIRED])
  const off = rows.find(({ setting }) => setting === 'off')
  if (off === undefined) return
  throw new UnsafeDatabase(
    `PostgreSQL runs with ${off.name} = off (set by: ${off.source}), so a crash would lose confirmed payments. ` +
      `Set ${off.name} = on, reload or restart the server, and start again.`,
  )
}
