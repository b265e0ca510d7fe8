import type { Role, Scope } from '@tillwright/contract'
import { newApiKey, revokeApiKey, type NewApiKey } from '../accounts/api-keys.ts'
import { findListedKey, listApiKeys, type ListedKey } from '../accounts/list-api-keys.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import { commit } from '../http/commit.ts'
import { checkName } from './check-name.ts'
import { checkOrigins } from './check-origins.ts'
import { chooseAccount } from './choose-account.ts'
import type { OperatorParts } from './operator-parts.ts'
import { requireStore } from './require-store.ts'

/** What every new key may be told. `account` may be left out where there is one; times are Unix time. */
export interface WantedKey {
  account?: string
  name?: string
  expiresAtMs?: number
}

/** A key for a server. Without roles and scopes it may do all but administration. */
export interface WantedSecretKey extends WantedKey {
  roles: readonly Role[]
  scopes: readonly Scope[]
}

/** A key for the pages of a shop: it takes cards for one store, on pages of these origins. */
export interface WantedPublishableKey extends WantedKey {
  store: string
  origins: readonly string[]
}

/** A key just made, with its text, which nobody can be shown again. */
export type CreatedKey = ListedKey & { key: string }

/** What an operator does to API keys. */
export interface KeyManagement {
  createSecret(wanted: WantedSecretKey): Promise<CreatedKey>
  createPublishable(wanted: WantedPublishableKey): Promise<CreatedKey>
  /** The oldest first, revoked and expired ones among them. */
  list(account: string | undefined): Promise<ListedKey[]>
  /** For good. A key that was revoked before stays as it is. */
  revoke(id: string): Promise<ListedKey>
}

export function manageKeys(parts: OperatorParts): KeyManagement {
  const { db, clock, environment } = parts
  async function found(id: string): Promise<ListedKey> {
    const key = await findListedKey(db, { id, environment, nowMs: clock.now() })
    if (key !== null) return key
    throw new OperatorError(`There is no key '${id}'; "tillwright keys list" shows the ids of those there are.`)
  }
  async function create(key: NewApiKey): Promise<CreatedKey> {
    const { id, text, write } = newApiKey(key, parts)
    await commit([write], parts)
    return { ...(await found(id)), key: text }
  }
  return {
    async createSecret({ roles, scopes, ...wanted }) {
      const [ownRoles, ownScopes] = [[...new Set(roles)], [...new Set(scopes)]]
      return create({ ...(await common(wanted, parts)), kind: 'secret', roles: ownRoles, scopes: ownScopes })
    },
    async createPublishable({ store, origins, ...wanted }) {
      const key = await common(wanted, parts)
      await requireStore(db, key.accountId, store)
      const allowedOrigins = checkOrigins(origins, environment)
      return create({ ...key, kind: 'publishable', storeId: store, allowedOrigins })
    },
    list: async (account) =>
      listApiKeys(db, { accountId: await chooseAccount(db, account), environment, nowMs: clock.now() }),
    async revoke(id) {
      const { accountId } = await found(id)
      await commit([revokeApiKey(accountId, id, clock.now())], parts)
      return found(id)
    },
  }
}

/** What both kinds of key share, checked. */
async function common({ account, name, expiresAtMs }: WantedKey, { db, clock }: OperatorParts) {
  if (expiresAtMs !== undefined && expiresAtMs <= clock.now()) {
    throw new OperatorError('--expires: must lie in the future.')
  }
  return {
    accountId: await chooseAccount(db, account),
    name: name === undefined ? null : checkName(name),
    expiresAtMs: expiresAtMs ?? null,
  }
}
