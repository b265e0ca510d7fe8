import {
  type Account,
  ASSET_MAX_BYTES,
  BODY_MAX_BYTES,
  type Contract,
  DEPLOY_BODY_MAX_BYTES,
  DEPLOYMENT_MAX_BYTES,
  DEPLOYMENT_MAX_FILES,
  LIVE_PROCESSORS_MAX,
  type Plan,
  plans,
  type RateLimit,
  type ResponseOf,
  type ThreedsProviderName,
  WEBHOOK_ENDPOINTS_MAX,
} from '@tillwright/contract'
import { changed } from '../changes/index.ts'
import { emit } from '../events/index.ts'
import type { RequestContext, Handlers, Reply, Write } from '../request-context.ts'
import { ApiError, missing } from '../runtime/index.ts'
import { type Database, int, type RowOf, rowReader, type Value } from '../storage/index.ts'
import { findKeys } from './api-keys.ts'
import { pluginUse } from './plugin-room.ts'
import { accountsTable } from './tables.ts'

/** `rateLimit` overrides the plan's, for an account whose operator has agreed on another. */
export interface NewAccount {
  id: string
  name: string
  plan: Plan
  rateLimit?: RateLimit
}

/** The statement that records an account. */
export function insertAccount(account: NewAccount, nowMs: number): Write {
  return {
    sql: 'INSERT INTO accounts (id, name, plan, rate_per_minute, rate_burst, updated_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    params: [
      account.id,
      account.name,
      account.plan,
      account.rateLimit?.perMinute ?? null,
      account.rateLimit?.burst ?? null,
      nowMs,
      nowMs,
    ],
  }
}

/**
 * Takes the row of the account, so that changes of its members and keys come one after another: of two owners who demote
 * each other at once, one stays.
 */
export function oneAfterAnother(accountId: string): Write {
  return { sql: 'UPDATE accounts SET name = name WHERE id = ?', params: [accountId], expect: 1 }
}

/** Whether a 3-D Secure provider can authenticate here. */
export type IsConfigured = (provider: ThreedsProviderName) => Promise<boolean>

/** The operations on the account of the caller. Source: reference, "GET /auth/test"; the others are not in the reference. */
export function accounts(isConfigured: IsConfigured): Handlers<Contract['accounts']> {
  return {
    testKey: async (_, context) => keyCheck(context),
    testKeyByPost: async (_, context) => keyCheck(context),
    get: async (_, context) => ({ body: await ownAccount(context) }),

    async update({ body: sent }, context) {
      const current = await ownAccount(context)
      const change = changed({ what: 'account', current, sent }, context)
      if (change === null) return { body: current }
      const { resource: account, fields } = change
      const { id, name, threedsProvider, revision } = account
      if (fields.includes('threedsProvider')) await requireConfigured(threedsProvider, isConfigured)
      const writes = [
        {
          sql: 'UPDATE accounts SET revision = revision + 1 WHERE id = ? AND revision = ?',
          params: [id, revision - 1],
          expect: 1,
        },
        {
          sql: 'UPDATE accounts SET name = ?, threeds_provider = ?, updated_at = ? WHERE id = ?',
          params: [name, threedsProvider, context.nowMs, id],
        },
        ...emit('s_account_updated', { properties: { accountId: id, changed: [...fields] } }, context),
      ]
      const recorded = { resource: { type: 'account', id }, before: current, after: account }
      return { body: account, writes, change: recorded }
    },
  }
}

/** A provider that cannot authenticate must not be selected: payments would go on without authentication. */
async function requireConfigured(provider: ThreedsProviderName, isConfigured: IsConfigured): Promise<void> {
  if (await isConfigured(provider)) return
  const param = 'threedsProvider'
  const message = `${param}: the 3-D Secure provider '${provider}' is not configured here; select another, or ask the operator.`
  throw new ApiError('parameter_invalid', message, { param })
}

async function keyCheck(context: RequestContext): Promise<Reply<ResponseOf<Contract['accounts']['testKey']>>> {
  const { caller, services, nowMs } = context
  const { db, environment } = services
  const [key] = await findKeys(db, { accountId: caller.accountId, ids: [caller.keyId], environment, nowMs })
  return {
    body: {
      success: true,
      accountId: caller.accountId,
      environment,
      keyId: caller.keyId,
      roles: [...caller.roles],
      scopes: [...caller.scopes],
      expiresAt: key?.expiresAt ?? null,
      replacedBy: key?.replacedBy ?? null,
      plan: caller.plan,
      limits: limitsOf(caller.rateLimit),
    },
  }
}

