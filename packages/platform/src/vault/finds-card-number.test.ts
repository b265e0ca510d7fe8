import { expect, test } from 'vitest'
import { findsCardNumber } from './finds-card-number.ts'

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '{"name":"378282246310005"}',
  'card=5555555555554444&x=1',
])('finds the card number in %s', (text) => expect(findsCardNumber(text)).toBe(true))

test.each([
  '4242424242424241', // the check digit is wrong
  '1795195406903', // milliseconds since 1970
  '1795195406-12342', // seconds since 1970, and a counter
  'product_0VbXCJtV4242424242424242',
  '{"amount":9007199254740991}',
  '42424242',
  '+49 170 1234567',
])('finds none in %s', (text) => expect(findsCardNumber(text)).toBe(false))
