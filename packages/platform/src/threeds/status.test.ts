import { contract, type ThreedsStatus, transStatus } from '@tillwright/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFinal, mayMove, outcomeOf, standingOf, statusAt, statusOfOutcome } from './status.ts'

const statuses: readonly ThreedsStatus[] = contract.threeds.createSession.response.shape.status.options
const time = fc.integer({ min: 0, max: 5 })
const session = fc.record({ status: fc.constantFrom(...statuses), leaseUntilMs: time, expiresAtMs: time })

test('a session never leaves a final status', () => {
  const final = statuses.filter(isFinal)
  expect(final.toSorted()).toEqual([
    'attempted',
    'cancelled',
    'expired',
    'failed',
    'informational',
    'rejected',
    'successful',
    'unavailable',
  ])
  for (const from of final) for (const to of statuses) expect(mayMove(from, to), `${from} -> ${to}`).toBe(false)
})

test('every status can be reached from the first, and nothing leads back to it', () => {
  const reached = new Set<ThreedsStatus>(['created'])
  for (const from of reached) for (const to of statuses) if (mayMove(from, to)) reached.add(to)
  expect(reached).toEqual(new Set(statuses))
  for (const from of statuses) expect(mayMove(from, 'created')).toBe(false)
})

test('whatever is not over can expire', () => {
  for (const from of statuses) expect(mayMove(from, 'expired')).toBe(!isFinal(from))
})

test('each outcome has a status of its own, to which an authentication leads', () => {
  const reached = transStatus.options.map(statusOfOutcome)
  expect(new Set(reached).size).toBe(transStatus.options.length)
  for (const to of reached) expect(mayMove('authenticating', to)).toBe(true)
  expect(statuses.filter((to) => mayMove('challenge_required', to))).toEqual([
    'successful',
    'attempted',
    'failed',
    'unavailable',
    'rejected',
    'cancelled',
    'expired',
  ])
})

test('whatever is not over can be given up, and ends in a word of its own', () => {
  for (const from of statuses) expect(mayMove(from, 'cancelled')).toBe(!isFinal(from))
  expect(statuses.filter((status) => outcomeOf(status) === 'pending')).toEqual(statuses.filter((one) => !isFinal(one)))
  const ends = statuses.filter(isFinal)
  expect(new Set(ends.map(outcomeOf)).size).toBe(ends.length)
})

test('a session whose time is over is reported as expired, and any other as it is', () => {
  fc.assert(
    fc.property(session, time, (timed, nowMs) => {
      const lapsed = standingOf(timed, nowMs) === 'lapsed'
      expect(statusAt(timed, nowMs)).toBe(lapsed ? 'expired' : timed.status)
    }),
  )
})

test('a session stands in one way, which its status may go', () => {
  fc.assert(
    fc.property(session, time, (timed, nowMs) => {
      const { status, leaseUntilMs, expiresAtMs } = timed
      const standing = standingOf(timed, nowMs)
      switch (standing) {
        case 'ready':
          expect(mayMove(status, 'authenticating')).toBe(true)
          expect(nowMs).toBeLessThan(expiresAtMs)
          break
        case 'lapsed':
          expect(mayMove(status, 'expired')).toBe(true)
          expect(nowMs).toBeGreaterThanOrEqual(expiresAtMs)
          break
        case 'busy':
          expect([status, leaseUntilMs > nowMs]).toEqual(['authenticating', true])
          break
        case 'over':
          expect(isFinal(status) || status === 'challenge_required').toBe(true)
      }
    }),
  )
})

test.for([
  ['created', 0, 'ready'],
  ['method_pending', 0, 'ready'],
  ['authenticating', 0, 'ready'],
  ['authenticating', 10, 'ready'],
  ['authenticating', 11, 'busy'],
  ['challenge_required', 0, 'over'],
  ['successful', 0, 'over'],
] as const)('a session that is %s with a lease until %i is %s at 10', ([status, leaseUntilMs, standing]) => {
  expect(standingOf({ status, leaseUntilMs, expiresAtMs: 20 }, 10)).toBe(standing)
})

test('the last moment of a session is the one before it expires; who is at it by then may finish', () => {
  const last = { status: 'authenticating', leaseUntilMs: 0, expiresAtMs: 20 } as const
  expect(standingOf(last, 19)).toBe('ready')
  expect(standingOf(last, 20)).toBe('lapsed')
  expect(standingOf({ ...last, leaseUntilMs: 21 }, 20)).toBe('busy')
  expect(standingOf({ ...last, status: 'challenge_required' }, 20)).toBe('lapsed')
})
