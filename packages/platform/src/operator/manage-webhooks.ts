import { ApiError } from '../ambient/api-error.ts'
import { newId } from '../ambient/ids.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import { refuseUndeliverable } from '../events/refuse-undeliverable.ts'
import {
  listEndpoints,
  newEndpoint,
  removeEndpoint,
  rotateSecret,
  type EndpointCall,
  type NewEndpoint,
  type WebhookEndpoint,
} from '../events/webhook-endpoints.ts'
import { commit } from '../http/commit.ts'
import { chooseAccount } from './choose-account.ts'
import type { OperatorParts } from './operator-parts.ts'

/** An endpoint with the account that it belongs to. */
export type ListedEndpoint = WebhookEndpoint & { accountId: string }

/** An endpoint with a new secret, which nobody can be shown again. */
export type EndpointSecret = ListedEndpoint & { secret: string }

/** What an operator does to webhook endpoints. `account` may be left out where there is one. */
export interface WebhookManagement {
  add(wanted: NewEndpoint & { account?: string }): Promise<EndpointSecret>
  /** The oldest first. */
  list(account: string | undefined): Promise<ListedEndpoint[]>
  /** The former secret signs beside the new one for 24 hours. */
  rotate(id: string): Promise<EndpointSecret>
  /** What was still to be sent there is not sent any more. */
  remove(id: string): Promise<ListedEndpoint>
}

export function manageWebhooks(parts: OperatorParts): WebhookManagement {
  const { db } = parts
  async function listed(accountId: string): Promise<ListedEndpoint[]> {
    return (await listEndpoints(db, accountId)).map((endpoint) => ({ ...endpoint, accountId }))
  }
  async function found(id: string): Promise<ListedEndpoint> {
    const [row] = await db.read('SELECT account_id FROM webhook_endpoints WHERE id = ?', [id])
    const endpoints = row === undefined ? [] : await listed(String(row['account_id']))
    const endpoint = endpoints.find((each) => each.id === id)
    if (endpoint !== undefined) return endpoint
    throw new OperatorError(
      `There is no endpoint '${id}'; "tillwright webhooks list" shows the ids of those there are.`,
    )
  }
  return {
    add: ({ account, ...wanted }) =>
      refused(async () => {
        const accountId = await chooseAccount(db, account)
        const { endpoint, secret, writes } = newEndpoint(wanted, callOf(accountId, parts))
        await refuseUndeliverable(new URL(endpoint.url), parts)
        await commit(writes, parts)
        return { ...endpoint, accountId, secret }
      }),
    list: async (account) => listed(await chooseAccount(db, account)),
    rotate: (id) =>
      refused(async () => {
        const endpoint = await found(id)
        const rotated = await rotateSecret(db, id, callOf(endpoint.accountId, parts))
        if (rotated === null) throw new OperatorError(`The endpoint '${id}' was removed meanwhile.`)
        await commit(rotated.writes, parts)
        return { ...endpoint, secret: rotated.secret }
      }),
    async remove(id) {
      const endpoint = await found(id)
      await commit(removeEndpoint(endpoint.accountId, id), parts)
      return endpoint
    },
  }
}

function callOf(accountId: string, parts: OperatorParts): EndpointCall {
  const nowMs = parts.clock.now()
  return { nowMs, newId: (prefix) => newId(prefix, nowMs, parts.randomness), caller: { accountId }, parts }
}

/** The rules of the API, told to an operator. */
async function refused<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new OperatorError(
      error.details.param === undefined ? error.message : `${error.details.param}: ${error.message}`,
    )
  }
}
