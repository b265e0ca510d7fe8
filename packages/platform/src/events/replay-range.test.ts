import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { emit } from './emit.ts'
import { disableEndpoint } from './endpoints.ts'
import { type RangeReplay, type ReplayedPage, replayRange } from './replays.ts'

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
    const others = await platform.parts.db.read(
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

async function pending({ parts }: TestEvents): Promise<string[]> {
  const rows = await parts.db.read(
    "SELECT event_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY event_id",
    [],
  )
  return rows.map((row) => String(row['event_id']))
}

async function read({ parts, clock }: TestEvents, range: RangeReplay, pagesMax = Infinity): Promise<ReplayedPage[]> {
  const pages: ReplayedPage[] = []
  for await (const page of replayRange(parts.db, range, () => clock.now())) {
    pages.push(page)
    if (pages.length >= pagesMax) break
  }
  return pages
}
