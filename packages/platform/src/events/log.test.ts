import { contract, type Event } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import type { LiveEvents } from './live-events.ts'
import { eventLog } from './log.ts'
import { SCANNED_MAX } from './read-log.ts'

const never = new AbortController().signal
const nothingLive: LiveEvents = {
  follow: () => Promise.reject(new Error('Nothing is followed here.')),
  wake: () => {},
  stop: async () => {},
}
const anything = contract.eventLog.list.query.parse({})
type Wanted = Partial<typeof anything>

async function read(platform: TestEvents, wanted: Wanted = {}, stopping = never) {
  const request = { params: undefined, query: { ...anything, ...wanted }, body: undefined }
  const reply = await eventLog(stopping, nothingLive).list(request, platform.call())
  if (!('body' in reply)) throw new Error('The log answers a body.')
  return reply.body
}

const idsOf = ({ data }: { data: readonly Event[] }) => data.map(({ id }) => id)

async function trigger(platform: TestEvents, sent: Record<string, unknown>) {
  const body = contract.eventLog.trigger.body.parse(sent)
  return eventLog(never, nothingLive).trigger({ params: undefined, query: undefined, body }, platform.call())
}

describe.each(testableEngines())('on %s', (engine) => {
  test('page by page every event comes once, the oldest first, and the last page is where later ones follow', async () => {
    const platform = await openEvents(engine)
    const ids: string[] = []
    for (let count = 0; count < 5; count++) {
      ids.push(await platform.happen())
      platform.clock.advance(1)
    }
    await platform.happen({ accountId: 'acc_2' })
    const first = await read(platform, { limit: 3 })
    expect([idsOf(first), first.hasMore]).toEqual([ids.slice(0, 3), true])
    const second = await read(platform, { limit: 3, after: first.nextCursor })
    expect([idsOf(second), second.hasMore]).toEqual([ids.slice(3), false])
    const later = await platform.happen()
    expect(idsOf(await read(platform, { after: second.nextCursor }))).toEqual([later])
  })

  test('a page that is to begin after an unknown event is a 400 of after, and one after the empty log is not', async () => {
    const platform = await openEvents(engine)
    const foreign = await platform.happen({ accountId: 'acc_2' })
    for (const after of ['evt_none', 'nonsense', foreign]) {
      await expect(read(platform, { after })).rejects.toMatchObject({
        code: 'parameter_invalid',
        details: { param: 'after' },
      })
    }
    const { nextCursor } = await read(platform)
    const id = await platform.happen()
    expect(idsOf(await read(platform, { after: nextCursor }))).toEqual([id])
  })

  test('the time of another object’s id begins with the first event since that object was created', async () => {
    const platform = await openEvents(engine)
    await platform.happen()
    platform.clock.advance(1)
    const since = `evt_${platform
      .call()
      .newId('fsn')
      .slice('fsn_'.length, 'fsn_'.length + 8)}`
    expect(await read(platform, { after: `${since.slice(0, -1)}~` }).catch((error) => error.code)).toBe(
      'parameter_invalid',
    )
    const id = await platform.happen()
    expect(idsOf(await read(platform, { after: since }))).toEqual([id])
  })

  test('drafts come when asked for, and types are chosen by their whole names', async () => {
    const platform = await openEvents(engine)
    const draft = await platform.happen({ draft: true })
    platform.clock.advance(1)
    const paid = await platform.happen({ type: 's_order_paid' })
    expect(idsOf(await read(platform))).toEqual([paid])
    expect(idsOf(await read(platform, { drafts: 'true' }))).toEqual([draft, paid])
    expect(idsOf(await read(platform, { types: 's_order_paid,s_order_refunded' }))).toEqual([paid])
    expect(idsOf(await read(platform, { types: 's_order,_paid' }))).toEqual([])
  })

  test('a filter that few pass looks at a bounded number of events and goes on behind them', async () => {
    const platform = await openEvents(engine)
    await platform.commit([{ sql: manyEvents, params: [SCANNED_MAX] }])
    const wanted = await platform.happen({ type: 's_order_paid' })
    const first = await read(platform, { types: 's_order_paid' })
    expect([first.data, first.hasMore]).toEqual([[], true])
    expect(idsOf(await read(platform, { types: 's_order_paid', after: first.nextCursor }))).toEqual([wanted])
  })

  test('a wait is answered with the first event, when the time is over, and when the platform stops', async () => {
    const platform = await openEvents(engine)
    await platform.happen()
    platform.clock.advance(1)
    const waiting = read(platform, { after: 'latest', waitSeconds: 25 })
    const { nextCursor } = await read(platform, { after: 'latest' })
    const id = await platform.happen()
    expect(id > nextCursor).toBe(true)
    const passing = passTime(platform, waiting)
    expect(idsOf(await waiting)).toEqual([id])
    await passing
    const inVain = read(platform, { after: 'latest', waitSeconds: 2 })
    await passTime(platform, inVain)
    expect(await inVain).toEqual({ data: [], hasMore: false, nextCursor: id })
    const stopped = AbortSignal.abort()
    expect((await read(platform, { after: 'latest', waitSeconds: 25 }, stopped)).data).toEqual([])
  })

  test('a triggered event is a draft with the example of its type and the given properties, and reaches its endpoints', async () => {
    const platform = await openEvents(engine)
    const { endpoint } = await platform.addEndpoint('https://shop.example/hooks', { drafts: true })
    const reply = await trigger(platform, { eventType: 's_order_paid', properties: { amount: 1234 } })
    if (!('body' in reply)) throw new Error('A trigger answers its event.')
    await platform.commit(reply.writes ?? [])
    const [event] = (await read(platform, { drafts: 'true' })).data
    expect(event).toMatchObject({ ...reply.body, draft: true })
    expect(event).not.toHaveProperty('processedAt')
    expect(event?.properties).toMatchObject({ amount: 1234, currency: 'USD' })
    expect(await platform.deliveries(reply.body.id)).toMatchObject([{ endpoint_id: endpoint.id, state: 'pending' }])
  })

  test('an event is sent again to the endpoints that want it now', async () => {
    const platform = await openEvents(engine)
    const eventId = await platform.happen()
    const { endpoint } = await platform.addEndpoint('https://shop.example/hooks')
    await platform.addEndpoint('https://shop.example/others', { eventTypes: ['s_order_paid'] })
    const request = { params: { eventId }, query: undefined, body: undefined }
    const reply = await eventLog(never, nothingLive).replay(request, platform.call())
    if (!('body' in reply)) throw new Error('A replay answers its endpoints.')
    await platform.commit(reply.writes ?? [])
    expect(reply.body).toEqual({ eventId, endpointIds: [endpoint.id] })
    expect(await platform.deliveries(eventId)).toMatchObject([{ endpoint_id: endpoint.id, state: 'pending' }])
    await expect(eventLog(never, nothingLive).replay(request, platform.call('acc_2'))).rejects.toMatchObject({
      code: 'resource_missing',
    })
  })
})

