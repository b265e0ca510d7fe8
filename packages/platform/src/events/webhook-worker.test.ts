import { webhookPayload } from '@tillwright/contract'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openEvents, testableEngines, type TestEvents } from '../../test/events/open-events.ts'
import { type ReceiverAnswer, startReceiver } from '../../test/events/start-receiver.ts'
import { startWorker } from '../../test/events/start-worker.ts'
import { processed, tried } from '../../test/events/wait-for.ts'
import { disableEndpoint, listEndpoints, removeEndpoint, rotateSecret } from './endpoints.ts'

const DAY_MS = 24 * 3_600_000

describe.each(testableEngines())('on %s', (engine) => {
  test('an event reaches its endpoint, signed with both secrets of a rotation, and is processed', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver()
    const { endpoint, secret } = await platform.addEndpoint(`${receiver.url}/hooks`)
    const rotated = await rotateSecret(platform.services.db, endpoint.id, platform.call())
    await platform.commit(rotated?.writes ?? [])
    const worker = startWorker(platform.services)
    const id = await platform.happen({ storeId: 'store_1' })
    worker.wake()
    const [webhook] = await receiver.until(1)
    await processed(platform, id)

    vi.setSystemTime(platform.clock.now()) // the library compares the signed time with `Date`
    onTestFinished(() => void vi.useRealTimers())
    for (const key of [rotated?.secret ?? '', secret]) {
      const verified = new Webhook(key).verify(webhook?.body ?? '', headersOf(webhook))
      expect(webhookPayload.parse(verified)).toMatchObject({ id, type: 's_customer_created', storeId: 'store_1' })
      expect(() => new SvixWebhook(key).verify(webhook?.body ?? '', headersOf(webhook))).not.toThrow()
    }
    expect(() => new SvixWebhook(`whsec_${'A'.repeat(43)}=`).verify(webhook?.body ?? '', headersOf(webhook))).toThrow(
      'No matching signature',
    )
    expect(await platform.deliveries(id)).toMatchObject([{ state: 'delivered', attempts: 1, last_status: 204 }])
  })

  test('an event is processed when the last of its endpoints has acknowledged', async () => {
    const platform = await openEvents(engine)
    let broken = true
    const good = await startReceiver()
    const late = await startReceiver(() => ({ status: broken ? 500 : 200 }))
    await platform.addEndpoint(good.url)
    await platform.addEndpoint(late.url)
    const id = await platform.happen()
    startWorker(platform.services)
    await tried(platform, id, 1)
    expect(await platform.event(id)).toMatchObject({ processed_at: null })
    broken = false
    await untilDue(platform, id)
    await processed(platform, id)
    expect(await platform.event(id)).toMatchObject({ processed_at: platform.clock.now() })
    expect(late.ids()).toEqual([id, id])
    expect(good.received).toHaveLength(1)
  })

  test('ten failures end a delivery, each at its time', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver(() => ({ status: 500, body: 'out of order' }))
    await platform.addEndpoint(receiver.url)
    const id = await platform.happen()
    startWorker(platform.services)
    const startMs = platform.clock.now()
    const waits: number[] = []
    for (let attempts = 1; attempts < 10; attempts += 1) {
      await tried(platform, id, attempts)
      waits.push(await untilDue(platform, id))
    }
    await tried(platform, id, 10)
    expect(receiver.received).toHaveLength(10)
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    let expectedMs = startMs
    expect(times).toEqual(
      [startMs, ...waits.map((waitMs) => (expectedMs += waitMs))].map((ms) => Math.floor(ms / 1_000)),
    )
    const nominal = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1_000)
    for (const [i, waitMs] of waits.entries()) expect(Math.abs(waitMs / (nominal[i] ?? 0) - 1)).toBeLessThanOrEqual(0.2)
    expect(await platform.deliveries(id)).toMatchObject([
      { state: 'failed', attempts: 10, last_status: 500, last_response: 'out of order' },
    ])
    expect(await platform.event(id)).toMatchObject({ processed_at: null })
  })

  test('Retry-After puts the next try off, and a redirect is a failure', async () => {
    const platform = await openEvents(engine)
    const elsewhere = await startReceiver()
    const answers: ReceiverAnswer[] = [
      { status: 503, headers: { 'retry-after': '3600' } },
      { status: 302, headers: { location: elsewhere.url } },
    ]
    const receiver = await startReceiver((_webhook, count) => answers[count - 1] ?? { status: 200 })
    await platform.addEndpoint(receiver.url)
    const id = await platform.happen()
    startWorker(platform.services)
    await tried(platform, id, 1)
    expect(await untilDue(platform, id)).toBe(3_600_000)
    await tried(platform, id, 2)
    expect(await platform.deliveries(id)).toMatchObject([{ state: 'pending', last_status: 302 }])
    await untilDue(platform, id)
    await processed(platform, id)
    expect(elsewhere.received).toEqual([])
  })

  test('410 disables the endpoint, of which an event and the audit log tell, and nothing more is sent there', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver(() => ({ status: 410 }))
    const { endpoint } = await platform.addEndpoint(receiver.url)
    const told = await startReceiver()
    const watching = await platform.addEndpoint(told.url, { eventTypes: ['s_webhook_endpoint_updated'] })
    const id = await platform.happen()
    const worker = startWorker(platform.services)
    await tried(platform, id, 1)
    expect(await platform.deliveries(id)).toMatchObject([{ state: 'failed', last_status: 410 }])
    const enabled = async () =>
      (await listEndpoints(platform.services.db, 'acc_1')).filter((each) => each.enabled).map((each) => each.id)
    await expect.poll(enabled).toEqual([watching.endpoint.id])
    worker.wake()
    await told.until(1)
    expect(JSON.parse(told.received[0]?.body ?? '')).toMatchObject({
      type: 's_webhook_endpoint_updated',
      data: { properties: { webhookEndpointId: endpoint.id, changed: ['enabled'] } },
    })
    const entries = 'SELECT actor_kind, actor_id, operation, resource_id FROM audit_entries'
    expect(await platform.services.db.read(entries, [])).toEqual([
      { actor_kind: 'worker', actor_id: 'webhooks', operation: 'webhooks.disable', resource_id: endpoint.id },
    ])
    expect(await platform.deliveries(await platform.happen())).toEqual([])
    expect(receiver.received).toHaveLength(1)
  })

  test('five days without an acknowledgement disable the endpoint, one in between does not', async () => {
    const platform = await openEvents(engine)
    const answers = [500, 200, 500, 500]
    const receiver = await startReceiver((_webhook, count) => ({ status: answers[count - 1] ?? 200 }))
    await platform.addEndpoint(receiver.url)
    const worker = startWorker(platform.services)
    async function tryAnEvent(): Promise<object | undefined> {
      const id = await platform.happen()
      worker.wake()
      await tried(platform, id, 1)
      const [endpoint] = await listEndpoints(platform.services.db, 'acc_1')
      await platform.services.db.write([{ sql: 'DELETE FROM webhook_deliveries', params: [] }])
      platform.clock.advance(4 * DAY_MS)
      return endpoint
    }
    expect(await tryAnEvent()).toMatchObject({ enabled: true, failingSince: '2030-01-01T00:00:00.000Z' })
    expect(await tryAnEvent()).toMatchObject({ enabled: true, failingSince: null })
    expect(await tryAnEvent()).toMatchObject({ enabled: true, failingSince: '2030-01-09T00:00:00.000Z' })
    platform.clock.advance(DAY_MS)
    await tryAnEvent()
    await expect.poll(() => listEndpoints(platform.services.db, 'acc_1')).toMatchObject([{ enabled: false }])
  })

  test('a subscription that has ended since is not tried again', async () => {
    const platform = await openEvents(engine)
    const receiver = await startReceiver(() => ({ status: 500 }))
    const [one, two] = [await platform.addEndpoint(receiver.url), await platform.addEndpoint(receiver.url)]
    const id = await platform.happen()
    startWorker(platform.services)
    await tried(platform, id, 1)
    await platform.commit([...disableEndpoint('acc_1', one.endpoint.id), ...removeEndpoint('acc_1', two.endpoint.id)])
    platform.clock.advance(6_000)
    await expect
      .poll(() => platform.deliveries(id))
      .toMatchObject([
        { state: 'failed', attempts: 1 },
        { state: 'failed', attempts: 1 },
      ])
    expect(receiver.received).toHaveLength(2)
  })

  test('an endpoint gets the types it names, and drafts if it asks for them', async () => {
    const platform = await openEvents(engine)
    const [paid, all, drafts] = [await startReceiver(), await startReceiver(), await startReceiver()]
    await platform.addEndpoint(paid.url, { eventTypes: ['s_order_paid'] })
    await platform.addEndpoint(all.url)
    await platform.addEndpoint(drafts.url, { drafts: true })
    startWorker(platform.services)
    const ids = [
      await platform.happen({ type: 's_order_paid' }),
      await platform.happen({ type: 's_order_created' }),
      await platform.happen({ type: 's_order_paid', draft: true }),
      await platform.happen({ accountId: 'acc_2' }),
    ]
    platform.clock.advance(1_000)
    for (const id of ids) await processed(platform, id)
    expect(paid.ids()).toEqual(ids.slice(0, 1))
    expect(all.ids().toSorted()).toEqual(ids.slice(0, 2).toSorted())
    expect(drafts.ids().toSorted()).toEqual(ids.slice(0, 3).toSorted())
  })
})

/** Moves the clock to when the event's delivery is due and returns how far that was. */
async function untilDue(platform: TestEvents, id: string): Promise<number> {
  const pending = (await platform.deliveries(id)).filter(({ state }) => state === 'pending')
  const waitMs = Math.max(...pending.map((row) => Number(row['next_attempt_at']))) - platform.clock.now()
  platform.clock.advance(waitMs - 1)
  expect((await platform.deliveries(id)).filter(({ state }) => state === 'pending')).toEqual(pending)
  platform.clock.advance(1)
  return waitMs
}

function headersOf(webhook: { headers: object } | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(webhook?.headers ?? {}).map(([name, value]) => [name, String(value)]))
}
