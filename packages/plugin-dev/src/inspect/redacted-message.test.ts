import { expect, test } from 'vitest'
import { redactedMessage } from './redacted-message.ts'

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
