import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Claim } from './claim-deliveries.ts'
import { DeliveryLanes } from './delivery-runner.ts'

function claims(
  endpointId: string,
  count: number,
  { accountId = 'acc_1', leaseUntilMs = 60_000 }: { accountId?: string; leaseUntilMs?: number } = {},
): Claim[] {
  return Array.from({ length: count }, (_, i) => ({
    accountId,
    eventId: `evt_${i}`,
    endpointId,
    attempts: 0,
    attemptLog: [],
    leaseUntilMs,
  }))
}

function takeAll(lanes: DeliveryLanes, nowMs = 0): Claim[] {
  const taken: Claim[] = []
  for (let claim = lanes.take(nowMs); claim !== null; claim = lanes.take(nowMs)) taken.push(claim)
  return taken
}

test('an endpoint has eight places, and endpoints take turns', () => {
  const lanes = new DeliveryLanes()
  lanes.add([...claims('whe_1', 20), ...claims('whe_2', 2)])
  const taken = takeAll(lanes).map(({ endpointId }) => endpointId)
  expect(taken.slice(0, 4)).toEqual(['whe_1', 'whe_2', 'whe_1', 'whe_2'])
  expect(taken).toHaveLength(10)
  expect(lanes.full()).toEqual({ endpoints: ['whe_1'], accounts: [] })
  expect(lanes.held).toBe(22)
})

test('half of the 256 places are for endpoints that have none yet', () => {
  const lanes = new DeliveryLanes()
  for (let i = 0; i < 50; i += 1) lanes.add(claims(`whe_slow_${i}`, 20))
  expect(takeAll(lanes)).toHaveLength(128)
  for (let i = 0; i < 200; i += 1) lanes.add(claims(`whe_${i}`, 2, { accountId: `acc_other_${i}` }))
  const taken = takeAll(lanes).map(({ endpointId }) => endpointId)
  expect(taken).toHaveLength(128)
  expect(new Set(taken).size).toBe(128)
})

test('an account with a hundred slow endpoints leaves half of the places, and half of what is held, for others', () => {
  const lanes = new DeliveryLanes()
  for (let i = 0; i < 100; i += 1) lanes.add(claims(`whe_slow_${i}`, 5))
  expect(takeAll(lanes)).toHaveLength(128)
  expect(lanes.full().accounts).toEqual([])
  lanes.add(claims('whe_slow_100', 12))
  expect(lanes.full().accounts).toEqual(['acc_1'])
  lanes.add(claims('whe_other', 9, { accountId: 'acc_2' }))
  expect(takeAll(lanes).map(({ endpointId }) => endpointId)).toEqual(['whe_other'])
  expect(lanes.full().accounts).toEqual(['acc_1'])
})

test('broken endpoints, however many, leave room for others', () => {
  const lanes = new DeliveryLanes()
  for (let i = 0; i < 100; i += 1) lanes.add(claims(`whe_broken_${i}`, 1))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  for (let i = 0; i < 100; i += 1) lanes.add(claims(`whe_broken_${i}`, 3))
  expect(takeAll(lanes)).toHaveLength(32)
  expect(lanes.full().endpoints).toHaveLength(100)
  for (let i = 0; i < 100; i += 1) lanes.add(claims(`whe_also_broken_${i}`, 1, { accountId: `acc_other_${i}` }))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  for (let i = 0; i < 100; i += 1) lanes.add(claims(`whe_also_broken_${i}`, 1, { accountId: `acc_other_${i}` }))
  expect(takeAll(lanes)).toHaveLength(32)
  lanes.add(claims('whe_good', 9))
  expect(takeAll(lanes)).toHaveLength(8)
})

test('when deliveries to broken endpoints fill their share, no more of them are claimed', () => {
  const lanes = new DeliveryLanes()
  lanes.add([...claims('whe_other', 1), ...claims('whe_broken', 1)])
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  lanes.add(claims('whe_broken', 256))
  lanes.add(claims('whe_other', 1))
  takeAll(lanes)
  expect(lanes.full().endpoints.toSorted()).toEqual(['whe_broken', 'whe_other'])
  lanes.drain()
  expect(lanes.full().endpoints).toEqual([])
})

test('an endpoint that failed has one place until it acknowledges', () => {
  const lanes = new DeliveryLanes()
  lanes.add(claims('whe_1', 30))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  const alone = takeAll(lanes)
  expect(alone).toHaveLength(1)
  for (const claim of alone) lanes.done(claim, 'acknowledged')
  expect(takeAll(lanes)).toHaveLength(8)
})

test('a failure is remembered while nothing is to be tried', () => {
  const lanes = new DeliveryLanes()
  lanes.add(claims('whe_1', 1))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  lanes.add(claims('whe_1', 5))
  expect(takeAll(lanes)).toHaveLength(1)
})

test('what waited until its lease is nearly over is let go', () => {
  const lanes = new DeliveryLanes()
  lanes.add([...claims('whe_1', 3), ...claims('whe_1', 2, { leaseUntilMs: 70_000 })])
  expect(takeAll(lanes, 45_000)).toHaveLength(2)
  expect(lanes.held).toBe(2)
})

test('those that wait can be taken out', () => {
  const lanes = new DeliveryLanes()
  lanes.add(claims('whe_1', 10))
  takeAll(lanes)
  expect(lanes.drain()).toHaveLength(2)
  expect([lanes.held, lanes.full()]).toEqual([8, { endpoints: [], accounts: [] }])
})

test('whatever happens, every claim is taken once and the places add up', () => {
  const step = fc.record({
    endpoint: fc.integer({ min: 0, max: 60 }),
    count: fc.integer({ min: 0, max: 12 }),
    finish: fc.nat(20),
    fails: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lanes = new DeliveryLanes()
      const running: Claim[] = []
      let added = 0
      let finished = 0
      for (const { endpoint, count, finish, fails } of steps) {
        lanes.add(claims(`whe_${endpoint}`, count, { accountId: `acc_${endpoint % 7}` }))
        added += count
        running.push(...takeAll(lanes))
        expect(running.length).toBeLessThanOrEqual(256)
        for (const claim of running.splice(0, finish)) {
          lanes.done(claim, fails ? 'failed' : 'acknowledged')
          finished += 1
        }
        expect(lanes.held).toBe(added - finished)
      }
      while (lanes.held > 0) {
        running.push(...takeAll(lanes))
        for (const claim of running.splice(0)) lanes.done(claim, 'acknowledged')
      }
    }),
  )
})
