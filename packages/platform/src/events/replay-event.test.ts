import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { processed } from '../../test/events/wait-for.ts'
import { readCounts } from './counts.ts'
import { disableEndpoint } from './endpoints.ts'
import { replayEvent } from './replays.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('an event is sent again under the same id, and stays processed as of the first time', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    const { endpoint } = await platform.addEndpoint(receiver.url)
    const eventId = await platform.happen()
    const worker = startWorker(platform.parts)
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
    startWorker(platform.parts)
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
    const { db } = platform.parts
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

function replay({ parts, clock }: TestEvents, eventId: string, endpointId?: string): Promise<string[]> {
  const one = { accountId: 'acc_1', eventId, ...(endpointId !== undefined && { endpointId }) }
  return replayEvent(parts.db, one, clock.now())
}

function counts({ parts }: TestEvents) {
  return readCounts({}, 'acc_1', parts.db)
}
