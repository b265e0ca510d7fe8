import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { somePayment } from '../testing/some-payment.ts'
import { showLedger, showPayment } from './payments.ts'

const payment = somePayment({
  status: 'partially_refunded',
  captureMethod: 'manual',
  capturedAmount: 1_500,
  refundedAmount: 500,
})

const line = { entry: 're_1', booking: 'refunded', currency: 'USD', createdAt: '2030-01-01T00:00:00.000Z' } as const

test('a ledger is shown line by line, with its sum of zero', () => {
  const lines = [
    { ...line, ledgerAccount: 'refunds', amount: 500 },
    { ...line, ledgerAccount: 'processor', amount: -500 },
  ] as const
  expect(stripVTControlCharacters(showLedger({ payment, lines })).split('\n')).toEqual([
    'AT                        ENTRY  BOOKING   ACCOUNT    AMOUNT  CURRENCY',
    '2030-01-01T00:00:00.000Z  re_1   refunded  refunds    500     USD',
    '2030-01-01T00:00:00.000Z  re_1   refunded  processor  -500    USD',
    '                                           sum        0       USD',
    '',
  ])
})

test('a payment without ledger entries says so', () => {
  expect(showLedger({ payment, lines: [] })).toBe(
    'The payment pay_1 has no ledger entries: it is partially_refunded.\n',
  )
})

test('a payment is shown with where its money is', () => {
  const shown = showPayment(payment)
  expect(shown).toMatch(/^captured +1500 USD, manual$/m)
  expect(shown).toMatch(/^refunded +500 USD$/m)
  expect(shown).toMatch(/^disputes +-$/m)
})
