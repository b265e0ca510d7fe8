import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import { type ReceiverAnswer, startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { processed } from '../../test/events/wait-for.ts'
import { type Database, DatabaseUnavailable } from '../storage/database.ts'
import { claimDeliveries, LEASE_MS } from './claim-deliveries.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('a hanging receiver does not hold up another', async () => {
    const platform = await openEvents(engine)
    const hanging = await startReceiver(() => 'hang')
    const good = await startReceiver()
    const { endpoint } = await platform.addEndpoint(hanging.url, { eventTypes: ['s_order_created'] })
    await platform.addEndpoint(good.url, { eventTypes: ['s_order_paid'] })
    for (let i = 0; i < 300; i += 1) await platform.happen({ type: 's_order_created' })
    for (let i = 0; i < 50; i += 1) await platform.happen({ type: 's_order_paid' })
    startWorker(platform.services)
    await good.until(50)
    await hanging.until(8)
    expect(hanging.received).toHaveLength(8)

    platform.clock.advance(15_000)
    await hanging.until(9) // one at a time from now on
    const [{ failed } = {}] = await platform.services.db.read(
      'SELECT count(*) AS failed FROM webhook_deliveries WHERE endpoint_id = ? AND last_response = ?',
      [endpoint.id, 'There was no answer in time.'],
    )
    expect(Number(failed)).toBeLessThanOrEqual(8)
    expect(hanging.received).toHaveLength(9)
  })

  test('two workers share the work, and each event comes once', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    await platform.addEndpoint(receiver.url)
    const workers = [startWorker(platform.services), startWorker(await platform.elsewhere())]
    const ids: string[] = []
    for (let i = 0; i < 300; i += 1) {
      ids.push(await platform.happen())
      for (const worker of workers) worker.wake()
    }
    for (const id of ids) await processed(platform, id)
    expect(receiver.ids().toSorted()).toEqual(ids.toSorted())
  })

  test('a stopped worker finishes what is under way and gives the rest back', async () => {
    const platform = await openEvents(engine)
    const release = Promise.withResolvers<ReceiverAnswer>()
    const receiver = await startReceiver(() => release.promise)
    await platform.addEndpoint(receiver.url)
    for (let i = 0; i < 20; i += 1) await platform.happen()
    const worker = startWorker(platform.services, 60_000)
    await receiver.until(8)
    const stopped = worker.stop()
    release.resolve({ status: 200 })
    await stopped
    const due = await platform.services.db.read(
      'SELECT state, count(*) AS count FROM webhook_deliveries WHERE next_attempt_at <= ? GROUP BY state ORDER BY state',
      [platform.clock.now()],
    )
    expect(due).toMatchObject([
      { state: 'delivered', count: 8 },
      { state: 'pending', count: 12 },
    ])
    expect(receiver.received).toHaveLength(8)
  })

  test('a stopped worker breaks off what hangs, and another takes it over at once', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver((_webhook, count) => (count === 1 ? 'hang' : { status: 200 }))
    await platform.addEndpoint(receiver.url)
    const id = await platform.happen()
    const worker = startWorker(platform.services)
    await receiver.until(1)
    await worker.stop()
    expect(await platform.deliveries(id)).toMatchObject([{ state: 'pending', attempts: 0, last_response: null }])
    startWorker(platform.services)
    await processed(platform, id)
  })

  test('what a living worker had claimed and forgotten is delivered when its lease is over', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    await platform.addEndpoint(receiver.url)
    const id = await platform.happen()
    await claimDeliveries(platform.services.db, {
      nowMs: platform.clock.now(),
      limit: 10,
      except: [],
      holder: 'proc_test',
    })
    // Before the worker starts: a try under way would run into its time-out when the clock jumps.
    platform.clock.advance(LEASE_MS - 1)
    const next = await platform.happen()
    startWorker(platform.services)
    await processed(platform, next)
    expect(await platform.event(id)).toMatchObject({ processed_at: null })
    platform.clock.advance(1)
    await processed(platform, id)
  })
})

test('a database that fails for a while is logged once, and loses no delivery', async () => {
  const platform = await openEvents()
  const receiver = await startReceiver()
  await platform.addEndpoint(receiver.url)
  const failing = failingDatabase(platform.services.db)
  const worker = startWorker({ ...platform.services, db: failing.db })
  const id = await platform.happen()
  worker.wake()
  await failing.failures(3)
  failing.mend()
  await processed(platform, id)
  expect(receiver.received).toHaveLength(1)
  await expect.poll(() => platform.logged.length).toBe(2)
  const [first, last] = platform.logged.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ msg: 'the database does not serve a worker; it keeps trying', worker: 'webhooks' })
  expect(last).toMatchObject({ msg: 'the worker is at work again', worker: 'webhooks' })
})

test('a wake-up for each of many requests costs a few looks', async () => {
  const platform = await openEvents()
  let writes = 0
  const db: Database = {
    ...platform.services.db,
    write: (transaction) => platform.services.db.write(transaction).finally(() => (writes += 1)),
  }
  const worker = startWorker({ ...platform.services, db })
  for (let i = 0; i < 100_000; i += 1) {
    worker.wake()
    if (i % 1_000 === 0) await new Promise(setImmediate)
  }
  await worker.stop()
  expect(writes).toBeLessThan(100)
})

test('the outcomes of many deliveries share a few transactions', async () => {
  const platform = await openEvents()
  const receiver = await startReceiver()
  await platform.addEndpoint(receiver.url)
  const ids: string[] = []
  for (let i = 0; i < 500; i += 1) ids.push(await platform.happen())
  let writes = 0
  const db: Database = {
    ...platform.services.db,
    write: (transaction) => platform.services.db.write(transaction).finally(() => (writes += 1)),
  }
  startWorker({ ...platform.services, db })
  for (const id of ids) await processed(platform, id)
  expect(writes).toBeLessThan(250)
})

/** A database that is down until it is mended. */
function failingDatabase(real: Database): { db: Database; failures(count: number): Promise<void>; mend(): void } {
  let mended = false
  let failed = 0
  const watchers = new Set<() => void>()
  async function serve<T>(work: () => Promise<T>): Promise<T> {
    if (mended) return work()
    failed += 1
    for (const watch of watchers) watch()
    throw new DatabaseUnavailable('The disk is full.')
  }
  return {
    db: {
      ...real,
      read: (sql, params) => serve(() => real.read(sql, params)),
      write: (transaction) => serve(() => real.write(transaction)),
    },
    mend: () => (mended = true),
    failures: (count) =>
      new Promise((resolve) => {
        const watch = () => failed >= count && resolve()
        watchers.add(watch)
        watch()
      }),
  }
}
