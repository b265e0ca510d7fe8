import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { type ReceiverAnswer, startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { processed, tried } from '../../test/events/wait-for.ts'
import { deliveryTry, listDeliveries, withTry } from './deliveries.ts'
import type { DeliveryTry } from './tables.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('a delivery is listed with each of its tries and the last answer', async () => {
    const platform = await openEvents(engine)
    const answers: ReceiverAnswer[] = [
      { status: 503, body: 'busy' },
      { status: 200, body: 'thanks' },
    ]
    const receiver = await startReceiver((_webhook, count) => answers[count - 1] ?? 'hang')
    const { endpoint } = await platform.addEndpoint(receiver.url)
    const eventId = await platform.happen({ type: 's_order_paid' })
    startWorker(platform.services)
    await tried(platform, eventId, 1)
    const waiting = await onlyOne(platform)
    expect(waiting).toMatchObject({ state: 'pending', attempts: 1, lastStatus: 503, lastResponse: 'busy' })
    const dueMs = Date.parse(String(waiting?.nextAttemptAt))
    platform.clock.advance(dueMs - platform.clock.now())
    await processed(platform, eventId)
    expect(await onlyOne(platform)).toEqual({
      eventId,
      eventType: 's_order_paid',
      endpointId: endpoint.id,
      state: 'delivered',
      attempts: 2,
      nextAttemptAt: null,
      lastStatus: 200,
      lastResponse: 'thanks',
      tries: [
        { at: '2030-01-01T00:00:00.000Z', ms: 0, status: 503, failure: null },
        { at: new Date(dueMs).toISOString(), ms: 0, status: 200, failure: null },
      ],
      createdAt: '2030-01-01T00:00:00.000Z',
    })
  })

  test('a try without an answer is kept with its reason and how long it took', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver(() => 'hang')
    await platform.addEndpoint(receiver.url)
    const eventId = await platform.happen()
    startWorker(platform.services)
    await receiver.until(1)
    platform.clock.advance(15_000)
    await tried(platform, eventId, 1)
    const failure = 'There was no answer in time.'
    expect(await onlyOne(platform)).toMatchObject({
      lastStatus: null,
      lastResponse: failure,
      tries: [{ at: '2030-01-01T00:00:00.000Z', ms: 15_000, status: null, failure }],
    })
  })

  test('the pages of a list hold every delivery once, the newest first, by endpoint and by state', async () => {
    const platform = await openEvents(engine)
    const { db } = platform.services
    const [one, two] = [
      await platform.addEndpoint('http://one.example/'),
      await platform.addEndpoint('http://two.example/'),
    ]
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) {
      ids.unshift(await platform.happen())
      platform.clock.advance(1)
    }
    const failed = ids.filter((_, i) => i % 2 === 0)
    const sql = "UPDATE webhook_deliveries SET state = 'failed' WHERE event_id = ? AND endpoint_id = ?"
    await platform.commit(failed.map((id) => ({ sql, params: [id, one.endpoint.id] })))

    expect(await pages(platform, {})).toEqual(
      ids.flatMap((id) => [`${id} ${two.endpoint.id}`, `${id} ${one.endpoint.id}`].toSorted().toReversed()),
    )
    expect(await pages(platform, { endpointId: two.endpoint.id })).toEqual(ids.map((id) => `${id} ${two.endpoint.id}`))
    expect(await pages(platform, { state: 'failed' })).toEqual(failed.map((id) => `${id} ${one.endpoint.id}`))
    expect(await pages(platform, { state: 'delivered' })).toEqual([])
    expect((await listDeliveries(db, { accountId: 'acc_2' })).data).toEqual([])
  })
})

test('a page looks at no more than it may: what few deliveries match takes several, and one event is found at once', async () => {
  const platform = await openEvents()
  const { db } = platform.services
  const { endpoint } = await platform.addEndpoint('http://one.example/')
  const eventId = await platform.happen()
  const many = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2500)
    INSERT INTO webhook_deliveries (account_id, event_id, endpoint_id, state, attempts, next_attempt_at, created_at)
    SELECT account_id, 'evt_z' || (10000 + n), endpoint_id, 'delivered', 1, 0, 0
    FROM numbers CROSS JOIN webhook_deliveries WHERE event_id = ?`
  await db.write([{ sql: many, params: [eventId] }])
  const list = (filter: object) => listDeliveries(db, { accountId: 'acc_1', ...filter })
  for (const filter of [{ state: 'pending' }, { endpointId: endpoint.id, state: 'pending' }]) {
    const first = await list(filter)
    expect(first).toEqual({ data: [], hasMore: true, nextCursor: `evt_z10501/${endpoint.id}` })
    const second = await list({ ...filter, after: first.nextCursor })
    expect(second).toMatchObject({ data: [{ eventId, state: 'pending' }], hasMore: false, nextCursor: null })
  }
  expect(await list({ eventId })).toMatchObject({ data: [{ eventId }], hasMore: false })
  expect(await list({ eventId, endpointId: endpoint.id, state: 'pending' })).toMatchObject({ data: [{ eventId }] })
  expect(await list({ eventId, state: 'failed' })).toEqual({ data: [], hasMore: false, nextCursor: null })
})

test.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { after: 'evt_1' }])('%j is refused', async (wrong) => {
  const { services } = await openEvents()
  await expect(listDeliveries(services.db, { accountId: 'acc_1', ...wrong })).rejects.toMatchObject({
    code: 'parameter_invalid',
    details: { param: Object.keys(wrong)[0] },
  })
})

async function onlyOne({ services }: TestEvents) {
  const { data, hasMore, nextCursor } = await listDeliveries(services.db, { accountId: 'acc_1' })
  expect([data.length, hasMore, nextCursor]).toEqual([1, false, null])
  return data[0]
}

/** All pages of three. */
async function pages(
  { services }: TestEvents,
  filter: Omit<Parameters<typeof listDeliveries>[1], 'accountId'>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listDeliveries>> = await listDeliveries(services.db, {
      accountId: 'acc_1',
      limit: 3,
      ...filter,
      ...(cursor !== null && { after: cursor }),
    })
    expect(page.data.length).toBeLessThanOrEqual(3)
    seen.push(...page.data.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`))
    cursor = page.nextCursor
  } while (cursor !== null)
  return seen
}

test('the last ten tries are kept, the oldest first', () => {
  let column = '[]'
  for (let i = 0; i < 13; i += 1) {
    column = withTry(
      JSON.parse(column),
      deliveryTry({ status: 500 + i, retryAfter: null, excerpt: '' }, { startMs: i, endMs: i + 7 }),
    )
  }
  const kept: DeliveryTry[] = JSON.parse(column)
  expect(kept.map(({ status }) => status)).toEqual([503, 504, 505, 506, 507, 508, 509, 510, 511, 512])
  expect(kept[0]).toEqual({ at: '1970-01-01T00:00:00.003Z', ms: 7, status: 503, failure: null })
})

test('a try without an answer says why', () => {
  const failed = deliveryTry({ failure: 'ECONNREFUSED' }, { startMs: 0, endMs: 2 })
  expect(JSON.parse(withTry([], failed))).toEqual([
    { at: '1970-01-01T00:00:00.000Z', ms: 2, status: null, failure: 'ECONNREFUSED' },
  ])
})
