import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Claim } from './claim-deliveries.ts'
import { deliveryLanes, type Lanes } from './delivery-lanes.ts'

function claims(endpointId: string, count: number, leaseUntilMs = 60_000): Claim[] {
  return Array.from({ length: count }, (_, i) => ({
    accountId: 'acc_1',
    eventId: `evt_${i}`,
    endpointId,
    attempts: 0,
    attemptLog: '[]',
    leaseUntilMs,
  }))
}

function takeAll(lanes: Lanes, nowMs = 0): Claim[] {
  const taken: Claim[] = []
  for (let claim = lanes.take(nowMs); claim !== null; claim = lanes.take(nowMs)) taken.push(claim)
  return taken
}

test('an endpoint has eight places, and endpoints take turns', () => {
  const lanes = deliveryLanes()
  lanes.add([...claims('whe_1', 20), ...claims('whe_2', 2)])
  const taken = takeAll(lanes).map(({ endpointId }) => endpointId)
  expect(taken.slice(0, 4)).toEqual(['whe_1', 'whe_2', 'whe_1', 'whe_2'])
  expect(taken).toHaveLength(10)
  expect(lanes.waiting()).toEqual(['whe_1'])
  expect(lanes.held).toBe(22)
})

test('64 places are there in all', () => {
  const lanes = deliveryLanes()
  for (let i = 0; i < 20; i += 1) lanes.add(claims(`whe_${i}`, 5))
  expect(takeAll(lanes)).toHaveLength(64)
})

test('an endpoint that failed has one place until it acknowledges', () => {
  const lanes = deliveryLanes()
  lanes.add(claims('whe_1', 30))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  const alone = takeAll(lanes)
  expect(alone).toHaveLength(1)
  for (const claim of alone) lanes.done(claim, 'acknowledged')
  expect(takeAll(lanes)).toHaveLength(8)
})

test('a failure is remembered while nothing is to be tried', () => {
  const lanes = deliveryLanes()
  lanes.add(claims('whe_1', 1))
  for (const claim of takeAll(lanes)) lanes.done(claim, 'failed')
  lanes.add(claims('whe_1', 5))
  expect(takeAll(lanes)).toHaveLength(1)
})

test('what waited until its lease is nearly over is let go', () => {
  const lanes = deliveryLanes()
  lanes.add([...claims('whe_1', 3, 60_000), ...claims('whe_1', 2, 70_000)])
  expect(takeAll(lanes, 45_000)).toHaveLength(2)
  expect(lanes.held).toBe(2)
})

test('those that wait can be taken out', () => {
  const lanes = deliveryLanes()
  lanes.add(claims('whe_1', 10))
  takeAll(lanes)
  expect(lanes.drain()).toHaveLength(2)
  expect([lanes.held, lanes.waiting()]).toEqual([8, []])
})

test('whatever happens, every claim is taken once and the places add up', () => {
  const step = fc.record({
    endpoint: fc.integer({ min: 0, max: 11 }),
    count: fc.integer({ min: 0, max: 12 }),
    finish: fc.nat(20),
    fails: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const lanes = deliveryLanes()
      const running: Claim[] = []
      let added = 0
      let finished = 0
      for (const { endpoint, count, finish, fails } of steps) {
        lanes.add(claims(`whe_${endpoint}`, count))
        added += count
        running.push(...takeAll(lanes))
        expect(running.length).toBeLessThanOrEqual(64)
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
