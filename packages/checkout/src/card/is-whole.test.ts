import { expect, test } from 'vitest'
import { isWholeExpiry, isWholeNumber } from './field-edits.ts'

test.each([
  ['4242 4242 4242 4242', true],
  ['4242 4242 4242 4241', false],
  ['4222 2222 2222 2', false], // thirteen digits are a good number, but nearly always the beginning of a longer one
  ['3782 822463 10005', true],
  ['3622 720627 1667', true],
  ['6200 0000 0000 0000', false],
  ['6200 0000 0000 0000 005', true],
  ['6759 6498 2643 8453', false],
  ['', false],
])('%j is a whole number: %s', (text, isWhole) => {
  expect(isWholeNumber(text)).toBe(isWhole)
})

test.each([
  ['12 / 34', true],
  ['12 / 20', false],
  ['12 / 2034', true],
  ['13 / 34', false],
  ['00 / 34', false],
  ['12 / 3', false],
  ['', false],
])('%j is a whole expiry date: %s', (text, isWhole) => {
  expect(isWholeExpiry(text)).toBe(isWhole)
})
