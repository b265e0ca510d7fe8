import type { Environment, Role, Scope } from '@tillwright/contract'
import {
  findListedKey,
  listApiKeys,
  type ListedKey,
  newApiKey,
  type NewApiKey,
  revokeApiKey,
} from '../accounts/index.ts'
import { commit } from '../http/index.ts'
import { isAnyPort, OperatorError } from '../runtime/index.ts'
import type { Database } from '../storage/index.ts'
import { checkName, chooseAccount } from './accounts.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

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
  list(account: string | undefined): Promise<ListedKey[]>
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
      const allowedOrigins = checkOrigins(origins, environment)
      return create({ ...key, kind: 'publishable', storeId: store, allowedOrigins })
    },
    list: async (account) =>
      listApiKeys(db, { accountId: await chooseAccount(db, account), environment, nowMs: clock.now() }),
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

const ORIGINS_MAX = 50

/**
 * The origins of pages, as browsers send them. Outside `local` only `https:` ones.
 *
 * @throws {OperatorError} For none, too many, and what is no origin.
 */
export function checkOrigins(origins: readonly string[], environment: Environment): string[] {
  if (origins.length === 0) {
    throw new OperatorError('--origin: name the pages that the key is for, such as --origin https://shop.example.')
  }
  const checked = new Set(origins.map((origin) => checkOrigin(origin, environment)))
  if (checked.size <= ORIGINS_MAX) return [...checked]
  throw new OperatorError(`--origin: a key is for ${ORIGINS_MAX} origins at most; make another key for the others.`)
}

function checkOrigin(text: string, environment: Environment): string {
  if (environment !== 'production' && isAnyPort(text)) return text
  const url = URL.canParse(text) ? new URL(text) : null
  const allowed = environment === 'local' ? /^https?:$/ : /^https:$/
  if (url !== null && allowed.test(url.protocol) && `${url.origin}/` === url.href) return url.origin
  const wanted = environment === 'local' ? 'scheme, host and port' : 'https:, host and port'
  throw new OperatorError(`--origin: '${text}' is not an origin; it is ${wanted} alone, such as https://shop.example.`)
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
