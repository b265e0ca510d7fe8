import type { Environment, Role } from '@tillwright/contract'
import type { Database, Row } from '../storage/database.ts'
import { shownKeyText, type KeyKind } from './key-text.ts'

/** A key as its owner may see it: all but its text. Times are ISO 8601. */
export interface ListedKey {
  id: string
  accountId: string
  /** `null` for a key without a name. */
  name: string | null
  kind: KeyKind
  /** The prefix and the last four characters: `test_sk_…w3Qz`. */
  shown: string
  roles: readonly Role[]
  scopes: readonly string[]
  /** Of a publishable key: the store and the pages it is for. */
  storeId: string | null
  allowedOrigins: readonly string[]
  createdAt: string
  /** `null` for a key that does not expire. */
  expiresAt: string | null
  revokedAt: string | null
  state: 'good' | 'expired' | 'revoked'
  /** At most a minute behind; `null` for a key that was never used. */
  lastUsedAt: string | null
}

/** What a list is made for: the prefix of keys tells of the environment, their state of the time. */
export interface Listing {
  environment: Environment
  nowMs: number
}

/** An account's keys, the oldest first, revoked and expired ones among them. */
export async function listApiKeys(
  db: Database,
  { accountId, ...listing }: Listing & { accountId: string },
): Promise<ListedKey[]> {
  const rows = await db.read(`${columnsOfKeys} WHERE account_id = ? ORDER BY created_at, id`, [accountId])
  return rows.map((row) => listed(row, listing))
}

/** A key of whatever account, or `null`. It looks through all keys: for an operator's command, never for a request. */
export async function findListedKey(
  db: Database,
  { id, ...listing }: Listing & { id: string },
): Promise<ListedKey | null> {
  const [row] = await db.read(`${columnsOfKeys} WHERE id = ?`, [id])
  return row === undefined ? null : listed(row, listing)
}

const columnsOfKeys = `SELECT id, account_id, name, kind, last4, roles, scopes, store_id, allowed_origins, created_at,
    expires_at, revoked_at, last_used_at
  FROM api_keys`

function listed(row: Row, { environment, nowMs }: Listing): ListedKey {
  const kind = row['kind'] === 'secret' ? 'secret' : 'publishable'
  return {
    id: String(row['id']),
    accountId: String(row['account_id']),
    name: textOf(row['name']),
    kind,
    shown: shownKeyText(kind, environment, String(row['last4'])),
    roles: JSON.parse(String(row['roles'])),
    scopes: JSON.parse(String(row['scopes'])),
    storeId: textOf(row['store_id']),
    allowedOrigins: JSON.parse(String(row['allowed_origins'])),
    createdAt: new Date(Number(row['created_at'])).toISOString(),
    expiresAt: timeOf(row['expires_at']),
    revokedAt: timeOf(row['revoked_at']),
    state: stateOf(row, nowMs),
    lastUsedAt: timeOf(row['last_used_at']),
  }
}

function stateOf(row: Row, nowMs: number): ListedKey['state'] {
  if (row['revoked_at'] !== null) return 'revoked'
  return row['expires_at'] !== null && Number(row['expires_at']) <= nowMs ? 'expired' : 'good'
}

function textOf(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function timeOf(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : new Date(Number(value)).toISOString()
}
