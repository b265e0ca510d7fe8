import {
  type Contract,
  type Environment,
  KEY_ORIGINS_MAX,
  memberScopes,
  type NewApiKeyBody,
  type RequestOf,
  rolesWith,
  type Scope,
  scopes as keyScopes,
} from '@tillwright/contract'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import { emit } from '../events/index.ts'
import type { Caller, Handlers, RequestContext, Services, Write } from '../request-context.ts'
import { ApiError, isAnyPort, missing, requireUnarchived } from '../runtime/index.ts'
import { flag, type ListPage, rowReader } from '../storage/index.ts'
import { oneAfterAnother } from './accounts.ts'
import { findKeys, type ListedKey, newApiKey, type NewApiKey } from './api-keys.ts'

/** The operations on API keys. Callers cannot grant or revoke rights that they lack themselves. */
export const apiKeys: Handlers<Contract['apiKeys']> = {
  list: async ({ query }, { caller: { accountId }, services, nowMs }) => ({
    body: await readKeyPage(query, { accountId, services, nowMs }),
  }),

  get: async ({ params }, context) => ({ body: await requireKey(params.keyId, context) }),

  async create({ body }, context) {
    const wanted = await wantedKey(body, context)
    requireWithinRights(wanted, context.caller)
    const createdBy = context.caller.actor.id
    const { text, key, write } = newApiKey({ ...wanted, createdBy }, context.services)
    const change = { ...ofKey(key.id), after: key }
    const properties = { apiKeyId: key.id, name: key.name, kind: key.kind }
    const writes = [...asCaller(context), write, ...emit('s_api_key_created', { properties }, context)]
    return { body: { apiKey: key, key: text }, writes, change }
  },

  async roll({ params, body }, context) {
    const before = await requireKey(params.keyId, context)
    requireWithinRights(before, context.caller)
    const createdBy = context.caller.actor.id
    const wanted = { ...body, expiresAtMs: futureTime(body.expiresAt, context), createdBy }
    const rolled = rollApiKey(before, wanted, context.services)
    const change = { ...ofKey(before.id), before, after: rolled.after }
    const { id: apiKeyId, name, expiresAt } = rolled.after
    const properties = { apiKeyId, name, replacedBy: rolled.key.id, expiresAt }
    const writes = [...asCaller(context), ...rolled.writes, ...emit('s_api_key_rolled', { properties }, context)]
    return { body: { apiKey: rolled.key, key: rolled.text }, writes, change }
  },

  async revoke({ params }, context) {
    const before = await requireKey(params.keyId, context)
    requireWithinRights(before, context.caller)
    if (before.state === 'revoked') return { body: before }
    const { nowMs } = context
    const after: ListedKey = { ...before, state: 'revoked', revokedAt: new Date(nowMs).toISOString() }
    const properties = { apiKeyId: before.id, name: before.name }
    const events = emit('s_api_key_revoked', { properties }, context)
    const writes = [...asCaller(context), revokeUnlessLast(before, nowMs), ...events]
    return { body: after, writes, change: { ...ofKey(before.id), before, after } }
  },
}

/** Whose keys are listed, and when. */
interface KeyReader {
  accountId: string
  services: Pick<Services, 'db' | 'environment'>
  nowMs: number
}

/** A page of an account's keys. */
export function readKeyPage(
  query: RequestOf<Contract['apiKeys']['list']>['query'],
  { accountId, services: { db, environment }, nowMs }: KeyReader,
): Promise<ListPage<ListedKey>> {
  const list: ListTable<ListedKey> = {
    table: 'api_keys',
    orderedBy: { id: 'key' },
    indexed: [],
    read: (ids, account) => findKeys(db, { ids, accountId: account, environment, nowMs }),
  }
  const filters = [...equalTo('kind', query.kind), ...equalTo('created_by', query.createdBy)]
  return readList(list, { accountId, query, filters, anyOf: null }, db)
}

function ofKey(id: string) {
  return { resource: { type: 'apiKey', id } }
}

async function requireKey(id: string, { caller, services, nowMs }: RequestContext): Promise<ListedKey> {
  const { db, environment } = services
  const [key] = await findKeys(db, { accountId: caller.accountId, ids: [id], environment, nowMs })
  if (key === undefined) throw missing('API key', id, 'keyId')
  return key
}

async function wantedKey(body: NewApiKeyBody, context: RequestContext): Promise<NewApiKey> {
  const { accountId } = context.caller
  const common = { accountId, name: body.name ?? null, expiresAtMs: futureTime(body.expiresAt, context) }
  if (body.kind === 'secret') {
    const { kind, roles = [], scopes = [] } = body
    return { ...common, kind, roles: [...new Set(roles)], scopes: [...new Set(scopes)] }
  }
  const { kind, storeId = '', allowedOrigins = [] } = body // both are there: the contract requires them
  const { db, environment } = context.services
  const [store] = readStores(await db.read(selectStore, [accountId, storeId]))
  if (store === undefined) throw missing('store', storeId, 'storeId')
  requireUnarchived('store', { id: storeId, archived: store.archived }, 'storeId')
  return { ...common, kind, storeId, allowedOrigins: checkAllowedOrigins(allowedOrigins, environment) }
}

