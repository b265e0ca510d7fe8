import { contract, idsFrom } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import type { Services, StreamMessage } from '../request-context.ts'
import { emit } from './emit.ts'
import { missedOf, openStream, sumOf } from './event-stream.ts'
import { liveEvents } from './live-events.ts'

interface Sent {
  after?: string
  types?: string
  storeId?: string
  drafts?: 'true'
}

/** A reader of the events of acc_1, through a process of its own. */
async function reader(platform: TestEvents, sent: Sent = {}, services: Services = platform.services) {
  const live = liveEvents(services)
  const ended = new AbortController()
  const context = { ...platform.call(), services }
  const stream = await openStream(contract.eventLog.stream.query.parse(sent), context, live)
  const messages = stream.follow(ended.signal)[Symbol.asyncIterator]()
  onTestFinished(async () => {
    ended.abort()
    await live.stop()
  })
  async function next(): Promise<StreamMessage> {
    const { value, done } = await messages.next()
    if (done === true) throw new Error('The stream has ended.')
    return value
  }
  return {
    live,
    stream,
    next,
    end: () => ended.abort(),
    /** The ids sent until the reader follows new events, and the cursor. */
    async caughtUp(): Promise<{ ids: string[]; cursor: string }> {
      const ids: string[] = []
      for (;;) {
        const message = await next()
        if ('data' in message) ids.push(JSON.parse(message.data).id)
        else if (message.comment === 'live') return { ids, cursor: message.cursor }
      }
    },
    async event(): Promise<{ id: string; cursor: string; type: string }> {
      for (;;) {
        const message = await next()
        if ('data' in message) return { id: JSON.parse(message.data).id, cursor: message.cursor, type: message.event }
      }
    },
  }
}

/** Records an event whose request began so long ago. */
async function recordLate(platform: TestEvents, agoMs: number): Promise<string> {
  const maker = platform.call()
  const nowMs = maker.nowMs - agoMs
  const id = `${idsFrom('evt', nowMs)}${maker.newId('evt').slice(-14)}`
  const properties = { customerId: 'cus_1' } as never // what they are does not matter here
  await platform.commit(emit('s_customer_created', { properties }, { ...maker, nowMs, newId: () => id }))
  return id
}

