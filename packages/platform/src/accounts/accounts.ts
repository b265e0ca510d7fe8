import {
  ASSET_MAX_BYTES,
  BODY_MAX_BYTES,
  DEPLOYMENT_MAX_BYTES,
  DEPLOYMENT_MAX_FILES,
  DEPLOY_BODY_MAX_BYTES,
  type Contract,
  type Plan,
  type RateLimit,
  type ResponseOf,
} from '@tillwright/contract'
import type { Call, Handlers, Reply, Write } from '../call.ts'

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
  testKey: async (_, call) => keyCheck(call),
  testKeyByPost: async (_, call) => keyCheck(call),
}

function keyCheck({ caller, parts }: Call): Reply<ResponseOf<Contract['accounts']['testKey']>> {
  return {
    body: {
      success: true,
      accountId: caller.accountId,
      environment: parts.environment,
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