const selectStore = 'SELECT archived FROM stores WHERE account_id = ? AND id = ?'
const readStores = rowReader({ archived: flag })

function futureTime(sent: string | undefined, { nowMs }: RequestContext): number | null {
  if (sent === undefined) return null
  const atMs = Date.parse(sent)
  if (atMs > nowMs) return atMs
  throw new ApiError('parameter_invalid', 'expiresAt must lie in the future.', { param: 'expiresAt' })
}

/** Scopes that a key has without naming them: all but `platform:read`, which is the operator's. */
const impliedScopes = keyScopes.filter((scope) => scope !== 'platform:read')

/** Rights of a secret key by its roles and scopes, as scopes of members; `org:admin` has all. */
function rightsOf({ roles, scopes }: Pick<Caller, 'roles' | 'scopes'>): readonly string[] {
  if (roles.includes('org:admin')) return memberScopes
  if (roles.includes('org:member') || (roles.length === 0 && scopes.length === 0)) return [...impliedScopes, ...scopes]
  return roles.includes('org:read') ? [...impliedScopes.filter((scope) => scope.endsWith(':read')), ...scopes] : scopes
}

/** The rights of a key that can be seen in every page of a shop: to take cards and begin sessions. */
const PUBLISHABLE_RIGHTS: readonly Scope[] = ['stores:write']

/**
 * Refuses a caller who asks for a key, or changes one, that may do more than the caller.
 *
 * @throws {ApiError} `scope_missing`, with the roles of members that may do it.
 */
function requireWithinRights(
  key: Pick<NewApiKey, 'kind' | 'roles' | 'scopes' | 'storeId'>,
  { kind, roles, scopes, member }: Caller,
): void {
  const own = kind === 'member' ? scopes : rightsOf({ roles, scopes })
  const needed =
    key.kind === 'publishable' ? PUBLISHABLE_RIGHTS : rightsOf({ roles: key.roles ?? [], scopes: key.scopes ?? [] })
  const beyond = memberScopes.find((scope) => needed.includes(scope) && !own.includes(scope))
  if (beyond !== undefined) {
    throw new ApiError(
      'scope_missing',
      `This key may do more than you: it has ${beyond}, which you lack and ${rolesWith(beyond)} of members have. Leave that out, or ask an owner, or use a key with org:admin.`,
      { param: key.roles?.includes('org:admin') === true ? 'roles' : 'scopes' },
    )
  }
  const stores = member?.storeIds ?? null
  if (stores === null || (key.storeId != null && stores.includes(key.storeId))) return
  throw new ApiError(
    'scope_missing',
    `This key is not only for your stores; name one of them in storeId, or ask a member of all stores (${rolesWith('keys:write')} may do this).`,
    {
      param: 'storeId',
    },
  )
}

/**
 * Begins a change of keys or members: changes of one account come one after another, and the caller must still be who they
 * were when the request arrived. A stolen key that is revoked while it makes itself another one, or an owner, makes none.
 */
export function asCaller({ caller, nowMs }: RequestContext): Write[] {
  return [oneAfterAnother(caller.accountId), caller.member === undefined ? goodKey(caller, nowMs) : goodMember(caller)]
}

