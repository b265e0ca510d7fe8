import type { Contract, RequestOf, WebhookEndpoint } from '@tillwright/contract'
import { changed, updateRow } from '../changes/index.ts'
import { equalTo, type ListTable, readList } from '../lists/index.ts'
import type { Handlers, RequestContext, Write } from '../request-context.ts'
import { missing } from '../runtime/index.ts'
import { type Database, type ListPage, staleReads } from '../storage/index.ts'
import { listDeliveries } from './deliveries.ts'
import { refuseUndeliverable } from './refuse-undeliverable.ts'
import { emit } from './emit.ts'
import {
  checkedUrl,
  findEndpoints,
  newEndpoint,
  removeEndpoint,
  requireRoomForEndpoint,
  rotateSecret,
} from './endpoints.ts'
import { countReplayed, planReplay, planReplayPage } from './replays.ts'

/** The operations on webhook endpoints and their deliveries. */
export const webhookEndpoints: Handlers<Contract['webhookEndpoints']> = {
  list: async ({ query }, { caller: { accountId }, services: { db } }) => ({
    body: await readEndpointPage(query, accountId, db),
  }),

  get: async ({ params }, context) => ({ body: await requireEndpoint(params.endpointId, context) }),

  async create({ body: { storeId = null, ...wanted } }, context) {
    const { caller, services } = context
    await requireRoomForEndpoint(caller.accountId, services.db)
    const { endpoint, secret, writes } = newEndpoint({ ...wanted, storeId }, context)
    await refuseUndeliverable(new URL(endpoint.url), services)
    const events = emit('s_webhook_endpoint_created', { properties: { webhookEndpointId: endpoint.id } }, context)
    const change = { ...ofEndpoint(endpoint.id), after: endpoint }
    return { body: { endpoint, secret }, writes: [...writes, ...events], change }
  },

  async update({ params, body: sent }, context) {
    const current = await requireEndpoint(params.endpointId, context)
    const isForgiven = sent.enabled === true && (!current.enabled || current.failingSince !== null)
    const unshown = isForgiven && current.enabled ? ['failingSince'] : []
    const change = changed({ what: 'webhook endpoint', current, sent, unshown }, context)
    if (change === null) return { body: current }
    const { fields, resource } = change
    const has = (field: keyof WebhookEndpoint) => fields.includes(field)
    if (has('url')) await refuseUndeliverable(new URL(checkedUrl(resource.url)), context.services)
    const endpoint = { ...resource, failingSince: isForgiven ? null : resource.failingSince }
    const { url, eventTypes, drafts, enabled } = endpoint
    const set = {
      updated_at: context.nowMs,
      ...(has('url') && { url }),
      ...(has('eventTypes') && { event_types: eventTypes === '*' ? '*' : JSON.stringify(eventTypes) }),
      ...(has('drafts') && { drafts: Number(drafts) }),
      ...(has('enabled') && { enabled: Number(enabled) }),
      ...(isForgiven && { failing_since: null }),
    }
    const { accountId } = context.caller
    return {
      body: endpoint,
      writes: [
        ...updateRow('webhook_endpoints', set, { accountId, resource: endpoint }),
        ...updated(endpoint.id, fields, context),
      ],
      change: { ...ofEndpoint(endpoint.id), before: current, after: endpoint },
    }
  },

  async rotateSecret({ params, body }, context) {
    const endpoint = await requireEndpoint(params.endpointId, context)
    const rotated = await rotateSecret(context.services.db, endpoint.id, { ...context, ...body })
    if (rotated === null) throw missing('webhook endpoint', endpoint.id, 'endpointId')
    const change = { ...ofEndpoint(endpoint.id), after: { id: endpoint.id, overlapHours: body.overlapHours } }
    const writes = [...rotated.writes, ...updated(endpoint.id, ['secret'], context)]
    return { body: { endpoint, secret: rotated.secret }, writes, change }
  },

  async delete({ params }, context) {
    const endpoint = await requireEndpoint(params.endpointId, context)
    const events = emit('s_webhook_endpoint_deleted', { properties: { webhookEndpointId: endpoint.id } }, context)
    const writes = [...removeEndpoint(context.caller.accountId, endpoint.id), ...events]
    return { body: endpoint, writes, change: { ...ofEndpoint(endpoint.id), before: endpoint, after: null } }
  },

  async listDeliveries({ query: { endpointId, eventId, state, after, limit } }, { caller: { accountId }, services }) {
    const filter = {
      accountId,
      limit,
      ...(endpointId !== undefined && { endpointId }),
      ...(eventId !== undefined && { eventId }),
      ...(state !== undefined && { state }),
      ...(after !== undefined && { after }),
    }
    const page = await listDeliveries(staleReads(services.db), filter)
    return { body: { ...page, data: [...page.data] } }
  },

  async replay({ params: { endpointId }, body: { eventId } }, context) {
    const { caller, services, nowMs } = context
    await requireEndpoint(endpointId, context)
    const writes = await planReplay(services.db, { accountId: caller.accountId, eventId, endpointId }, nowMs)
    const body = { eventId, endpointIds: [endpointId] }
    return { body, writes, change: { resource: { type: 'event', id: eventId }, after: body } }
  },

  async replayRange({ params: { endpointId }, body }, context) {
    const { caller, services, nowMs } = context
    await requireEndpoint(endpointId, context)
    const { from, to, which, after } = body
    const period = { fromMs: Date.parse(from), toMs: Date.parse(to), ...(after !== undefined && { after }) }
    const range = { ...period, accountId: caller.accountId, endpointId, which }
    const page = await planReplayPage(services.db, range, nowMs)
    if (page === null) return { body: { replayed: 0, hasMore: false, after: after ?? null } }
    const replayed = await countReplayed(services.db, range, page)
    const change = { ...ofEndpoint(endpointId), after: body }
    return { body: { replayed, hasMore: true, after: page.after }, writes: page.statements, change }
  },
}

/** A page of an account's endpoints. */
export function readEndpointPage(
  query: RequestOf<Contract['webhookEndpoints']['list']>['query'],
  accountId: string,
  db: Database,
): Promise<ListPage<WebhookEndpoint>> {
  const filters = equalTo('store_id', query.storeId)
  return readList(endpointList, { accountId, query, filters, anyOf: null }, db)
}

const endpointList: ListTable<WebhookEndpoint> = {
  table: 'webhook_endpoints',
  orderedBy: { id: 'whe' },
  indexed: [],
  read: findEndpoints,
}

function updated(webhookEndpointId: string, fields: readonly string[], context: RequestContext): Write[] {
  const properties = { webhookEndpointId, changed: [...fields] }
  return emit('s_webhook_endpoint_updated', { properties }, context)
}

function ofEndpoint(id: string) {
  return { resource: { type: 'webhookEndpoint', id } }
}

async function requireEndpoint(id: string, { caller, services }: RequestContext): Promise<WebhookEndpoint> {
  const [endpoint] = await findEndpoints([id], caller.accountId, services.db)
  if (endpoint === undefined) throw missing('webhook endpoint', id, 'endpointId')
  return endpoint
}
