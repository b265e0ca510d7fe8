import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMessage } from './guards.ts'
import { isThreedsNotice, parseThreedsToFrame, threedsToPage } from './threeds.ts'

test.each([
  { type: 'start', actionToken: 'token', windowSize: '05' },
  { type: 'go' },
  { type: 'cancel' },
  { type: 'ping' },
])('the frame reads %j', (message) => {
  expect(parseThreedsToFrame(message)).toEqual(message)
  expect(parseThreedsToFrame({ ...message, more: 1 })).toEqual(message)
})

test.each([
  null,
  'go',
  [],
  {},
  { type: 'toString' },
  { type: ['go'] },
  { type: 'start' },
  { type: 'start', actionToken: 1, windowSize: '05' },
  { type: 'start', actionToken: 'token', windowSize: 5 },
  { type: 'start', actionToken: 'x'.repeat(8_193), windowSize: '05' },
])('the frame drops %j', (data) => {
  expect(parseThreedsToFrame(data)).toBeNull()
})

test.each([
  { type: 'step', step: 'challenge', title: 'Card verification' },
  { type: 'done', outcome: 'timed_out', status: 'expired', transStatus: null },
  { type: 'failed', message: '' },
  { type: 'ping' },
])('the page reads %j', (message) => {
  expect(parseMessage(threedsToPage, message)).toEqual(message)
})

test.each([
  { type: 'step', step: 'paid', title: 'Card verification' },
  { type: 'step', step: 'challenge' },
  { type: 'done', outcome: 'paid', status: 'successful', transStatus: 'Y' },
  { type: 'done', outcome: 'authenticated', status: 'successful' },
  { type: 'token', request: 'r1', serviceToken: 's' },
])('the page drops %j', (data) => {
  expect(parseMessage(threedsToPage, data)).toBeNull()
})

test('whatever comes, neither side fails', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (data) => {
      parseThreedsToFrame(data)
      parseMessage(threedsToPage, data)
      expect(isThreedsNotice(data, 'method')).toBe(false)
    }),
  )
})

test('a notice is one of its step alone', () => {
  const notice = { tillwright: 'threeds', step: 'challenge', id: 'transaction' }
  expect(isThreedsNotice(notice, 'challenge')).toBe(true)
  expect(isThreedsNotice(notice, 'method')).toBe(false)
  expect(isThreedsNotice({ ...notice, tillwright: 'hello' }, 'challenge')).toBe(false)
})