function goodKey({ accountId, keyId }: Caller, nowMs: number): Write {
  return {
    sql: `UPDATE api_keys SET last_used_at = last_used_at
      WHERE account_id = ? AND id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
    params: [accountId, keyId, nowMs],
    expect: 1,
    onRefused: () => new ApiError('api_key_revoked', 'This API key was revoked, or has expired; use another one.'),
  }
}

function goodMember({ accountId, keyId, member }: Caller): Write {
  return {
    sql: `UPDATE members SET role = role WHERE account_id = ? AND id = ? AND status = 'active' AND role = ?
      AND COALESCE(store_ids, 'null') = ?`,
    params: [accountId, keyId, member?.role ?? '', JSON.stringify(member?.storeIds ?? null)],
    expect: 1,
    onRefused: () =>
      new ApiError('scope_missing', 'Your role or stores were changed meanwhile; ask an owner to do it.'),
  }
}

/** An owner can make keys in the console; without one, an account whose last key of org:admin is gone is locked out. */
function revokeUnlessLast({ accountId, id }: ListedKey, nowMs: number): Write {
  return {
    sql: `UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE account_id = ? AND id = ?
      AND (replace(roles, '"org:admin"', '') = roles
        OR EXISTS (SELECT others.id FROM api_keys others WHERE others.account_id = ? AND others.id <> ?
          AND replace(others.roles, '"org:admin"', '') <> others.roles AND others.revoked_at IS NULL
          AND others.replaced_by IS NULL AND (others.expires_at IS NULL OR others.expires_at > ?))
        OR EXISTS (SELECT owners.id FROM members owners WHERE owners.account_id = ? AND owners.role = 'owner'
          AND owners.status = 'active'))`,
    params: [nowMs, accountId, id, accountId, id, nowMs, accountId],
    expect: 1,
    onRefused: () =>
      new ApiError(
        'state_conflict',
        'This is the last key with org:admin, and the account has no owner who could make another; create one first, or roll this one.',
      ),
  }
}

/** How a key is to be rolled. */
export interface KeyRoll {
  /** How long the old key still works. */
  overlapHours: number
  /** When the new key expires, as Unix time; by default it lives as long as the old one was made for. */
  expiresAtMs: number | null
  /** The member or key that rolls it; absent for an operator. */
  createdBy?: string
}

const HOUR_MS = 60 * 60 * 1_000

/**
 * Replaces a key: a new one with the same rights; the old one keeps working for some hours.
 *
 * @throws {ApiError} `state_conflict` for a key that is not good, or was rolled before.
 */
export function rollApiKey(
  old: ListedKey,
  { overlapHours, expiresAtMs, createdBy }: KeyRoll,
  services: Pick<Services, 'clock' | 'randomness' | 'environment'>,
): { text: string; key: ListedKey; after: ListedKey & { expiresAt: string }; writes: Write[] } {
  if (old.replacedBy !== null) throw rolledAlready(old.replacedBy)
  if (old.state !== 'good') {
    throw new ApiError('state_conflict', `This key is ${old.state} and cannot be rolled; create a new one.`)
  }
  const nowMs = services.clock.now()
  const { accountId, id, name, kind, roles, scopes, storeId, allowedOrigins } = old
  const same = { accountId, name, kind, roles, scopes, storeId, allowedOrigins, ...(createdBy && { createdBy }) }
  const endsMs = old.expiresAt === null ? null : Date.parse(old.expiresAt)
  const sameLifeMs = endsMs === null ? null : nowMs + endsMs - Date.parse(old.createdAt)
  const { text, key, write } = newApiKey({ ...same, expiresAtMs: expiresAtMs ?? sameLifeMs }, services)
  const untilMs = Math.min(endsMs ?? Infinity, nowMs + overlapHours * HOUR_MS)
  const replace: Write = {
    sql: `UPDATE api_keys SET replaced_by = ?, expires_at = ?
      WHERE account_id = ? AND id = ? AND replaced_by IS NULL AND revoked_at IS NULL`,
    params: [key.id, untilMs, accountId, id],
    expect: 1,
    onRefused: () => new ApiError('state_conflict', 'This key was rolled or revoked meanwhile; list the keys again.'),
  }
  const after = { ...old, expiresAt: new Date(untilMs).toISOString(), replacedBy: key.id }
  return { text, key, after, writes: [replace, write] }
}

function rolledAlready(id: string): ApiError {
  return new ApiError('state_conflict', `This key was rolled already; roll its replacement, '${id}', instead.`)
}

/**
 * The origins of the pages of a publishable key, as browsers send them, each once. Outside `local` only `https:` ones.
 *
 * @throws {ApiError} `parameter_invalid` for none, too many, and what is no origin.
 */
export function checkAllowedOrigins(origins: readonly string[], environment: Environment): string[] {
  const checked = new Set(origins.map((origin, index) => checkOrigin(origin, `allowedOrigins[${index}]`, environment)))
  if (checked.size === 0) {
    const message = 'name the pages that the key is for, such as https://shop.example.'
    throw new ApiError('parameter_invalid', message, { param: 'allowedOrigins' })
  }
  if (checked.size <= KEY_ORIGINS_MAX) return [...checked]
  const message = `a key is for ${KEY_ORIGINS_MAX} origins at most; make another key for the others.`
  throw new ApiError('parameter_invalid', message, { param: 'allowedOrigins' })
}

function checkOrigin(text: string, param: string, environment: Environment): string {
  if (environment !== 'production' && isAnyPort(text)) return text
  const url = URL.canParse(text) ? new URL(text) : null
  const allowed = environment === 'local' ? /^https?:$/ : /^https:$/
  if (url !== null && allowed.test(url.protocol) && `${url.origin}/` === url.href) return url.origin
  const wanted = environment === 'local' ? 'scheme, host and port' : 'https:, host and port'
  const message = `'${text}' is not an origin; it is ${wanted} alone, such as https://shop.example.`
  throw new ApiError('parameter_invalid', message, { param })
}
