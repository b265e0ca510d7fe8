import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { errorKinds } from './errors.ts'
import type { Operation } from './operation.ts'
import { eventTypes } from './resources/event-types.ts'

const operations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, ...operation })),
)

test('no two operations answer the same method and path', () => {
  const places = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(places).toHaveLength(new Set(places).size)
})

test('the public addresses are those of the reference, and what it lacks lies beside them', () => {
  const places = operations.map(({ method, path }) => `${method} ${path}`)
  expect(places.filter((place) => place.includes('/api/public/v1/')).toSorted()).toEqual([
    'GET /api/public/v1/auth/test',
    'GET /api/public/v1/events/{eventId}',
    'GET /api/public/v1/funnel-sessions/{sessionId}',
    'GET /api/public/v1/payment-flows',
    'GET /api/public/v1/payment-instruments/{paymentInstrumentId}',
    'GET /api/public/v1/products/{productId}',
    'POST /api/public/v1/auth/test',
    'POST /api/public/v1/events/statistics',
    'POST /api/public/v1/funnels/{funnelId}/preview-session',
    'POST /api/public/v1/payment-flows/create',
    'POST /api/public/v1/payment-instruments/create-from-token',
    'POST /api/public/v1/plugins/deployments',
    'POST /api/public/v1/plugins/promote-to-custom-domain',
    'POST /api/public/v1/plugins/v2/deploy',
    'POST /api/public/v1/plugins/v2/deployment/sync-config',
    'POST /api/public/v1/plugins/v2/deployment/sync-templates',
    'POST /api/public/v1/processors/delete',
    'POST /api/public/v1/products/create',
    'POST /api/public/v1/promotions/create',
    'POST /api/public/v1/promotions/getById',
    'POST /api/public/v1/promotions/update',
    'POST /api/public/v1/stores/create',
    'POST /api/public/v1/threeds/authenticate',
    'POST /api/public/v1/threeds/create-session',
  ])
  for (const { path } of operations)
    expect(path).toMatch(/^\/api\/(public|payments|funnels|plugins|events|session|vault)\/v1\//)
})

test('what the reference reserves for org:admin needs it, as does the event log, and nothing else', () => {
  const reserved = operations.filter(({ audience }) => audience === 'admin').map(({ id }) => id)
  expect(reserved.toSorted()).toEqual([
    'eventLog.list',
    'eventLog.replay',
    'eventLog.trigger',
    'events.get',
    'events.statistics',
    'paymentFlows.list',
    'processors.delete',
  ])
})

test.for(operations)('$id names in its path exactly the parameters that it reads', ({ path, params }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(Object.keys(params?.shape ?? {})).toEqual(named)
})

test.for(operations)('$id emits events and answers errors that exist', ({ emits = [], errors }) => {
  for (const type of emits) expect(Object.keys(eventTypes)).toContain(type)
  for (const code of errors) expect(Object.keys(errorKinds)).toContain(code)
})

test.for(operations)('$id makes retries safe exactly when it changes something for an account', (operation) => {
  const { id, emits, scope, audience, method } = operation
  // A key of a page is known to everybody, so that an answer which it has got once is given to nobody again.
  // What redeems a code for one use is given again to whoever has both that code and the key: a page that was not answered.
  const begins = audience === 'page' && id !== 'session.redeem'
  const changes =
    emits !== undefined ||
    scope?.endsWith(':write') === true ||
    (audience === 'session' && method !== 'GET') ||
    id === 'session.redeem'
  expect(operation.idempotent !== undefined).toBe(changes && !begins)
  if (changes) expect(audience === 'session' ? ['POST', 'PUT', 'DELETE'] : ['POST']).toContain(method)
})

test.for(operations)(
  '$id needs a scope that says whether it reads or writes, unless it needs a role or none',
  (operation) => {
    const { audience, scope, idempotent, path } = operation
    if (audience !== 'key' || path.endsWith('/auth/test')) expect(scope).toBeUndefined()
    else expect(scope).toMatch(idempotent === undefined ? /:read$/ : /:write$/)
  },
)

test('a body goes with POST and PUT alone', () => {
  for (const { method, body } of operations) if (body !== undefined) expect(['POST', 'PUT']).toContain(method)
})
