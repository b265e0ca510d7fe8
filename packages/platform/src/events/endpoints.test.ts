import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import {
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  newEndpoint,
  removeEndpoint,
  rotateSecret,
} from './endpoints.ts'
import { openSecrets } from './signing.ts'

const HOUR_MS = 3_600_000

describe.each(testableEngines())('on %s', (engine) => {
  test('an endpoint is listed as it was made, in its account alone', async () => {
    const { services, clock, addEndpoint } = await openEvents(engine)
    const first = await addEndpoint('https://shop.example/hooks')
    clock.advance(1_000)
    const eventTypes = ['s_order_paid', 's_order_created'] as const
    const second = await addEndpoint('http://localhost:4410/webhooks', { eventTypes, drafts: true })
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([first.endpoint, second.endpoint])
    expect(first.endpoint).toEqual({
      id: expect.stringMatching(/^whe_/),
      accountId: 'acc_1',
      url: 'https://shop.example/hooks',
      storeId: null,
      eventTypes: '*',
      drafts: false,
      enabled: true,
      failingSince: null,
      createdAt: '2030-01-01T00:00:00.000Z',
      revision: 1,
      updatedAt: '2030-01-01T00:00:00.000Z',
    })
    expect(await listEndpoints(services.db, 'acc_2')).toEqual([])
  })

  test('a secret is 32 bytes, and not in the database', async () => {
    const { services, addEndpoint } = await openEvents(engine)
    const { secret } = await addEndpoint('https://shop.example/hooks')
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32)
    const rows = await services.db.read('SELECT * FROM webhook_endpoints', [])
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
  })

  test('after a rotation both secrets sign for 24 hours, the new one first', async () => {
    const platform = await openEvents(engine)
    const { endpoint, secret } = await platform.addEndpoint('https://shop.example/hooks')
    platform.clock.advance(HOUR_MS)
    const rotated = await rotateSecret(platform.services.db, endpoint.id, platform.call())
    await platform.commit(rotated?.writes ?? [])
    expect(await secretsOf(platform, endpoint.id)).toEqual([rotated?.secret, secret])
    platform.clock.advance(24 * HOUR_MS - 1)
    expect(await secretsOf(platform, endpoint.id)).toEqual([rotated?.secret, secret])
    platform.clock.advance(1)
    expect(await secretsOf(platform, endpoint.id)).toEqual([rotated?.secret])
  })

  test('a second rotation does not lengthen the life of the first secret', async () => {
    const platform = await openEvents(engine)
    const { endpoint, secret } = await platform.addEndpoint('https://shop.example/hooks')
    const secrets = [secret]
    for (let round = 0; round < 2; round += 1) {
      const rotated = await rotateSecret(platform.services.db, endpoint.id, platform.call())
      await platform.commit(rotated?.writes ?? [])
      secrets.unshift(rotated?.secret ?? '')
      platform.clock.advance(HOUR_MS)
    }
    expect(await secretsOf(platform, endpoint.id)).toEqual(secrets)
    platform.clock.advance(22 * HOUR_MS)
    expect(await secretsOf(platform, endpoint.id)).toEqual(secrets.slice(0, 2))
  })

  test('of two rotations at once one is refused', async () => {
    const { services, call, addEndpoint } = await openEvents(engine)
    const { endpoint } = await addEndpoint('https://shop.example/hooks')
    const [one, two] = await Promise.all([1, 2].map(() => rotateSecret(services.db, endpoint.id, call())))
    const outcomes = []
    for (const rotation of [one, two]) {
      const [write] = rotation?.writes ?? []
      if (write === undefined) throw new Error('The endpoint is there.')
      outcomes.push((await services.db.write([{ sql: write.sql, params: write.params, expect: 1 }])).outcome)
      expect(write.onRefused?.('expectation')).toMatchObject({ code: 'state_conflict' })
    }
    expect(outcomes).toEqual(['committed', 'refused'])
  })

  test("an endpoint of one store gets that store's events and no other", async () => {
    const { services, commit, addEndpoint, addStore, happen, deliveries } = await openEvents(engine)
    await addStore('store_1')
    const { endpoint } = await addEndpoint('https://shop.example/hooks', { storeId: 'store_1' })
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([endpoint])
    expect(await deliveries(await happen({ storeId: 'store_1' }))).toMatchObject([{ endpoint_id: endpoint.id }])
    expect(await deliveries(await happen({ storeId: 'store_2' }))).toEqual([])
    expect(await deliveries(await happen())).toEqual([])
    await commit(removeEndpoint('acc_1', endpoint.id))
  })

  test("an endpoint cannot be made for another account's store", async () => {
    const { call, refusal, addStore, services } = await openEvents(engine)
    await addStore('store_1')
    const wanted = { url: 'https://shop.example/hooks', eventTypes: '*', drafts: false, storeId: 'store_1' } as const
    expect(await refusal(newEndpoint(wanted, call('acc_2')).writes)).toMatchObject({
      code: 'resource_missing',
      details: { param: 'storeId' },
    })
    expect(await listEndpoints(services.db, 'acc_2')).toEqual([])
  })

  test('an endpoint can be enabled again, with its failures forgiven', async () => {
    const { services, commit, refusal, addEndpoint } = await openEvents(engine)
    const { endpoint } = await addEndpoint('https://shop.example/hooks')
    const sql = 'UPDATE webhook_endpoints SET failing_since = 1 WHERE id = ?'
    await commit([...disableEndpoint('acc_1', endpoint.id), { sql, params: [endpoint.id] }])
    expect(await refusal(enableEndpoint('acc_2', endpoint.id))).toMatchObject({ code: 'resource_missing' })
    expect(await listEndpoints(services.db, 'acc_1')).toMatchObject([{ enabled: false }])
    await commit(enableEndpoint('acc_1', endpoint.id))
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([{ ...endpoint, revision: 3 }])
  })

  test('an endpoint can be disabled and removed, by its own account', async () => {
    const { services, commit, refusal, addEndpoint } = await openEvents(engine)
    const { endpoint } = await addEndpoint('https://shop.example/hooks')
    for (const change of [disableEndpoint, removeEndpoint]) {
      expect(await refusal(change('acc_2', endpoint.id))).toMatchObject({ code: 'resource_missing' })
    }
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([endpoint])
    await commit(disableEndpoint('acc_1', endpoint.id))
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([{ ...endpoint, enabled: false, revision: 2 }])
    await commit(removeEndpoint('acc_1', endpoint.id))
    expect(await listEndpoints(services.db, 'acc_1')).toEqual([])
    expect(await rotateSecret(services.db, endpoint.id, (await openEvents()).call())).toBeNull()
  })
})

test.each(['shop.example', '/hooks', 'ftp://shop.example/', 'https://user:word@shop.example/'])(
  '%s is refused',
  async (url) => {
    const { call } = await openEvents()
    expect(() => newEndpoint({ url, eventTypes: '*', drafts: false }, call())).toThrow(
      expect.objectContaining({ code: 'parameter_invalid', details: { param: 'url' } }),
    )
  },
)

async function secretsOf({ services, clock }: TestEvents, id: string): Promise<string[]> {
  const [row] = await services.db.read('SELECT secrets FROM webhook_endpoints WHERE id = ?', [id])
  return openSecrets(id, services.secrets, { sealed: JSON.parse(String(row?.['secrets'])), nowMs: clock.now() })
}
