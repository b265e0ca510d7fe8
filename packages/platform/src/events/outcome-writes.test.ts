import { describe, expect, test } from 'vitest'
import { acknowledged } from '../../test/events/acknowledged.ts'
import { openEvents, testableEngines } from '../../test/events/open-events.ts'
import type { Database } from '../storage/database.ts'
import type { Outcome } from './attempt-delivery.ts'
import { type Claim, claimDeliveries } from './claim-deliveries.ts'
import { outcomeWrites } from './delivery-outcomes.ts'

const everything = { limit: 1_000, except: [], holder: 'proc_test' }

describe.each(testableEngines())('on %s', (engine) => {
  test('of the last two acknowledgements of an event, recorded at once, one finishes it', async () => {
    const platform = await openEvents(engine)
    await platform.addEndpoint('https://one.example/')
    await platform.addEndpoint('https://two.example/')
    for (let i = 0; i < 40; i += 1) await platform.happen()
    const nowMs = platform.clock.now()
    const claims = await claimDeliveries(platform.services.db, { nowMs, ...everything })
    const [one, two] = Object.values(Object.groupBy(claims, ({ endpointId }) => endpointId))
    const databases: [Database, readonly Claim[]][] = [
      [platform.services.db, one ?? []],
      [(await platform.elsewhere()).db, two ?? []],
    ]
    await Promise.all(
      databases.flatMap(([db, its]) =>
        its.map(async (claim) => db.write(outcomeWrites([await acknowledged(claim, platform)], { nowMs, engine }))),
      ),
    )
    const rows = await platform.services.db.read('SELECT id FROM events WHERE processed_at IS NULL', [])
    expect(rows).toEqual([])
  })

  test('an outcome that comes after its lease, when another has the delivery, changes nothing', async () => {
    const platform = await openEvents(engine)
    const {
      services: { db },
      clock,
      addEndpoint,
      happen,
      deliveries,
      event,
    } = platform
    await addEndpoint('https://one.example/')
    const id = await happen()
    const [late] = await claimDeliveries(db, { nowMs: clock.now(), ...everything })
    if (late === undefined) throw new Error('The delivery is due.')
    clock.advance(60_000)
    await claimDeliveries(db, { nowMs: clock.now(), ...everything })
    const before = await deliveries(id)
    const outcomes: Outcome[] = [
      await acknowledged(late, platform),
      { kind: 'unwanted', claim: late },
      { kind: 'released', claim: late },
    ]
    for (const outcome of outcomes) await db.write(outcomeWrites([outcome], { nowMs: clock.now(), engine }))
    expect(await deliveries(id)).toEqual(before)
    expect(await event(id)).toMatchObject({ processed_at: null })
  })
})
