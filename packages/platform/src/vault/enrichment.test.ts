import { expect, test } from 'vitest'
import { enrichmentOf } from './cards.ts'

test.each([
  ['4242424242424242', 'credit', 'consumer'],
  ['4000000000000002', 'credit', 'consumer'],
  ['4000056655665556', 'debit', 'consumer'],
  ['5105105105105100', 'prepaid', 'consumer'],
  ['378734493671000', 'credit', 'commercial'],
])('the test card %s is %s and %s', (number, funding, segment) => {
  expect(enrichmentOf(number)).toEqual({ funding, segment })
})

test('a Maestro card is a debit card, whoever issued it', () => {
  expect(enrichmentOf('6759649826438453')).toEqual({ funding: 'debit', segment: 'unknown' })
})

test('of other cards nothing is claimed', () => {
  expect(enrichmentOf('4929000000000000')).toEqual({ funding: 'unknown', segment: 'unknown' })
})
