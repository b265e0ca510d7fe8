import { newId } from '../ambient/ids.ts'
import { OperatorError } from '../ambient/operator-error.ts'
import { refuseUndeliverable } from '../events/refuse-undeliverable.ts'
import {
  enableEndpoint,
  listEndpoints,
  newEndpoint,
  removeEndpoint,
  rotateSecret,
  type EndpointCall,
  type NewEndpoint,
} from '../events/webhook-endpoints.ts'
import { commit } from '../http/commit.ts'
import { chooseAccount } from './choose-account.ts'
import { findEndpoint, type ListedEndpoint } from './find-endpoint.ts'
import type { OperatorParts } from './operator-parts.ts'
import { requireStore } from './require-store.ts'
import { tellOperator } from './tell-operator.ts'

/** An endpoint that is wanted. `account` may be left out where there is one; without `store` it is for all stores. */
export type WantedEndpoint = Omit<NewEndpoint, 'storeId'> & { account?: string; store?: string }

/** An endpoint with a new secret, which nobody can be shown again. */
export type EndpointSecret = ListedEndpoint & { secret: string }

/** What an operator does to webhook endpoints. */
export interface WebhookManagement {
  add(wanted: WantedEndpoint): Promise<EndpointSecret>
  /** The oldest first. `account` may be left out where there is one. */
  list(account: string | undefined): Promise<ListedEndpoint[]>
  /** Lets deliveries begin again, with failures forgiven. What has failed stays failed until it is replayed. */
  enable(id: string): Promise<ListedEndpoint>
  /** The former secret signs beside the new one for 24 hours. */
  rotate(id: string): Promise<EndpointSecret>
  /** What was still to be sent there is not sent any more. */
  remove(id: string): Promise<ListedEndpoint>
}

export function manageWebhooks(parts: OperatorParts): WebhookManagement {
  const { db } = parts
  async function found(id: string): Promise<ListedEndpoint> {
    const endpoint = await findEndpoint(db, id)
    if (endpoint !== null) return endpoint
    throw new OperatorError(
      `There is no endpoint '${id}'; "tillwright webhooks list" shows the ids of those there are.`,
    )
  }
  return {
    add: ({ account, store, ...wanted }) =>
      told(async () => {
        const accountId = await chooseAccount(db, account)
        if (store !== undefined) await requireStore(db, accountId, store)
        const of = store === undefined ? wanted : { ...wanted, storeId: store }
        const { endpoint, secret, writes } = newEndpoint(of, callOf(accountId, parts))
        await refuseUndeliverable(new URL(endpoint.url), parts)
        await commit(writes, parts)
        return { ...endpoint, accountId, secret }
      }),
    async list(account) {
      const accountId = await chooseAccount(db, account)
      return (await listEndpoints(db, accountId)).map((endpoint) => ({ ...endpoint, accountId }))
    },
    async enable(id) {
      const { accountId } = await found(id)
      await told(() => commit(enableEndpoint(accountId, id), parts))
      return found(id)
    },
    rotate: (id) =>
      told(async () => {
        const endpoint = await found(id)
        const rotated = await rotateSecret(db, id, callOf(endpoint.accountId, parts))
        if (rotated === null) throw new OperatorError(`The endpoint '${id}' was removed meanwhile.`)
        await commit(rotated.writes, parts)
        return { ...endpoint, secret: rotated.secret }
      }),
    async remove(id) {
      const endpoint = await found(id)
      await told(() => commit(removeEndpoint(endpoint.accountId, id), parts))
      return endpoint
    },
  }
}

function callOf(accountId: string, parts: OperatorParts): EndpointCall {
  const nowMs = parts.clock.now()
  return { nowMs, newId: (prefix) => newId(prefix, nowMs, parts.randomness), caller: { accountId }, parts }
}

async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw tellOperator(error)
  }
}
