import type { ListedKey } from '@tillwright/platform'
import pc from 'picocolors'
import { facts, table } from '../terminal/align.ts'

/** A key just made, with the only sight of its text. */
export function showNewKey({ key, ...listed }: ListedKey & { key: string }): string {
  return `${pc.bold(key)}\n\nThis is shown once. Keep it where ${keeper(listed)}.\n\n${showKey(listed)}`
}

function keeper({ kind }: ListedKey): string {
  return kind === 'secret' ? 'only your server can read it' : "your shop's pages find it"
}

/** One key. */
export function showKey(key: ListedKey): string {
  return facts([
    ['id', key.id],
    ['account', key.accountId],
    ['name', key.name ?? '-'],
    ['kind', key.kind],
    ['may', permissions(key)],
    ['expires', key.expiresAt ?? 'never'],
    ['state', key.state],
  ])
}

/** An account's keys. */
export function showKeys(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return 'There are no keys yet; make one with "tillwright keys create".\n'
  return table(
    ['id', 'name', 'key', 'may', 'expires', 'last used', 'state'],
    keys.map((key) => [
      key.id,
      key.name ?? '-',
      key.shown,
      permissions(key),
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
      key.state,
    ]),
  )
}

function permissions({ kind, roles, scopes, storeId, allowedOrigins }: ListedKey): string {
  if (kind === 'publishable') return `take cards for ${storeId ?? 'any store'} on ${allowedOrigins.join(' ')}`
  return [...roles, ...scopes].join(' ') || 'all but administration'
}
