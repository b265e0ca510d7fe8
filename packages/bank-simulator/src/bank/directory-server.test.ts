import { expect, test } from 'vitest'
import { scenarioOf } from './directory-server.ts'

test('a card of no table is authenticated without a challenge', () => {
  expect(scenarioOf('0000')).toEqual({ transStatus: 'Y' })
})

test('a preset of a preview goes before the card, and one that there is not has no say', () => {
  expect(scenarioOf('2925', 'network1_success')).toEqual({ transStatus: 'Y' })
  expect(scenarioOf('4242', 'network1_3ds')).toMatchObject({ transStatus: 'C' })
  expect(scenarioOf('4242', 'fail')).toMatchObject({ transStatus: 'N' })
  expect(scenarioOf('2925', 'whatever')).toMatchObject({ transStatus: 'N' })
})

test('a challenge of Stripe’s cards is one here', () => {
  for (const last4 of ['3220', '3184', '3178', '1629']) {
    expect(scenarioOf(last4)).toEqual({ transStatus: 'C', challenge: 'otp' })
  }
})
