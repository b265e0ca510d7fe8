import type { Plan, RateLimit } from '@tillwright/contract'
import { insertAccount } from '../accounts/accounts.ts'
import {
  findAccount,
  listAccounts,
  updateAccount,
  type AccountChange,
  type ListedAccount,
} from '../accounts/account-records.ts'
import { newId } from '../ambient/ids.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import { commit } from '../http/commit.ts'
import { checkName } from './check-name.ts'
import type { OperatorParts } from './operator-parts.ts'

/** What an operator does to accounts. */
export interface AccountManagement {
  create(account: { name: string; plan: Plan; rateLimit?: RateLimit }): Promise<ListedAccount>
  /** The oldest first. */
  list(): Promise<ListedAccount[]>
  update(id: string, change: AccountChange): Promise<ListedAccount>
}

/** Far above any plan, and far below what the buckets' arithmetic holds. */
const RATE_MAX = 1_000_000

export function manageAccounts(parts: OperatorParts): AccountManagement {
  const { db, clock, randomness } = parts
  async function found(id: string): Promise<ListedAccount> {
    const account = await findAccount(db, id)
    if (account !== null) return account
    throw new OperatorError(`There is no account '${id}'; "tillwright accounts list" shows those there are.`)
  }
  return {
    async create({ name, plan, rateLimit }) {
      const nowMs = clock.now()
      const id = newId('acc', nowMs, randomness)
      const limits = rateLimit === undefined ? {} : { rateLimit: checkRateLimit(rateLimit) }
      await commit([insertAccount({ id, name: checkName(name), plan, ...limits }, nowMs)], parts)
      return found(id)
    },
    list: () => listAccounts(db),
    async update(id, { name, rateLimit, ...change }) {
      await found(id)
      const checked: AccountChange = {
        ...change,
        ...(name !== undefined && { name: checkName(name) }),
        ...(rateLimit !== undefined && { rateLimit: rateLimit && checkRateLimit(rateLimit) }),
      }
      await commit(updateAccount(id, checked), parts)
      return found(id)
    },
  }
}

function checkRateLimit(rateLimit: RateLimit): RateLimit {
  for (const [option, value] of [
    ['--rate-per-minute', rateLimit.perMinute],
    ['--burst', rateLimit.burst],
  ] as const) {
    if (Number.isInteger(value) && value >= 1 && value <= RATE_MAX) continue
    throw new OperatorError(`${option}: must be a whole number from 1 to ${RATE_MAX}.`)
  }
  return rateLimit
}
