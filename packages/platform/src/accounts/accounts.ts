import {
  ASSET_MAX_BYTES,
  BODY_MAX_BYTES,
  type Contract,
  DEPLOY_BODY_MAX_BYTES,
  DEPLOYMENT_MAX_BYTES,
  DEPLOYMENT_MAX_FILES,
  type Plan,
  plans,
  type RateLimit,
  type ResponseOf,
  type ThreedsProviderName,
} from '@tillwright/contract'
import type { RequestContext, Handlers, Reply, Write } from '../request-context.ts'
import { type Database, type RowOf, rowReader, type Value } from '../storage/index.ts'
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
    sql: 'INSERT INTO accounts (id, name, plan, rate_per_minute, rate_burst, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    params: [
      account.id,
      account.name,
      account.plan,
      account.rateLimit?.perMinute ?? null,
      account.rateLimit?.burst ?? null,
      nowMs,
    ],
  }
}

/** The operations on the account itself. Source: reference, "GET /auth/test". */
export const accounts: Handlers<Contract['accounts']> = {
  testKey: async (_, context) => keyCheck(context),
  testKeyByPost: async (_, context) => keyCheck(context),
}

function keyCheck({ caller, services }: RequestContext): Reply<ResponseOf<Contract['accounts']['testKey']>> {
  return {
    body: {
      success: true,
      accountId: caller.accountId,
      environment: services.environment,
      keyId: caller.keyId,
      roles: [...caller.roles],
      scopes: [...caller.scopes],
      plan: caller.plan,
      limits: {
        requestsPerMinute: caller.rateLimit.perMinute,
        burst: caller.rateLimit.burst,
        bodyMaxBytes: BODY_MAX_BYTES,
        deployBodyMaxBytes: DEPLOY_BODY_MAX_BYTES,
        assetMaxBytes: ASSET_MAX_BYTES,
        deploymentMaxFiles: DEPLOYMENT_MAX_FILES,
        deploymentMaxBytes: DEPLOYMENT_MAX_BYTES,
      },
    },
  }
}

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
  /** ISO 8601. */
  createdAt: string
}

/** Omitted fields stay unchanged; a `rateLimit` of `null` restores the plan's. */
export interface AccountChange {
  name?: string
  plan?: Plan
  rateLimit?: RateLimit | null
  threedsProvider?: ThreedsProviderName
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
export function updateAccount(id: string, { name, plan, rateLimit, threedsProvider }: AccountChange): Write[] {
  const set = (columns: string, ...values: Value[]): Write => ({
    sql: `UPDATE accounts SET ${columns} WHERE id = ?`,
    params: [...values, id],
  })
  return [
    ...(name === undefined ? [] : [set('name = ?', name)]),
    ...(plan === undefined ? [] : [set('plan = ?', plan)]),
    ...(threedsProvider === undefined ? [] : [set('threeds_provider = ?', threedsProvider)]),
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
    createdAt: new Date(row.created_at).toISOString(),
  }
}
