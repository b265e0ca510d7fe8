import { contract, type EventType, type StatisticsFilter } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acknowledged } from '../../test/events/acknowledged.ts'
import { EVENTS_START_MS, openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import type { Statement } from '../storage/database.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { foldEventCounts, readCounts, type TypeCount } from './counts.ts'
import { outcomeWrites } from './delivery-outcomes.ts'
import { emit } from './emit.ts'
import { newEndpoint } from './endpoints.ts'
import { replayEvent } from './replays.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const types: readonly EventType[] = ['s_order_paid', 's_order_created', 's_customer_created']

/** A sequence of events in an account. */
const happening = fc.record({
  afterMs: fc.oneof(fc.constant(0), fc.nat(2 * HOUR_MS), fc.nat(2 * DAY_MS), fc.nat(40 * DAY_MS), fc.constant(HOUR_MS)),
  about: fc.record({
    type: fc.constantFrom(...types),
    storeId: fc.constantFrom(null, 'store_1', 'store_2'),
    customerId: fc.constantFrom(null, 'cus_1', 'cus_2'),
    draft: fc.boolean(),
  }),
  next: fc.constantFrom('nothing', 'acknowledge', 'replay', 'fold' as const),
})

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const time = fc
  .oneof(
    fc.integer({ min: 0, max: 120 * DAY_MS }),
    fc.nat(120 * 24).map((hours) => hours * HOUR_MS),
  )
  .map((ms) => new Date(EVENTS_START_MS - DAY_MS + ms).toISOString())
const anyFilter = fc.record({
  storeId: optional(fc.constantFrom('store_1', 'store_2', 'store_3')),
  customerId: optional(fc.constantFrom('cus_1', 'cus_3')),
  eventType: optional(fc.oneof(fc.constantFrom(...types), fc.subarray([...types], { minLength: 1 }))),
  from: optional(time),
  to: optional(time),
  draft: optional(fc.boolean()),
})

describe.each(testableEngines())('on %s', (engine) => {
  test('whatever has happened, what is counted is what is there', async () => {
    const platform = await openEvents(engine)
    let run = 0
    const property = fc.asyncProperty(
      fc.array(happening, { maxLength: 12 }),
      fc.array(anyFilter, { minLength: 8, maxLength: 8 }),
      async (happenings, filters) => {
        const accountId = `acc_${++run}`
        await addEndpoints(platform, accountId)
        for (const { afterMs, about, next } of happenings) {
          platform.clock.advance(afterMs)
          const id = await platform.happen({ ...about, accountId })
          if (next === 'acknowledge') await acknowledgeDue(platform)
          if (next === 'replay')
            await replayEvent(platform.services.db, { accountId, eventId: id }, platform.clock.now())
          if (next === 'fold') await foldEventCounts(platform.services.db, platform.clock.now())
        }
        for (const each of [{}, ...filters]) {
          const wanted = contract.events.statistics.body.parse(each)
          const counted = await readCounts(wanted, accountId, platform.services.db)
          expect(inOrder(counted)).toEqual(await naiveCounts(wanted, accountId, platform))
        }
      },
    )
    await fc.assert(property, { numRuns: 12 })
  })

  test('events and acknowledgements of several processes at once are counted, folded or not', async () => {
    const platform = await openEvents(engine)
    const databases = [platform.services.db, (await platform.elsewhere()).db] as const
    const nowMs = platform.clock.now()
    await addEndpoints(platform, 'acc_1')
    await Promise.all(
      Array.from({ length: 120 }, (_, i) => databases[i % 2 === 0 ? 0 : 1].write(eventTransaction(platform, i))),
    )
    const claims = await claimDeliveries(databases[0], { nowMs, limit: 1_000, except: [], holder: 'proc_test' })
    const outcomes = await Promise.all(claims.map((claim) => acknowledged(claim, platform)))
    const totals = await Promise.all(
      outcomes.map(async (outcome, i) => {
        const db = databases[i % 2 === 0 ? 0 : 1]
        await db.write(outcomeWrites([outcome], { nowMs, engine }))
        if (i % 20 === 0) await foldEventCounts(db, nowMs + 80 * DAY_MS)
        return (await readCounts({ draft: false }, 'acc_1', db)).reduce((sum, { total }) => sum + total, 0)
      }),
    )
    expect(new Set(totals)).toEqual(new Set([120]))
    const exact = await naiveCounts({ draft: false }, 'acc_1', platform)
    expect(exact.map(({ processed }) => processed)).toEqual([40, 40, 40])
    expect(inOrder(await readCounts({ draft: false }, 'acc_1', databases[0]))).toEqual(exact)
    await foldEventCounts(databases[0], nowMs + 80 * DAY_MS)
    expect(inOrder(await readCounts({ draft: false }, 'acc_1', databases[0]))).toEqual(exact)
    expect(await databases[0].read('SELECT shard FROM event_counts WHERE shard <> 0', [])).toEqual([])
  })
})

/** One endpoint for everything, one for a part, so that some events wait for both. */
async function addEndpoints({ commit, call }: TestEvents, accountId: string): Promise<void> {
  const wanted = { url: 'https://shop.example/', drafts: false }
  await commit(newEndpoint({ ...wanted, eventTypes: ['s_order_paid', 's_order_created'] }, call(accountId)).writes)
  await commit(newEndpoint({ ...wanted, eventTypes: ['s_order_paid'], drafts: true }, call(accountId)).writes)
}

function eventTransaction({ call }: TestEvents, number: number): Statement[] {
  const [type, storeId] = [types[number % 3] ?? 's_order_paid', `store_${number % 2}`]
  // Events are stored as they come; what their properties are does not matter here.
  const writes = emit(type, { storeId, properties: {} as never }, call())
  return writes.map(({ onRefused: _, ...statement }) => statement)
}

async function acknowledgeDue(platform: TestEvents): Promise<void> {
  const { db } = platform.services
  const nowMs = platform.clock.now()
  const claims = await claimDeliveries(db, { nowMs, limit: 1_000, except: [], holder: 'proc_test' })
  const outcomes = await Promise.all(claims.map((claim) => acknowledged(claim, platform)))
  await db.write(outcomeWrites(outcomes, { nowMs, engine: db.engine }))
}

/** Reads every event and counts. */
async function naiveCounts(
  filter: StatisticsFilter,
  accountId: string,
  { services }: TestEvents,
): Promise<TypeCount[]> {
  const { storeId, customerId, eventType, from, to, draft } = filter
  const rows = await services.db.read('SELECT * FROM events WHERE account_id = ?', [accountId])
  const matching = rows.filter(
    (row) =>
      (storeId === undefined || row['store_id'] === storeId) &&
      (customerId === undefined || row['customer_id'] === customerId) &&
      (eventType === undefined || [eventType].flat().includes(String(row['event_type']))) &&
      (from === undefined || Number(row['created_at']) >= Date.parse(from)) &&
      (to === undefined || Number(row['created_at']) < Date.parse(to)) &&
      (draft === undefined || row['draft'] === Number(draft)),
  )
  const byType = Object.entries(Object.groupBy(matching, (row) => String(row['event_type'])))
  return inOrder(
    byType.map(([type, its = []]) => ({
      eventType: type,
      total: its.length,
      processed: its.filter((row) => row['processed_at'] !== null).length,
    })),
  )
}

function inOrder(counts: readonly TypeCount[]): TypeCount[] {
  return counts.toSorted((a, b) => (a.eventType < b.eventType ? -1 : 1))
}