test.for([
  [{ amuont: 1 }, 'properties.amuont'],
  [{ amount: 'much' }, 'properties.amount'],
] as const)('properties that the type cannot have (%j) are named', async ([properties, param]) => {
  const platform = await openEvents()
  const refused = trigger(platform, { eventType: 's_order_paid', properties })
  await expect(refused).rejects.toMatchObject({ code: 'parameter_invalid', details: { param } })
})

test('events cannot be triggered in production', async () => {
  const platform = await openEvents()
  platform.services.environment = 'production'
  await expect(trigger(platform, { eventType: 's_order_paid' })).rejects.toMatchObject({ code: 'route_not_found' })
})

/** Moves the clock on until the work that waits by it is done. */
async function passTime({ clock }: TestEvents, waiting: Promise<unknown>): Promise<void> {
  let isOver = false
  void waiting.then(() => (isOver = true))
  while (!isOver) {
    clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** As many events as the second parameter says, all before those of the clock. */
const manyEvents = `INSERT INTO events
  (account_id, id, store_id, customer_id, event_type, properties, draft, created_at, processed_at)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(? AS BIGINT))
  SELECT 'acc_1', 'evt_0' || CAST(10000 + n AS TEXT), NULL, NULL, 's_customer_created', '{}', 0, 0, 0 FROM numbers`
