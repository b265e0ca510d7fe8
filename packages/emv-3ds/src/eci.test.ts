import { expect, test } from 'vitest'
import { eciOf, shiftsLiability } from './eci.ts'
import { TRANS_STATUSES as outcomes } from './messages.ts'

const others = ['05', '06', '07', '07', '07', '07', null, null] as const
const mastercards = ['02', '01', '00', '00', '00', '00', null, null] as const

test('the outcomes are in the order of the tables below', () => {
  expect(outcomes).toEqual(['Y', 'A', 'N', 'U', 'R', 'I', 'C', 'D'])
})

test.for([
  ['visa', others],
  ['amex', others],
  ['discover', others],
  ['diners', others],
  ['jcb', others],
  ['unionpay', others],
  ['mastercard', mastercards],
  ['maestro', mastercards],
] as const)('a payment with a card of %s has these indicators', ([brand, indicators]) => {
  expect(outcomes.map((outcome) => eciOf(brand, outcome))).toEqual(indicators)
  expect(outcomes.filter((outcome) => shiftsLiability(brand, outcome))).toEqual(['Y', 'A'])
})

test('a brand without 3-D Secure has no indicator and no liability shift', () => {
  for (const outcome of outcomes) {
    expect(eciOf('unknown', outcome)).toBeNull()
    expect(shiftsLiability('unknown', outcome)).toBe(false)
  }
})
