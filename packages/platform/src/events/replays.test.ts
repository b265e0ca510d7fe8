import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { processed } from '../../test/events/wait-for.ts'
import { readCounts } from './counts.ts'
import { emit } from './emit.ts'
import { disableEndpoint } from './endpoints.ts'
import { type RangeReplay, type ReplayedPage, replayEvent, replayRange } from './replays.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('an event is sent again under the same id, and stays processed as of the first time', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    const { endpoint } = await platform.addEndpoint(receiver.url)
    const eventId = await platform.happen()
    const worker = startWorker(platform.services)
    await processed(platform, eventId)
    const before = await platform.event(eventId)
    platform.clock.advance(60_000)
    expect(await replay(platform, eventId)).toEqual([endpoint.id])
    expect(await platform.deliveries(eventId)).toMatchObject([{ state: 'pending', attempts: 0 }])
    worker.wake()
    await receiver.until(2)
    await expect.poll(() => platform.deliveries(eventId)).toMatchObject([{ state: 'delivered', attempts: 1 }])
    expect(receiver.ids()).toEqual([eventId, eventId])
    expect(await platform.event(eventId)).toEqual(before)
    expect(await counts(platform)).toMatchObject([{ total: 1, processed: 1 }])
  })

  test('a failed delivery that is replayed and acknowledged makes its event processed, and counts once', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    await platform.addEndpoint(receiver.url)
    const eventId = await platform.happen()
    await platform.commit([{ sql: "UPDATE webhook_deliveries SET state = 'failed', attempts = 10", params: [] }])
    expect(await counts(platform)).toMatchObject([{ total: 1, processed: 0 }])
    await replay(platform, eventId)
    startWorker(platform.services)
    await processed(platform, eventId)
    expect(await counts(platform)).toMatchObject([{ total: 1, processed: 1 }])
  })

  test('an endpoint that was made after the event gets it, if it wants such events', async () => {
    const platform = await openEvents(engine)
    const eventId = await platform.happen({ type: 's_order_paid' })
    const late = await platform.addEndpoint('https://late.example/')
    await platform.addEndpoint('https://other.example/', { eventTypes: ['s_order_created'] })
    expect(await replay(platform, eventId)).toEqual([late.endpoint.id])
    expect(await platform.deliveries(eventId)).toMatchObject([{ endpoint_id: late.endpoint.id, state: 'pending' }])
  })

  test('an endpoint can be named: no other gets the event', async () => {
    const platform = await openEvents(engine)
    const [one, two] = [
      await platform.addEndpoint('https://1.example/'),
      await platform.addEndpoint('https://2.example/'),
    ]
    const eventId = await platform.happen()
    await platform.commit([{ sql: "UPDATE webhook_deliveries SET state = 'delivered'", params: [] }])
    expect(await replay(platform, eventId, two.endpoint.id)).toEqual([two.endpoint.id])
    const states = (await platform.deliveries(eventId)).map((row) => [row['endpoint_id'], row['state']])
    expect(Object.fromEntries(states)).toEqual({ [one.endpoint.id]: 'delivered', [two.endpoint.id]: 'pending' })
  })

  test('what is not there, and an endpoint that does not want the event, are named', async () => {
    const platform = await openEvents(engine)
    const { endpoint } = await platform.addEndpoint('https://1.example/')
    const eventId = await platform.happen()
    await platform.commit(disableEndpoint('acc_1', endpoint.id))
    const { db } = platform.services
    const named = { accountId: 'acc_1', eventId, endpointId: endpoint.id }
    const nowMs = platform.clock.now()
    await expect(replayEvent(db, named, nowMs)).rejects.toMatchObject({ code: 'state_conflict' })
    const others = { eventId: { eventId: 'evt_0' }, endpointId: { endpointId: 'whe_0' } }
    for (const [param, change] of Object.entries(others)) {
      const error = { code: 'resource_missing', details: { param } }
      await expect(replayEvent(db, { ...named, ...change }, nowMs)).rejects.toMatchObject(error)
    }
    await expect(replayEvent(db, { ...named, accountId: 'acc_2' }, nowMs)).rejects.toMatchObject({
      code: 'resource_missing',
    })
  })
})

function replay({ services, clock }: TestEvents, eventId: string, endpointId?: string): Promise<string[]> {
  const one = { accountId: 'acc_1', eventId, ...(endpointId !== undefined && { endpointId }) }
  return replayEvent(services.db, one, clock.now())
}

