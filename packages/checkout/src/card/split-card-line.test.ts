import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitCardLine } from './field-edits.ts'

const whole = { number: '4242424242424242', expiry: '12/34', cvc: '123' }

test.each([
  ['4242 4242 4242 4242 12/34 123', whole],
  ['4242-4242-4242-4242 12-34 123', whole],
  ['4242424242424242|12|34|123', whole],
  ['4242424242424242, 12/2034, 123', { ...whole, expiry: '12/2034' }],
  ['4242424242424242\t1/34\t123', { ...whole, expiry: '01/34' }],
  ['Card: 4242 4242 4242 4242 Exp: 12 / 34 CVC: 123', whole],
  ['４２４２ ４２４２ ４２４２ ４２４２ １２／３４'.replace('／', '/'), { ...whole, cvc: '' }],
  ['3782 822463 10005 12/34 1234', { number: '378282246310005', expiry: '12/34', cvc: '1234' }],
])('%s is a whole card', (line, card) => {
  expect(splitCardLine(line)).toEqual(card)
})

test.each([
  '',
  '4242 4242 4242 4242',
  '4242 4242 4242 4241 12/34 123',
  '4242 4242 4242 12/34 123',
  '12/34 123',
  `4242 4242 4242 4242 12/34 123${' '.repeat(120)}`,
])('%j is not', (line) => {
  expect(splitCardLine(line)).toBeNull()
})

test('what is put together with any signs between comes apart again', () => {
  const cards = fc.record({
    number: fc.constantFrom('4242424242424242', '378282246310005', '6759649826438453', '30569309025904'),
    month: fc.integer({ min: 1, max: 12 }).map((month) => String(month).padStart(2, '0')),
    year: fc.integer({ min: 21, max: 99 }).map(String),
    cvc: fc.stringMatching(/^\d{3,4}$/),
    between: fc.constantFrom(' ', ', ', '; ', ' | ', '\t', ' x '),
    group: fc.constantFrom('', ' ', '-'),
    sign: fc.constantFrom('/', ' / ', '-', '.'),
  })
  fc.assert(
    fc.property(cards, ({ number, month, year, cvc, between, group, sign }) => {
      const grouped = number.match(/\d{1,4}/g)?.join(group)
      const line = [grouped, month + sign + year, cvc].join(between)
      expect(splitCardLine(line)).toEqual({ number, expiry: `${month}/${year}`, cvc })
    }),
  )
})
