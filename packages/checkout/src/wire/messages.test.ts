import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMessage } from './guards.ts'
import { toFrame, toPage } from './messages.ts'

const card = { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030, funding: 'credit' }
const noErrors = { number: null, expiry: null, cvc: null, name: null }

test.each([
  { type: 'ready' },
  { type: 'change', empty: false, complete: false, brand: 'amex', errors: { ...noErrors, cvc: 'incomplete' } },
  { type: 'brand', brand: 'maestro', networks: ['bancontact', 'maestro'] },
  { type: 'brand', brand: 'unknown', networks: [] },
  { type: 'resize', height: 154 },
  { type: 'take' },
  { type: 'ping' },
  { type: 'title', title: 'Kartendaten' },
  { type: 'dropped', variable: 'colorText', rule: 'not a color' },
  { type: 'token', request: 'r1', serviceToken: 's', card },
  { type: 'code', request: 'r1', paymentInstrumentId: 'pi_1', securityCodeToken: 's', card },
  { type: 'failed', request: 'r1', code: 'card_invalid', message: 'No.', field: 'number', requestId: null },
])('the page reads $type', (message) => {
  expect(parseMessage(toPage, message)).toEqual(message)
})

test.each([
  { type: 'configure', appearance: { theme: 'dark', variables: { colorPrimary: '#0a7' } }, locale: 'en' },
  { type: 'configure', appearance: {}, locale: 'en', networks: { allowed: ['visa'], blocked: [] }, name: true },
  { type: 'configure', appearance: {}, locale: 'en', savedCards: [null, { anything: 1 }] },
  { type: 'tokenize', request: 'r1' },
  { type: 'tokenize', request: 'r1', challengeResponse: 'solved' },
  { type: 'focus' },
  { type: 'clear' },
  { type: 'ping' },
])('the frame reads $type', (message) => {
  expect(parseMessage(toFrame, message)).toEqual(message)
})

test.each([
  null,
  'ready',
  ['ready'],
  {},
  { type: 'toString' },
  { type: '__proto__' },
  { type: 'tokenize', request: 'r1' },
  { type: 'resize', height: '154' },
  { type: 'dropped', variable: 'colorText', rule: '4242' },
  { type: 'dropped', variable: 'color4', rule: 'not a color' },
  { type: 'resize', height: -1 },
  { type: 'resize', height: 1e9 },
  { type: 'change', empty: false, complete: false, brand: '4242', errors: noErrors },
  { type: 'change', empty: false, complete: false, brand: 'visa', errors: { ...noErrors, cvc: '123' } },
  { type: 'brand', brand: 'visa' },
  { type: 'brand', brand: 'visa', networks: 'visa' },
  { type: 'brand', brand: 'visa', networks: ['4242'] },
  { type: 'token', request: 'r1', serviceToken: 's', card: { ...card, last4: 4242 } },
  { type: 'token', request: 'r1', serviceToken: 'x'.repeat(10_000), card },
  { type: 'code', request: 'r1', paymentInstrumentId: 'pi_1', card },
  { type: 'code', request: 'r1', securityCodeToken: 's', card },
  { type: 'failed', request: 'r1', code: 'unheard_of', message: '', field: null, requestId: null },
])('the page drops %j', (data) => {
  expect(parseMessage(toPage, data)).toBeNull()
})

test.each([
  { type: 'configure', appearance: { theme: 'pink' }, locale: 'en' },
  { type: 'configure', appearance: { variables: { colorText: 7 } }, locale: 'en' },
  { type: 'configure', appearance: { variables: ['red'] }, locale: 'en' },
  { type: 'configure', appearance: {}, locale: 7 },
  { type: 'configure', appearance: {}, locale: 'en', networks: ['visa'] },
  { type: 'configure', appearance: {}, locale: 'en', networks: { allowed: 'visa' } },
  { type: 'configure', appearance: {}, locale: 'en', networks: { blocked: [7] } },
  { type: 'configure', appearance: {}, locale: 'en', name: 'yes' },
  { type: 'configure', appearance: {}, locale: 'en', savedCards: { length: 1 } },
  { type: 'tokenize' },
  { type: 'tokenize', request: 'r1', challengeResponse: 7 },
  { type: 'read' },
])('the frame drops %j', (data) => {
  expect(parseMessage(toFrame, data)).toBeNull()
})

test('whatever arrives, reading it neither throws nor invents a message', () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true }), (data) => {
      const message = parseMessage(toPage, data)
      expect(message === null || message === data).toBe(true)
    }),
  )
})
