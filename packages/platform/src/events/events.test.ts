import { contract } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { openEvents, type TestEvents } from '../../test/events/open-events.ts'
import { ruleEngines } from '../../test/test-platform.ts'
import { events } from './events.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  test('an event is read with its customer and its store', async () => {
    const platform = await openEvents(engine)
    await platform.commit([
      {
        sql: `INSERT INTO stores (account_id, id, name, archived, revision, resource, created_at)
          VALUES ('acc_1', 'store_1', 'Bikes', 0, 1, '{}', 0)`,
        params: [],
      },
      {
        sql: `INSERT INTO customers (account_id, id, store_id, email, first_name, last_name, details, created_at)
          VALUES ('acc_1', 'cus_1', 'store_1', 'ada@example.com', 'Ada', 'Lovelace', '{}', 0)`,
        params: [],
      },
    ])
    const eventId = await platform.happen({ storeId: 'store_1', customerId: 'cus_1' })
    const event = {
      id: eventId,
      accountId: 'acc_1',
      storeId: 'store_1',
      customerId: 'cus_1',
      eventType: 's_customer_created',
      properties: { customerId: 'cus_1' },
      draft: false,
      processedAt: '2030-01-01T00:00:00.000Z',
      createdAt: '2030-01-01T00:00:00.000Z',
      customer: { id: 'cus_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
      store: { id: 'store_1', name: 'Bikes' },
    }
    const { body } = await bodyOf(
      events.get({ params: { eventId }, query: undefined, body: undefined }, platform.call()),
    )
    expect(contract.events.get.response.parse(body)).toEqual(event)
  })

  test('an event without a payment or customer has neither, and is not processed while a delivery waits', async () => {
    const platform = await openEvents(engine)
    await platform.addEndpoint('https://shop.example/hooks')
    const eventId = await platform.happen()
    const { body } = await bodyOf(
      events.get({ params: { eventId }, query: undefined, body: undefined }, platform.call()),
    )
    for (const field of ['storeId', 'customerId', 'customer', 'store', 'processedAt']) {
      expect(body).not.toHaveProperty(field)
    }
  })

  test("another account's event is not there", async () => {
    const platform = await openEvents(engine)
    const eventId = await platform.happen()
    const reading = events.get({ params: { eventId }, query: undefined, body: undefined }, platform.call('acc_2'))
    await expect(reading).rejects.toMatchObject({ code: 'resource_missing' })
  })

  test('events are counted by type, without those of previews, the most frequent first, then by name', async () => {
    const platform = await openEvents(engine)
    await happenings(platform)
    expect(await count(platform, {})).toEqual({
      totalEvents: 5,
      eventsByType: [
        { eventType: 's_order_created', count: 2 },
        { eventType: 's_order_paid', count: 2 },
        { eventType: 's_customer_created', count: 1 },
      ],
      processedCount: 4,
      unprocessedCount: 1,
    })
  })

  test.each([
    [{ storeId: 'store_1' }, 3],
    [{ customerId: 'cus_1' }, 1],
    [{ storeId: 'store_1', customerId: 'cus_1' }, 0],
    [{ eventType: 's_order_paid' }, 2],
    [{ eventType: ['s_order_paid', 's_customer_created', 's_other'] }, 3],
    [{ eventType: 's-order-paid' }, 0],
    [{ from: '2030-01-01T00:00:01.000Z' }, 2],
    [{ to: '2030-01-01T00:00:01.000Z' }, 3],
    [{ from: '2030-01-01T01:00:00.000+01:00', to: '2030-01-01T00:00:00.001Z' }, 3],
    [{ draft: true }, 1],
    [{ draft: false }, 5],
    [{ draft: false, eventType: 's_order_paid', storeId: 'store_1' }, 2],
  ])('%j counts %i', async (filter, expected) => {
    const platform = await openEvents(engine)
    await happenings(platform)
    const counted = await count(platform, filter)
    expect(counted.totalEvents).toBe(expected)
    expect(counted.processedCount + counted.unprocessedCount).toBe(expected)
    expect(counted.eventsByType.reduce((sum, type) => sum + type.count, 0)).toBe(expected)
  })
})

/** Six events of the account, three of them a second later; two of them wait for a delivery. */
async function happenings({ clock, happen, addEndpoint }: TestEvents): Promise<void> {
  await happen({ type: 's_order_paid', storeId: 'store_1' })
  await happen({ type: 's_order_paid', storeId: 'store_1' })
  await happen({ type: 's_order_created', storeId: 'store_1' })
  await happen({ accountId: 'acc_2' })
  clock.advance(1_000)
  await happen({ type: 's_order_created' })
  await addEndpoint('https://shop.example/hooks', { eventTypes: ['s_order_paid', 's_customer_created'], drafts: true })
  await happen({ type: 's_order_paid', storeId: 'store_2', draft: true })
  await happen({ customerId: 'cus_1' })
}

async function count(platform: TestEvents, filter: object) {
  const body = contract.events.statistics.body.parse(filter)
  const reply = await bodyOf(events.statistics({ params: undefined, query: undefined, body }, platform.call()))
  return contract.events.statistics.response.parse(reply.body)
}

async function bodyOf<Reply extends object>(replying: Promise<Reply>): Promise<Extract<Reply, { body: unknown }>> {
  const reply = await replying
  if (!('body' in reply)) throw new Error('The request failed.')
  return reply as Extract<Reply, { body: unknown }> // the line before has checked it
}
