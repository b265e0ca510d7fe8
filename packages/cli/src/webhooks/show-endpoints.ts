import type { ListedEndpoint } from '@tillwright/platform'
import pc from 'picocolors'
import { facts, table } from '../terminal/align.ts'

/** An endpoint with a new secret: the only sight of it. */
export function showSecret({ secret, ...endpoint }: ListedEndpoint & { secret: string }): string {
  const advice = 'This is shown once. Give it to the receiver, which verifies every webhook with it.'
  return `${pc.bold(secret)}\n\n${advice}\n\n${showEndpoint(endpoint)}`
}

/** One endpoint. */
export function showEndpoint(endpoint: ListedEndpoint): string {
  return facts([
    ['id', endpoint.id],
    ['account', endpoint.accountId],
    ['url', endpoint.url],
    ['store', store(endpoint)],
    ['events', events(endpoint)],
    ['state', state(endpoint)],
  ])
}

/** An account's endpoints. */
export function showEndpoints(endpoints: readonly ListedEndpoint[]): string {
  if (endpoints.length === 0) return 'There are no endpoints yet; add one with "tillwright webhooks add URL".\n'
  return table(
    ['id', 'url', 'store', 'events', 'state', 'created'],
    endpoints.map((endpoint) => [
      endpoint.id,
      endpoint.url,
      store(endpoint),
      events(endpoint),
      state(endpoint),
      endpoint.createdAt,
    ]),
  )
}

function store({ storeId }: ListedEndpoint): string {
  return storeId ?? 'all'
}

function events({ eventTypes, drafts }: ListedEndpoint): string {
  return `${eventTypes === '*' ? 'all' : eventTypes.join(' ')}${drafts ? ', drafts too' : ''}`
}

function state({ enabled, failingSince }: ListedEndpoint): string {
  if (!enabled) return 'disabled'
  return failingSince === null ? 'good' : `failing since ${failingSince}`
}
