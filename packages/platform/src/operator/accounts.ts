import { NAME_MAX_CHARS, type Plan, type RateLimit } from '@tillwright/contract'
import {
  type AccountChange,
  accountsTable,
  findAccount,
  insertAccount,
  listAccounts,
  type ListedAccount,
  type PluginUse,
  pluginUse,
  updateAccount,
} from '../accounts/index.ts'
import { commit } from '../http/index.ts'
import { ownerOfHost, readHost } from '../plugins/index.ts'
import { newId, OperatorError } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { type OperatorServices, recordCommand } from './operator-services.ts'

/** Operator commands for accounts. */
export interface AccountManagement {
  create(account: { name: string; plan: Plan; rateLimit?: RateLimit }): Promise<ListedAccount>
  /** The oldest first. */
  list(): Promise<ListedAccount[]>
  /** With what it keeps of its plugins. `id` may be left out where there is one. */
  get(id: string | undefined): Promise<ListedAccount & PluginUse>
  update(id: string, change: AccountChange): Promise<ListedAccount>
  /** The one whose plugin a host is of: a deployment's own, an alias, or a domain. */
  ofHost(hostname: string): Promise<ListedAccount>
}

/** Far above any plan, and far below what the buckets' arithmetic holds. */
const RATE_MAX = 1_000_000

export function manageAccounts(services: OperatorServices): AccountManagement {
  const { db, clock, randomness } = services
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
      const account = { id, name: checkName(name), plan, ...limits }
      const resource = { type: 'account', id }
      const change = { accountId: id, operation: 'accounts.create', resource, after: account }
      await commit([insertAccount(account, nowMs), ...recordCommand(change, services)], services)
      return found(id)
    },
    list: () => listAccounts(db),
    async ofHost(hostname) {
      const name = readHost(hostname)
      const id = name === null ? null : await ownerOfHost(name, db)
      if (id !== null) return found(id)
      throw new OperatorError(
        `No plugin is on the host '${hostname}': name one as browsers do, such as pay.shop.example.`,
      )
    },
    async get(id) {
      const account = await found(id ?? (await chooseAccount(db, undefined)))
      return { ...account, ...(await pluginUse({ accountId: account.id, plan: account.plan }, db)) }
    },
    async update(id, { name, rateLimit, ...change }) {
      const before = await found(id)
      const checked: AccountChange = {
        ...change,
        ...(name !== undefined && { name: checkName(name) }),
        ...(rateLimit !== undefined && { rateLimit: rateLimit && checkRateLimit(rateLimit) }),
      }
      const resource = { type: 'account', id }
      const recorded = {
        accountId: id,
        operation: 'accounts.update',
        resource,
        before,
        after: { ...before, ...checked },
      }
      await commit([...updateAccount(id, checked, clock.now()), ...recordCommand(recorded, services)], services)
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

/**
 * Returns the account that a command applies to: the named one, or the only one.
 *
 * @throws {OperatorError} If there is no such account, none at all, or several to choose from.
 */
export async function chooseAccount(db: Database, named: string | undefined): Promise<string> {
  if (named !== undefined) {
    const rows = await db.read('SELECT id FROM accounts WHERE id = ?', [named])
    if (rows.length > 0) return named
    throw new OperatorError(
      `--account: there is no account '${named}'; "tillwright accounts list" shows those there are.`,
    )
  }
  const [only, another] = readIds(await db.read('SELECT id FROM accounts ORDER BY id LIMIT 2', []))
  if (only === undefined) {
    throw new OperatorError('There is no account yet; make one with "tillwright accounts create --name NAME".')
  }
  if (another !== undefined) {
    throw new OperatorError('--account: there are several accounts; name one that "tillwright accounts list" shows.')
  }
  return only.id
}

const readIds = rowReader(pick(accountsTable, 'id'))

/**
 * A name without the blanks around it.
 *
 * @throws {OperatorError} When nothing, or too much, is left.
 */
export function checkName(name: string): string {
  const trimmed = name.trim()
  if (trimmed.length > 0 && trimmed.length <= NAME_MAX_CHARS) return trimmed
  throw new OperatorError(`--name: must have 1 to ${NAME_MAX_CHARS} characters.`)
}
