import { expect, test } from 'vitest'
import { contract } from './contract.ts'
import { errorKinds } from './errors.ts'
import type { Operation } from './operation.ts'
import { eventTypes } from './resources/event-types.ts'

const operations = Object.entries(contract).flatMap(([group, named]) =>
  Object.entries<Operation>(named).map(([name, operation]) => ({ id: `${group}.${name}`, ...operation })),
)

test('no two operations have the same method and path', () => {
  const places = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`)
  expect(places).toHaveLength(new Set(places).size)
})

test('the public paths are those of the reference, and additions are outside them', () => {
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
    expect(path).toMatch(
      /^\/api\/(public|accounts|audit|payments|catalog|funnels|plugins|events|statistics|session|vault|members|platform)\/v1\//,
    )
})

test('only the operations that the reference reserves for org:admin, and how an account is run, need it', () => {
  const reserved = operations.filter(({ audience }) => audience === 'admin').map(({ id }) => id)
  expect(reserved.toSorted()).toEqual([
    'accounts.get',
    'accounts.update',
    'apiKeys.create',
    'apiKeys.get',
    'apiKeys.list',
    'apiKeys.revoke',
    'apiKeys.roll',
    'eventLog.list',
    'eventLog.replay',
    'eventLog.stream',
    'eventLog.trigger',
    'events.get',
    'events.statistics',
    'hooks.answers',
    'hooks.get',
    'hooks.list',
    'hooks.remove',
    'hooks.rotateSecret',
    'hooks.set',
    'members.endSessions',
    'members.get',
    'members.invite',
    'members.list',
    'members.listSessions',
    'members.remove',
    'members.update',
    'paymentFlows.list',
    'platform.get',
    'processors.check',
    'processors.create',
    'processors.delete',
    'processors.get',
    'processors.health',
    'processors.list',
    'processors.listDrivers',
    'processors.update',
    'testClock.advance',
    'testClock.get',
    'webhookEndpoints.create',
    'webhookEndpoints.delete',
    'webhookEndpoints.get',
    'webhookEndpoints.list',
    'webhookEndpoints.listDeliveries',
    'webhookEndpoints.replay',
    'webhookEndpoints.replayRange',
    'webhookEndpoints.rotateSecret',
    'webhookEndpoints.update',
  ])
})

test.for(operations)('$id has exactly the path parameters that it reads', ({ path, params }) => {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  expect(Object.keys(params?.shape ?? {})).toEqual(named)
})

test.for(operations)('$id emits events and returns errors that exist', ({ emits = [], errors }) => {
  for (const type of emits) expect(Object.keys(eventTypes)).toContain(type)
  for (const code of errors) expect(Object.keys(errorKinds)).toContain(code)
})

/** Idempotent by nature: repeated deliveries have the event's id, and a clock is moved to a time. */
const REPEATABLE: readonly string[] = [
  'eventLog.replay',
  'webhookEndpoints.replay',
  'webhookEndpoints.replayRange',
  'testClock.advance',
]

test.for(operations)('$id accepts idempotency keys exactly if it changes something for an account', (operation) => {
  const { id, emits, scope, audience, method } = operation
  // A page's key is public, so a stored response must not be replayed to other callers. The exception is redeeming a
  // single-use code: a caller with both that code and the key gets the response again if the page missed it.
  const begins = audience === 'page' && id !== 'session.redeem'
  const changes =
    emits !== undefined ||
    (scope?.endsWith(':write') === true && !REPEATABLE.includes(id)) ||
    ((audience === 'session' || audience === 'console') && method !== 'GET') ||
    id === 'session.redeem'
  expect(operation.idempotent !== undefined).toBe(changes && !begins)
  if (changes)
    expect(audience === 'session' ? ['POST', 'PUT', 'DELETE'] : ['POST', 'PATCH', 'DELETE']).toContain(method)
})

test.for(operations)('$id has a scope for reading or writing, unless it needs a role or no permission', (operation) => {
  const { audience, scope, idempotent, path } = operation
  const isOwn = audience === 'console' && path.startsWith('/api/members/v1/me')
  const isScoped =
    audience === 'admin' || (audience === 'console' ? !isOwn : audience === 'key' && !path.endsWith('/auth/test'))
  if (!isScoped) expect(scope).toBeUndefined()
  else expect(scope).toMatch(idempotent === undefined && !REPEATABLE.includes(operation.id) ? /:read$/ : /:write$/)
})

test('only POST, PUT and PATCH have a body', () => {
  for (const { method, body } of operations) if (body !== undefined) expect(['POST', 'PUT', 'PATCH']).toContain(method)
})