function limitsOf({ perMinute, burst }: RateLimit): ResponseOf<Contract['accounts']['testKey']>['limits'] {
  return {
    requestsPerMinute: perMinute,
    burst,
    bodyMaxBytes: BODY_MAX_BYTES,
    deployBodyMaxBytes: DEPLOY_BODY_MAX_BYTES,
    assetMaxBytes: ASSET_MAX_BYTES,
    deploymentMaxFiles: DEPLOYMENT_MAX_FILES,
    deploymentMaxBytes: DEPLOYMENT_MAX_BYTES,
  }
}

async function ownAccount({ caller: { accountId }, services: { db, environment } }: RequestContext): Promise<Account> {
  const [row] = readAccounts(await db.read(`${selectAccounts} WHERE id = ?`, [accountId]))
  if (row === undefined) throw missing('account', accountId)
  const [counts] = readCounts(await db.read(countUsed, [accountId, accountId]))
  const { id, name, plan, rateLimit, ownRateLimit, threedsProvider, pagesOffSince, createdAt } = listed(row)
  return {
    id,
    name,
    environment,
    plan,
    limits: {
      ...limitsOf(rateLimit),
      ownRateLimit,
      processors: { max: LIVE_PROCESSORS_MAX, used: counts?.processors ?? 0 },
      webhookEndpoints: { max: WEBHOOK_ENDPOINTS_MAX, used: counts?.endpoints ?? 0 },
      ...(await pluginUse({ accountId, plan }, db)),
    },
    threedsProvider,
    pagesOffSince,
    createdAt,
    revision: row.revision,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

const countUsed = `SELECT
  (SELECT count(*) FROM processors WHERE account_id = ? AND archived_at IS NULL) AS processors,
  (SELECT count(*) FROM webhook_endpoints WHERE account_id = ?) AS endpoints`
const readCounts = rowReader({ processors: int, endpoints: int })

/** An account as its operator sees it. */
export interface ListedAccount {
  id: string
  name: string
  plan: Plan
  /** The effective limit: the account's own, or its plan's. */
  rateLimit: RateLimit
  /** Whether `rateLimit` is specific to this account rather than its plan's. */
  ownRateLimit: boolean
  /** The provider that authenticates the buyers of its payments. A session of its own names its provider itself. */
  threedsProvider: ThreedsProviderName
  /** Since when its plugins' pages are not shown, as ISO 8601; `null` while they are. */
  pagesOffSince: string | null
  /** ISO 8601. */
  createdAt: string
}

/** Omitted fields stay unchanged; a `rateLimit` of `null` restores the plan's. */
export interface AccountChange {
  name?: string
  plan?: Plan
  rateLimit?: RateLimit | null
  threedsProvider?: ThreedsProviderName
  /** Whether hosts show the pages of its plugins. */
  pages?: 'on' | 'off'
}

/** All accounts, the oldest first. */
export async function listAccounts(db: Database): Promise<ListedAccount[]> {
  return readAccounts(await db.read(`${selectAccounts} ORDER BY created_at, id`, [])).map(listed)
}

/** An account, or `null`. */
export async function findAccount(db: Database, id: string): Promise<ListedAccount | null> {
  const [row] = readAccounts(await db.read(`${selectAccounts} WHERE id = ?`, [id]))
  return row === undefined ? null : listed(row)
}

/** Returns the statements that change an account; none if nothing changes. */
export function updateAccount(
  id: string,
  { name, plan, rateLimit, threedsProvider, pages }: AccountChange,
  nowMs: number,
): Write[] {
  const set = (columns: string, ...values: Value[]): Write => ({
    sql: `UPDATE accounts SET ${columns}, revision = revision + 1, updated_at = ? WHERE id = ?`,
    params: [...values, nowMs, id],
  })
  return [
    ...(name === undefined ? [] : [set('name = ?', name)]),
    ...(plan === undefined ? [] : [set('plan = ?', plan)]),
    ...(threedsProvider === undefined ? [] : [set('threeds_provider = ?', threedsProvider)]),
    ...(pages === 'on' ? [set('pages_off_at = NULL')] : []),
    ...(pages === 'off' ? [set('pages_off_at = COALESCE(pages_off_at, ?)', nowMs)] : []),
    ...(rateLimit === undefined
      ? []
      : [set('rate_per_minute = ?, rate_burst = ?', rateLimit?.perMinute ?? null, rateLimit?.burst ?? null)]),
  ]
}

const selectAccounts = 'SELECT * FROM accounts'
const readAccounts = rowReader(accountsTable)

function listed(row: RowOf<typeof accountsTable>): ListedAccount {
  const { id, name, plan, rate_per_minute: perMinute, rate_burst: burst } = row
  const own = perMinute === null || burst === null ? null : { perMinute, burst }
  return {
    id,
    name,
    plan,
    rateLimit: own ?? plans[plan],
    ownRateLimit: own !== null,
    threedsProvider: row.threeds_provider,
    pagesOffSince: row.pages_off_at === null ? null : new Date(row.pages_off_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  }
}