describe.each(testableEngines())('on %s', (engine) => {
  test('what is recorded while a reader follows comes at once, each event once, also one recorded out of order', async () => {
    const platform = await openEvents(engine)
    const old = await platform.happen()
    platform.clock.advance(1)
    const { caughtUp, event, live } = await reader(platform)
    expect((await caughtUp()).ids).toEqual([])
    const first = await platform.happen()
    live.wake('acc_1')
    expect((await event()).id).toBe(first)
    const late = await recordLate(platform, 3_000)
    expect(late < old).toBe(true)
    live.wake('acc_1')
    expect((await event()).id).toBe(late)
    const veryLate = await recordLate(platform, 50_000)
    platform.clock.advance(11_000)
    expect((await event()).id).toBe(veryLate)
  })

  test('what another process records is found within a second of the clock', async () => {
    const platform = await openEvents(engine)
    const { caughtUp, event } = await reader(platform, {}, await platform.elsewhere())
    await caughtUp()
    const id = await platform.happen({ type: 's_order_paid' })
    platform.clock.advance(1_000)
    expect(await event()).toMatchObject({ id, type: 's_order_paid' })
  })

  test('a reader who goes on from a cursor gets what was recorded behind its back, and nothing twice', async () => {
    const platform = await openEvents(engine)
    for (let count = 0; count < 5; count++) {
      await platform.happen()
      platform.clock.advance(100)
    }
    const before = await reader(platform, { after: 'evt_' })
    const { ids, cursor } = await before.caughtUp()
    expect(ids).toHaveLength(5)
    before.end()
    expect((await (await reader(platform, { after: cursor })).caughtUp()).ids).toEqual([])
    const late = [await recordLate(platform, 250), await recordLate(platform, 40_000)].toSorted()
    const later = await platform.happen()
    const resumed = await (await reader(platform, { after: cursor })).caughtUp()
    expect(resumed.ids).toEqual([...late, later])
    expect((await (await reader(platform, { after: resumed.cursor })).caughtUp()).ids).toEqual([])
  })

  test('a reader gets only the types, the store and the kind that it asks for, and its cursor goes on without them', async () => {
    const platform = await openEvents(engine)
    const sent = { types: 's_order_paid', storeId: 'store_1' } as const
    const { caughtUp, event, live, next, stream } = await reader(platform, sent)
    const { cursor } = await caughtUp()
    await platform.happen({ type: 's_order_paid', storeId: 'store_2' })
    await platform.happen({ type: 's_order_refunded', storeId: 'store_1' })
    await platform.happen({ type: 's_order_paid', storeId: 'store_1', draft: true })
    await platform.happen({ type: 's_order_paid', storeId: 'store_1', accountId: 'acc_2' })
    platform.clock.advance(1)
    const wanted = await platform.happen({ type: 's_order_paid', storeId: 'store_1' })
    live.wake('acc_1')
    expect((await event()).id).toBe(wanted)
    const resumed = await reader(platform, { ...sent, after: cursor })
    expect((await resumed.caughtUp()).ids).toEqual([wanted])
    platform.clock.advance(1)
    const other = await platform.happen()
    const witness = await reader(platform, { after: wanted })
    expect((await witness.caughtUp()).ids).toEqual([other])
    live.wake('acc_1')
    await expect
      .poll(async () => {
        stream.beat()
        return (await next()).cursor
      })
      .toMatch(new RegExp(`^${other}_`))
  })

  test('a reader who is slower than the events gets them from the log', async () => {
    const platform = await openEvents(engine)
    const { caughtUp, event, live } = await reader(platform)
    await caughtUp()
    const ids: string[] = []
    for (let count = 0; count < 700; count++) {
      platform.clock.advance(1)
      ids.push(platform.call().newId('evt'))
    }
    const maker = platform.call()
    const writes = ids.flatMap((id) =>
      emit('s_customer_created', { properties: {} as never }, { ...maker, newId: () => id }),
    )
    await platform.commit(writes)
    live.wake('acc_1')
    const got: string[] = []
    while (got.length < ids.length) got.push((await event()).id)
    expect(got).toEqual(ids)
  })

  test('many readers of an account cost one look', async () => {
    const platform = await openEvents(engine)
    let reads = 0
    const db = { ...platform.services.db }
    db.read = (sql, params) => {
      reads++
      return platform.services.db.read(sql, params)
    }
    const services = { ...platform.services, db }
    const live = liveEvents(services)
    onTestFinished(() => live.stop())
    const readers = await Promise.all(Array.from({ length: 100 }, () => live.follow('acc_1', () => true)))
    reads = 0
    const id = await platform.happen()
    live.wake('acc_1')
    const got = await Promise.all(readers.map((each) => each.next(new AbortController().signal)))
    expect(got).toEqual(
      Array.from({ length: 100 }, () => expect.objectContaining({ event: expect.objectContaining({ id }) })),
    )
    expect(reads).toBeLessThanOrEqual(2)
  })
})

test('up to two missed events are told from the sum of the others, and of more none is lost', () => {
  const anyIds = fc.uniqueArray(fc.stringMatching(/^evt_[0-9A-Za-z]{22}$/), { maxLength: 30 })
  fc.assert(
    fc.property(anyIds, fc.infiniteStream(fc.boolean()), (ids, choices) => {
      const missed = ids.filter(() => choices.next().value)
      const had = ids.filter((id) => !missed.includes(id))
      const found = missedOf(ids, sumOf(had))
      if (missed.length <= 2) expect(found.toSorted()).toEqual(missed.toSorted())
      else expect(found).toEqual(expect.arrayContaining(missed))
    }),
  )
})