function counts({ services }: TestEvents) {
  return readCounts({ draft: false }, 'acc_1', services.db)
}

const MINUTE_MS = 60_000

describe.each(testableEngines())('on %s', (engine) => {
  test('the events of a time are sent again page by page, and a replay that was broken off goes on', async () => {
    const platform = await openEvents(engine)
    const { endpoint } = await platform.addEndpoint('https://shop.example/')
    const fromMs = platform.clock.now() + MINUTE_MS
    const ids = [await happenMany(platform, 3), await happenMany(platform, 1_200), await happenMany(platform, 3)]
    await acknowledgeAll(platform)
    const range: RangeReplay = {
      accountId: 'acc_1',
      endpointId: endpoint.id,
      which: 'all',
      fromMs,
      toMs: fromMs + MINUTE_MS,
    }
    const [first] = await read(platform, range, 1)
    expect(first?.replayed).toBe(500)
    expect(await pending(platform)).toHaveLength(500)
    const rest = await read(platform, { ...range, after: first?.after ?? '' })
    expect(rest.map(({ replayed }) => replayed)).toEqual([500, 200])
    expect(await pending(platform)).toEqual(ids[1]?.toSorted())
  })

  test('the failed alone can be sent again, to their endpoint alone', async () => {
    const platform = await openEvents(engine)
    const [one, two] = [
      await platform.addEndpoint('https://1.example/'),
      await platform.addEndpoint('https://2.example/'),
    ]
    const fromMs = platform.clock.now()
    const ids = await happenMany(platform, 20)
    await acknowledgeAll(platform)
    const sql = "UPDATE webhook_deliveries SET state = 'failed' WHERE event_id = ?"
    await platform.commit(ids.slice(0, 7).map((id) => ({ sql, params: [id] })))
    const range: RangeReplay = {
      accountId: 'acc_1',
      endpointId: one.endpoint.id,
      which: 'failed',
      fromMs,
      toMs: Infinity,
    }
    expect((await read(platform, range)).map(({ replayed }) => replayed)).toEqual([7])
    expect(await pending(platform)).toEqual(ids.slice(0, 7).toSorted())
    expect(await read(platform, range)).toEqual([])
    const others = await platform.services.db.read(
      'SELECT DISTINCT state FROM webhook_deliveries WHERE endpoint_id = ? ORDER BY state',
      [two.endpoint.id],
    )
    expect(others).toEqual([{ state: 'delivered' }, { state: 'failed' }])
  })

  test('an endpoint that is not there or is disabled is refused', async () => {
    const platform = await openEvents(engine)
    const { endpoint } = await platform.addEndpoint('https://shop.example/')
    const range: RangeReplay = { accountId: 'acc_1', endpointId: endpoint.id, which: 'all', fromMs: 0, toMs: Infinity }
    await expect(read(platform, { ...range, accountId: 'acc_2' })).rejects.toMatchObject({ code: 'resource_missing' })
    await platform.commit(disableEndpoint('acc_1', endpoint.id))
    await expect(read(platform, range)).rejects.toMatchObject({ code: 'state_conflict' })
  })
})

/** Events within the next minute, the clock after it. */
async function happenMany({ call, commit, clock }: TestEvents, count: number): Promise<string[]> {
  const maker = call()
  const ids = Array.from({ length: count }, () => maker.newId('evt'))
  await commit(
    ids.flatMap((id) =>
      emit('s_customer_created', { properties: { customerId: 'cus_1' } }, { ...maker, newId: () => id }),
    ),
  )
  clock.advance(MINUTE_MS)
  return ids
}

async function acknowledgeAll({ commit }: TestEvents): Promise<void> {
  await commit([{ sql: "UPDATE webhook_deliveries SET state = 'delivered'", params: [] }])
}

async function pending({ services }: TestEvents): Promise<string[]> {
  const rows = await services.db.read(
    "SELECT event_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY event_id",
    [],
  )
  return rows.map((row) => String(row['event_id']))
}

async function read({ services, clock }: TestEvents, range: RangeReplay, pagesMax = Infinity): Promise<ReplayedPage[]> {
  const pages: ReplayedPage[] = []
  for await (const page of replayRange(services.db, range, () => clock.now())) {
    pages.push(page)
    if (pages.length >= pagesMax) break
  }
  return pages
}
