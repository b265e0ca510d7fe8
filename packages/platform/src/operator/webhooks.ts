import {
  type Contract,
  type FiltersOf,
  SECRET_OVERLAP_DEFAULT_H,
  SECRET_OVERLAP_MAX_H,
  type WebhookEndpoint,
} from '@tillwright/contract'
import {
  emitterAt,
  enableEndpoint,
  type EndpointCall,
  listEndpoints,
  newEndpoint,
  type NewEndpoint,
  readEndpointPage,
  refuseUndeliverable,
  removeEndpoint,
  rotateSecret,
  requireRoomForEndpoint,
  webhookEndpointsTable,
} from '../events/index.ts'
import { commit } from '../http/index.ts'
import { OperatorError } from '../runtime/index.ts'
import { type Database, pick, rowReader } from '../storage/index.ts'
import { chooseAccount } from './accounts.ts'
import { requireStore } from './keys.ts'
import {
  type CommandChange,
  everyEntry,
  type OperatorServices,
  recordCommand,
  requireOverlap,
  withOperatorErrors,
} from './operator-services.ts'

/** An endpoint that is wanted. `account` may be left out where there is one; without `store` it is for all stores. */
export type WantedEndpoint = Omit<NewEndpoint, 'storeId'> & { account?: string; store?: string }

/** An endpoint with a new secret, which cannot be shown again. */
export type EndpointSecret = ListedEndpoint & { secret: string }

/** Operator commands for webhook endpoints. */
export interface WebhookManagement {
  add(wanted: WantedEndpoint): Promise<EndpointSecret>
  /** The oldest first. `account` may be left out where there is one. */
  list(
    account: string | undefined,
    filters?: FiltersOf<Contract['webhookEndpoints']['list']>,
  ): Promise<ListedEndpoint[]>
  get(id: string): Promise<ListedEndpoint>
  /** Lets deliveries begin again, with failures forgiven. Failed deliveries stay failed until they are replayed. */
  enable(id: string): Promise<ListedEndpoint>
  /**
   * Gives it a new secret; the former signs as well for `overlapHours` more.
   *
   * @param overlapHours From 0 to `SECRET_OVERLAP_MAX_H`; 24 unless given.
   */
  rotate(id: string, overlapHours?: number): Promise<EndpointSecret>
  /** Deletes an endpoint. Pending deliveries to it are dropped. */
  remove(id: string): Promise<ListedEndpoint>
}

export function manageWebhooks(services: OperatorServices): WebhookManagement {
  const { db } = services
  async function found(id: string): Promise<ListedEndpoint> {
    const endpoint = await findEndpoint(db, id)
    if (endpoint !== null) return endpoint
    throw new OperatorError(
      `There is no endpoint '${id}'; "tillwright webhooks list" shows the ids of those there are.`,
    )
  }
  return {
    add: ({ account, store, ...wanted }) =>
      withOperatorErrors(async () => {
        const accountId = await chooseAccount(db, account)
        if (store !== undefined) await requireStore(db, accountId, store)
        const of = store === undefined ? wanted : { ...wanted, storeId: store }
        await requireRoomForEndpoint(accountId, db)
        const { endpoint, secret, writes } = newEndpoint(of, callOf(accountId, services))
        await refuseUndeliverable(new URL(endpoint.url), services)
        const recorded = recordCommand(changeOf('webhooks.create', endpoint), services)
        await commit([...writes, ...recorded], services)
        return { ...endpoint, secret }
      }),
    async list(account, filters = {}) {
      const accountId = await chooseAccount(db, account)
      return everyEntry(filters, (query) => readEndpointPage(query, accountId, db))
    },
    get: found,
    async enable(id) {
      const endpoint = await found(id)
      if (endpoint.enabled && endpoint.failingSince === null) return endpoint
      const recorded = recordCommand(changeOf('webhooks.enable', endpoint), services)
      await withOperatorErrors(() => commit([...enableEndpoint(endpoint.accountId, id), ...recorded], services))
      return found(id)
    },
    rotate: (id, overlapHours = SECRET_OVERLAP_DEFAULT_H) =>
      withOperatorErrors(async () => {
        requireOverlap(overlapHours, SECRET_OVERLAP_MAX_H)
        const endpoint = await found(id)
        const rotated = await rotateSecret(db, id, { ...callOf(endpoint.accountId, services), overlapHours })
        if (rotated === null) throw new OperatorError(`The endpoint '${id}' was removed meanwhile.`)
        const recorded = recordCommand(changeOf('webhooks.rotate', endpoint), services)
        await commit([...rotated.writes, ...recorded], services)
        return { ...endpoint, secret: rotated.secret }
      }),
    async remove(id) {
      const endpoint = await found(id)
      const recorded = recordCommand(changeOf('webhooks.remove', endpoint), services)
      await withOperatorErrors(() => commit([...removeEndpoint(endpoint.accountId, id), ...recorded], services))
      return endpoint
    },
  }
}

function changeOf(operation: string, endpoint: ListedEndpoint): CommandChange {
  const { accountId, id } = endpoint
  const side = operation === 'webhooks.create' ? { after: endpoint } : { before: endpoint }
  return { accountId, operation, resource: { type: 'webhookEndpoint', id }, ...side }
}

function callOf(accountId: string, services: OperatorServices): EndpointCall {
  return { ...emitterAt(accountId, services), services }
}

/** An endpoint as lists show it. */
export type ListedEndpoint = WebhookEndpoint

/** The endpoint of an id, whosever it is, or `null`. */
export async function findEndpoint(db: Database, id: string): Promise<ListedEndpoint | null> {
  const [row] = readOwners(await db.read('SELECT account_id FROM webhook_endpoints WHERE id = ?', [id]))
  if (row === undefined) return null
  const accountId = row.account_id
  return (await listEndpoints(db, accountId)).find((each) => each.id === id) ?? null
}

const readOwners = rowReader(pick(webhookEndpointsTable, 'account_id'))
