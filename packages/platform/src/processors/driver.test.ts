import { describe, expect, test } from 'vitest'
import { driverWith } from '../../test/payments/driver-with.ts'
import { factsOf, newAuthorisation } from '../../test/processors/new-authorisation.ts'
import { manualClock } from '../runtime/clock.ts'
import type { FaultOf } from '../runtime/fault.ts'
import { declined } from './authorisation.ts'
import { type Driver, LATE_MS, SLOW_MS, withFault } from './driver.ts'

test('an advice of the network that forbids another try makes a soft decline hard', () => {
  const reference = 'pi_1'
  expect(declined('do_not_honor', { reference })).toMatchObject({ kind: 'soft', advice: null })
  expect(declined('do_not_honor', { reference, advice: '02' })).toMatchObject({ kind: 'soft', advice: '02' })
  for (const advice of ['03', '21']) {
    expect(declined('do_not_honor', { reference, advice })).toMatchObject({ kind: 'hard', advice })
  }
  expect(declined('stolen_card', { reference, advice: '02' })).toMatchObject({ kind: 'hard' })
})

const attempt = newAuthorisation()
const answer = { outcome: 'succeeded', reference: 'pi_1' } as const

/** A driver that counts what arrives, with a disturbed way to it. */
function disturbed(fault: FaultOf<'processor'> | null) {
  const clock = manualClock(0)
  const arrived: string[] = []
  const arrive = (what: string) => async () => (arrived.push(what), answer)
  const driver = driverWith({
    authorise: arrive('authorise'),
    capture: arrive('capture'),
    refund: arrive('refund'),
    void: arrive('void'),
    query: arrive('query'),
  })
  return { clock, arrived, driver: withFault(driver, fault, clock) }
}

const postAuthorizations: [string, (driver: Driver) => Promise<unknown>][] = [
  ['capture', (driver) => driver.capture({ id: 're_1', reference: 'pi_1', amount: 1, currency: 'USD', isFinal: true })],
  ['refund', (driver) => driver.refund({ id: 're_1', reference: 'pi_1', amount: 1, currency: 'USD' })],
  ['void', (driver) => driver.void({ id: 're_1', reference: 'pi_1' })],
]

test('without a fault the driver is the one that it was', () => {
  const driver = driverWith({})
  expect(withFault(driver, null, manualClock(0))).toBe(driver)
})

test('in an outage nothing arrives, and a query says so', async () => {
  const { driver, arrived } = disturbed('processor=outage')
  expect(await driver.authorise(attempt)).toMatchObject({ outcome: 'refused_before_acceptance' })
  for (const [, send] of postAuthorizations)
    expect(await send(driver)).toMatchObject({ outcome: 'refused', reason: 'unavailable' })
  expect(arrived).toEqual([])
})

describe.each([['authorise', (driver: Driver) => driver.authorise(attempt)], ...postAuthorizations] as [
  string,
  (driver: Driver) => Promise<unknown>,
][])('%s', (name, send) => {
  test.for([
    ['processor=timeout_before', []],
    ['processor=timeout_after', [name]],
  ] as const)('with %s is not answered', async ([fault, expected]) => {
    const { driver, arrived } = disturbed(fault)
    await expect(send(driver)).rejects.toThrow('no answer')
    expect(arrived).toEqual(expected)
  })

  test.for([
    ['processor=slow', SLOW_MS],
    ['processor=late', LATE_MS],
  ] as const)('with %s arrives at once and is answered in the end', async ([fault, afterMs]) => {
    const { driver, arrived, clock } = disturbed(fault)
    let answered = false
    const sent = send(driver).then((outcome) => ((answered = true), outcome))
    await Promise.resolve()
    expect(arrived).toEqual([name])
    clock.advance(afterMs - 1)
    await new Promise(setImmediate)
    expect(answered).toBe(false)
    clock.advance(1)
    expect(await sent).toEqual(answer)
  })

  test('with processor=duplicate arrives twice and is answered once', async () => {
    const { driver, arrived } = disturbed('processor=duplicate')
    expect(await send(driver)).toEqual(answer)
    expect(arrived).toEqual([name, name])
  })
})

test('a query is never disturbed', async () => {
  for (const fault of ['processor=outage', 'processor=timeout_before', 'processor=late'] as const) {
    expect(await disturbed(fault).driver.query(factsOf(attempt))).toEqual(answer)
  }
})
