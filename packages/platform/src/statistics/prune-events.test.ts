import { contract } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument, pay } from '../../test/pay-with-card.ts'
import { startReceiver } from '../../test/events/start-receiver.ts'
import { startTestPlatform, testableEngines } from '../../test/test-platform.ts'
import { foldAll } from './fold.ts'
import { pruneEvents } from './prune-events.ts'

const DAY_MS = 86_400_000
const timeOf = (ms: number): string => new Date(ms).toISOString()

describe.each(testableEngines())('on %s', (engine) => {
  test('events of a former month go with their deliveries, and statistics and younger events stay', async () => {
    const platform = await startTestPlatform({ engine, env: { TILLWRIGHT_KEEP_EVENTS_DAYS: '30' } })
    onTestFinished(() => platform.remove())
    const { call, clock, services } = platform
    const { url } = await startReceiver()
    await call(contract.webhookEndpoints.create, { body: { url, eventTypes: '*' } })
    await pay(platform, (await newInstrument(platform)).id)
    const types = async () => {
      const { data } = await call(contract.eventLog.list, { query: { limit: 100 } }, platform.local.adminApiKey)
      return data.map(({ eventType }) => eventType)
    }
    expect(await types()).toContain('s_payment_succeeded')
    const query = { from: timeOf(clock.now() - DAY_MS), to: timeOf(clock.now() + DAY_MS) }
    const paid = async () => {
      const { currencies } = await call(contract.statistics.get, { query })
      return currencies.map(({ currency, succeeded }) => [currency, succeeded.reduce((sum, each) => sum + each, 0)])
    }
    clock.advance(60_001)
    expect(await paid()).toEqual([['USD', 1]])
    // The local account's own endpoint does not answer: its deliveries fail for good after some days.
    const pending = () => services.db.read(`SELECT event_id FROM webhook_deliveries WHERE state = 'pending'`, [])
    await expect.poll(async () => (clock.advance(DAY_MS / 2), pending()), { timeout: 60_000 }).toEqual([])
    expect(await types()).toContain('s_payment_succeeded')
    clock.advance(15 * DAY_MS)
    await newInstrument(platform)
    clock.advance(16 * DAY_MS)
    await expect
      .poll(async () => (clock.advance(15_001), types()), { timeout: 60_000 })
      .not.toContain('s_payment_succeeded')
    expect(await types()).toEqual(expect.arrayContaining(['s_customer_created', 's_payment_instrument_created']))
    const orphans = `SELECT event_id FROM webhook_deliveries d WHERE NOT EXISTS (
      SELECT 1 FROM events e WHERE e.account_id = d.account_id AND e.id = d.event_id)`
    expect(await services.db.read(orphans, [])).toEqual([])
    expect(await paid()).toEqual([['USD', 1]])
  })

  test('what is not counted yet stays, and what is to be delivered again', async () => {
    const platform = await startTestPlatform({ engine })
    onTestFinished(() => platform.remove())
    const { call, clock, services } = platform
    const { db } = services
    const ids = async () => (await db.read('SELECT id FROM events ORDER BY id', [])).map(({ id }) => String(id))
    const prune = () => pruneEvents({ db, clock, beforeMs: clock.now() + DAY_MS, untilMs: clock.now() + 1 })
    await newInstrument(platform)
    const before = await ids()
    expect(before.length).toBeGreaterThan(1)
    await db.write([
      { sql: 'DELETE FROM statistics_folds', params: [] },
      { sql: `UPDATE webhook_deliveries SET state = 'failed', holder = NULL`, params: [] },
    ])
    await prune()
    expect(await ids()).toEqual(before)
    await call(contract.webhookEndpoints.create, {
      body: { url: 'http://localhost:1', eventTypes: '*' },
    })
    const replayed = before.at(-1) ?? ''
    await call(contract.eventLog.replay, { params: { eventId: replayed } }, platform.local.adminApiKey)
    await foldAll(db, clock.now() + 120_000)
    await prune()
    expect(await ids()).toContain(replayed)
    expect(await ids()).not.toContain(before[0])
  })
})
