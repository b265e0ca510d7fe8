import {
  type Contract,
  type FiltersOf,
  KEY_OVERLAP_DEFAULT_H,
  KEY_OVERLAP_MAX_H,
  type Role,
  type Scope,
} from '@tillwright/contract'
import {
  checkAllowedOrigins,
  findListedKey,
  type ListedKey,
  newApiKey,
  type NewApiKey,
  readKeyPage,
  revokeApiKey,
  rollApiKey,
} from '../accounts/index.ts'
import { commit } from '../http/index.ts'
import { OperatorError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import { checkName, chooseAccount } from './accounts.ts'
import {
  everyEntry,
  inTermsOfCommand,
  type OperatorServices,
  recordCommand,
  requireOverlap,
} from './operator-services.ts'

/** Options of every new key. `account` may be omitted if there is only one; times are Unix time. */
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

/** A new key with its text, which cannot be shown again. */
export type CreatedKey = ListedKey & { key: string }

/** Operator commands for API keys. */
export interface KeyManagement {
  createSecret(wanted: WantedSecretKey): Promise<CreatedKey>
  createPublishable(wanted: WantedPublishableKey): Promise<CreatedKey>
  /** The oldest first, revoked and expired ones among them. */
  list(account: string | undefined, filters?: FiltersOf<Contract['apiKeys']['list']>): Promise<ListedKey[]>
  get(id: string): Promise<ListedKey>
  /**
   * Replaces a key by one with the same rights; the old one works for `overlapHours` more.
   *
   * @param overlapHours From 0 to `KEY_OVERLAP_MAX_H`.
   */
  roll(id: string, overlapHours?: number): Promise<CreatedKey>
  /** For good. A key that was revoked before stays as it is. */
  revoke(id: string): Promise<ListedKey>
}

export function manageKeys(services: OperatorServices): KeyManagement {
  const { db, clock, environment } = services
  async function found(id: string): Promise<ListedKey> {
    const key = await findListedKey(db, { id, environment, nowMs: clock.now() })
    if (key !== null) return key
    throw new OperatorError(`There is no key '${id}'; "tillwright keys list" shows the ids of those there are.`)
  }
  async function create(key: NewApiKey): Promise<CreatedKey> {
    const { id, text, write } = newApiKey(key, services)
    const resource = { type: 'apiKey', id }
    const change = { accountId: key.accountId, operation: 'keys.create', resource, after: { ...key, id } }
    await commit([write, ...recordCommand(change, services)], services)
    return { ...(await found(id)), key: text }
  }
  return {
    async createSecret({ roles, scopes, ...wanted }) {
      const [ownRoles, ownScopes] = [[...new Set(roles)], [...new Set(scopes)]]
      return create({ ...(await common(wanted, services)), kind: 'secret', roles: ownRoles, scopes: ownScopes })
    },
    async createPublishable({ store, origins, ...wanted }) {
      const key = await common(wanted, services)
      await requireStore(db, key.accountId, store)
      const allowedOrigins = inTermsOfCommand(() => checkAllowedOrigins(origins, environment))
      return create({ ...key, kind: 'publishable', storeId: store, allowedOrigins })
    },
    async list(account, filters = {}) {
      const accountId = await chooseAccount(db, account)
      return everyEntry(filters, (query) => readKeyPage(query, { accountId, services, nowMs: clock.now() }))
    },
    get: found,
    async roll(id, overlapHours = KEY_OVERLAP_DEFAULT_H) {
      requireOverlap(overlapHours, KEY_OVERLAP_MAX_H)
      const before = await found(id)
      const { accountId } = before
      const rolled = inTermsOfCommand(() => rollApiKey(before, { overlapHours, expiresAtMs: null }, services))
      const resource = { type: 'apiKey', id }
      const change = { accountId, operation: 'keys.roll', resource, before, after: rolled.after }
      await commit([...rolled.writes, ...recordCommand(change, services)], services)
      return { ...(await found(rolled.key.id)), key: rolled.text }
    },
    async revoke(id) {
      const before = await found(id)
      const { accountId } = before
      const resource = { type: 'apiKey', id }
      const change = { accountId, operation: 'keys.revoke', resource, before, after: { revokedAtMs: clock.now() } }
      await commit([revokeApiKey(accountId, id, clock.now()), ...recordCommand(change, services)], services)
      return found(id)
    },
  }
}

/** Checks the options that both kinds of key share. */
async function common({ account, name, expiresAtMs }: WantedKey, { db, clock }: OperatorServices) {
  if (expiresAtMs !== undefined && expiresAtMs <= clock.now()) {
    throw new OperatorError('--expires: must lie in the future.')
  }
  return {
    accountId: await chooseAccount(db, account),
    name: name === undefined ? null : checkName(name),
    expiresAtMs: expiresAtMs ?? null,
  }
}

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
