import { describe, expect, test } from 'vitest'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import { claimDeliveries, LEASE_MS, nextDueMs, releaseDeliveries, webhookBacklog } from './claim-deliveries.ts'

describe.each(testableEngines())('on %s', (engine) => {
  test('a claim is taken once, the longest due first, and again when its lease is over', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    const { endpoint } = await addEndpoint('https://shop.example/hooks')
    const ids: string[] = []
    for (let i = 0; i < 5; i += 1) {
      ids.push(await happen())
      clock.advance(1)
    }
    const nowMs = clock.now()
    const first = await claimDeliveries(db, { nowMs, limit: 3, except: [], holder: 'proc_test' })
    expect(first.map(({ eventId }) => eventId).toSorted()).toEqual(ids.slice(0, 3).toSorted())
    expect(first[0]).toMatchObject({
      accountId: 'acc_1',
      endpointId: endpoint.id,
      attempts: 0,
      leaseUntilMs: nowMs + LEASE_MS,
    })
    const second = await claimDeliveries(db, { nowMs, limit: 3, except: [], holder: 'proc_test' })
    expect(second.map(({ eventId }) => eventId).toSorted()).toEqual(ids.slice(3).toSorted())
    expect(
      await claimDeliveries(db, { nowMs: nowMs + LEASE_MS - 1, limit: 9, except: [], holder: 'proc_test' }),
    ).toEqual([])
    expect(
      await claimDeliveries(db, { nowMs: nowMs + LEASE_MS, limit: 9, except: [], holder: 'proc_test' }),
    ).toHaveLength(5)
  })

  test('endpoints can be left out', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    const endpoints = []
    for (let i = 0; i < 3; i += 1) endpoints.push((await addEndpoint('https://shop.example/hooks')).endpoint.id)
    await happen()
    const claims = await claimDeliveries(db, {
      nowMs: clock.now(),
      limit: 9,
      except: endpoints.slice(0, 2),
      holder: 'proc_test',
    })
    expect(claims.map(({ endpointId }) => endpointId)).toEqual(endpoints.slice(2))
  })

  test('accounts can be left out with all of their endpoints', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    const { endpoint } = await addEndpoint('https://shop.example/hooks')
    await happen()
    const claiming = { nowMs: clock.now(), limit: 9, except: [], holder: 'proc_test' }
    expect(await claimDeliveries(db, { ...claiming, exceptAccounts: ['acc_1'] })).toEqual([])
    const claims = await claimDeliveries(db, { ...claiming, exceptAccounts: ['acc_2'] })
    expect(claims.map(({ endpointId }) => endpointId)).toEqual([endpoint.id])
  })

  test('the turn goes round: endpoints that always wait do not keep it from those behind them', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    const endpoints = []
    for (let i = 0; i < 3; i += 1) endpoints.push((await addEndpoint('https://shop.example/hooks')).endpoint.id)
    for (let i = 0; i < 2; i += 1) await happen()
    const claimed = []
    for (let after = ''; claimed.length < 6; after = claimed.at(-1) ?? '') {
      const [claim] = await claimDeliveries(db, {
        nowMs: clock.now(),
        limit: 1,
        except: [],
        after,
        holder: 'proc_test',
      })
      claimed.push(claim?.endpointId)
    }
    endpoints.sort()
    expect(claimed).toEqual([...endpoints, ...endpoints])
  })

  test('claims made at the same time never overlap', async () => {
    const platform = await openEvents(engine)
    await platform.addEndpoint('https://shop.example/hooks')
    for (let i = 0; i < 100; i += 1) await platform.happen()
    const here = platform.services.db
    const there = (await platform.elsewhere()).db
    const options = { nowMs: platform.clock.now(), limit: 10, except: [], holder: 'proc_test' }
    const claiming = Array.from({ length: 16 }, (_, i) => claimDeliveries(i % 2 === 0 ? here : there, options))
    const claims = (await Promise.all(claiming)).flat()
    expect(new Set(claims.map(({ eventId }) => eventId)).size).toBe(claims.length)
    expect(claims.length).toBe(100)
  })

  test('the next due time leaves out what is due already', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    await addEndpoint('https://shop.example/hooks')
    const nowMs = clock.now()
    expect(await nextDueMs(db, nowMs)).toBeNull()
    await happen()
    expect(await nextDueMs(db, nowMs)).toBeNull()
    expect(await nextDueMs(db, nowMs - 1)).toBe(nowMs)
  })

  test('what a process had claimed that is no more is due at once when it is taken back', async () => {
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
    } = await openEvents(engine)
    await addEndpoint('https://shop.example/hooks')
    await happen()
    const claims = { nowMs: clock.now(), limit: 9, except: [], holder: 'proc_test' }
    expect(await claimDeliveries(db, claims)).toHaveLength(1)
    expect(await claimDeliveries(db, claims)).toEqual([])
    await db.write([releaseDeliveries(clock.now())])
    expect(await claimDeliveries(db, claims)).toHaveLength(1)
  })

  test('the backlog is late by the first delivery to an endpoint that answers: one that fails delays its own alone', async () => {
    const { services, clock, addEndpoint, happen } = await openEvents(engine)
    const { db } = services
    const { endpoint } = await addEndpoint('https://broken.example/hooks')
    const failing = 'UPDATE webhook_endpoints SET failing_since = ? WHERE account_id = ? AND id = ?'
    await happen()
    const nowMs = clock.now()
    expect(await webhookBacklog(db)).toEqual({ pending: 1, firstDueMs: nowMs })
    await db.write([{ sql: failing, params: [nowMs, endpoint.accountId, endpoint.id] }])
    expect(await webhookBacklog(db)).toEqual({ pending: 1, firstDueMs: null })
    await addEndpoint('https://shop.example/hooks')
    clock.advance(60_000)
    await happen()
    expect(await webhookBacklog(db)).toEqual({ pending: 3, firstDueMs: nowMs + 60_000 })
  })
})
