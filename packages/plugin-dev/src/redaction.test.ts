import { expect, test } from 'vitest'
import { redacted, redactedMessage } from './redaction.ts'

test('tokens, and what is about a person, are not shown wherever they stand', () => {
  const session = {
    token: 'fstok_1',
    customer: { email: 'ada@example.com', phone: null, shippingAddress: { line1: '1 High Street', city: 'York' } },
    order: { amount: 2_400, lines: [{ name: 'Tote', quantity: 1 }], promotions: [{ code: 'SUMMER' }] },
  }
  expect(redacted(session)).toEqual({
    token: '•••',
    customer: { email: '•••', phone: null, shippingAddress: { line1: '•••', city: 'York' } },
    order: { amount: 2_400, lines: [{ name: 'Tote', quantity: 1 }], promotions: [{ code: '•••' }] },
  })
})

test('a message of EMV 3DS is shown with its names, without the cardholder and the proof', () => {
  const message = {
    messageType: 'AReq',
    acctNumber: '400000******2503',
    dsReferenceNumber: 'DS_1',
    cardholderName: 'Ada Lovelace',
    email: 'ada@example.com',
    shipAddrLine1: '1 High Street',
    browserIP: '127.0.0.1',
    authenticationValue: 'MTIz',
  }
  expect(redactedMessage(message)).toEqual({
    messageType: 'AReq',
    acctNumber: '400000******2503',
    dsReferenceNumber: 'DS_1',
    cardholderName: '•••',
    email: '•••',
    shipAddrLine1: '•••',
    browserIP: '•••',
    authenticationValue: '•••',
  })
})

test('what was no message may hold anything, and is not shown', () => {
  expect(redactedMessage('{"acctNumber":"4000')).toBe('•••')
})
