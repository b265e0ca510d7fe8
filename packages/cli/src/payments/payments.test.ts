import { stripVTControlCharacters } from 'node:util'
import type { ScaDecision } from '@tillwright/contract'
import type { ExplainedPayment } from '@tillwright/platform'
import { expect, test } from 'vitest'
import { somePayment } from '../testing/some-payment.ts'
import { showExplanation, showLedger, showPayment } from './payments.ts'

type Attempt = ExplainedPayment['payment']['attempts'][number]

const at = '2030-01-01T00:00:00.000Z'
const attempt: Attempt = {
  id: 'att_1',
  processorId: 'processor_north',
  status: 'declined',
  declineCode: 'insufficient_funds',
  outcome: 'soft_decline',
  advice: '02',
  networkTransactionId: null,
  checks: null,
  exemption: null,
  fee: null,
  finishedAt: at,
  decision: {
    pool: 'primary',
    sticky: 'none',
    draw: 0.25,
    candidates: [{ processorId: 'processor_north', weight: 3 }],
    dropped: [{ processorId: 'processor_south', reason: 'circuit_open' }],
    sca: null,
  },
  createdAt: at,
}
const payment = somePayment({
  status: 'declined',
  declineCode: 'insufficient_funds',
  attempts: [attempt],
  funnelSessionId: null,
  preview: null,
  routing: {
    overLimits: ['maxAttemptsPerIp'],
    paidLate: false,
    challengeMandated: false,
    abuseAction: 'flag',
    sca: {
      scope: 'in_scope',
      asked: 'low_risk',
      requestedIn: 'authorization',
      result: 'refused',
      considered: [
        { exemption: 'low_value', article: 16, reason: 'five_in_a_row' },
        { exemption: 'low_risk', article: 18, reason: 'applies' },
      ],
    },
    stopped: 'no_processor_left',
  },
})
const names = { processor_north: 'North', processor_south: 'South' }

test('an explanation lists eligible processors, those left out and why, the draw, the answer and the end', () => {
  const shown = showExplanation({ payment, flow: { id: 'flow_1', name: 'Cards' }, processors: names })
  const lines = shown.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
  const nothing = { asked: null, requestedIn: null, result: null, considered: [] }
  const elsewhere: ScaDecision = { ...nothing, scope: 'acquirer_elsewhere' }
  const second = { ...attempt, processorId: 'processor_south', decision: { ...attempt.decision, sca: elsewhere } }
  const further = { payment: { ...payment, attempts: [attempt, second] }, flow: { id: 'flow_1', name: null } }
  expect(showExplanation({ ...further, processors: names })).toMatch(
    /Attempt 2: South [^]+ exemption +none: acquirer_elsewhere/,
  )
  for (const line of [
    'payment pay_1',
    'status declined: insufficient_funds',
    'flow flow_1 Cards',
    'abuse detection over maxAttemptsPerIp: flag',
    'exemption low_risk, in the authorization: refused',
    'low_value article 16: five_in_a_row',
    'low_risk article 18: applies',
    'Attempt 1: North (processor_north)',
    'chosen drawn with 0.250000, from the primary processors',
    'candidates North 3',
    'left out South: circuit_open',
    'outcome soft_decline (insufficient_funds, advice 02)',
    'No other processor was tried: the flow has no other eligible one.',
  ]) {
    expect(lines).toContain(line)
  }
})

test('an open payment shows that its processor is being asked, and a success ends the attempts', () => {
  const routing = {
    overLimits: [],
    paidLate: false,
    challengeMandated: false,
    abuseAction: 'none',
    sca: null,
    stopped: null,
  } as const
  const open = { ...attempt, status: 'processing', outcome: 'unknown', declineCode: null, advice: null } as const
  const explain = (change: Partial<ExplainedPayment['payment']>) =>
    showExplanation({
      payment: { ...payment, declineCode: null, routing: { ...routing, overLimits: [] }, ...change },
      flow: { id: 'flow_1', name: null },
      processors: names,
    })
  expect(explain({ status: 'processing', attempts: [open] })).toContain('the processor is being asked')
  expect(explain({ status: 'succeeded' })).toContain('No other processor was needed.')
})

const chargedPayment = somePayment({
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
  expect(stripVTControlCharacters(showLedger({ payment: chargedPayment, lines })).split('\n')).toEqual([
    'AT                        ENTRY  BOOKING   ACCOUNT    AMOUNT  CURRENCY',
    '2030-01-01T00:00:00.000Z  re_1   refunded  refunds    5.00    USD',
    '2030-01-01T00:00:00.000Z  re_1   refunded  processor  -5.00   USD',
    '                                           sum        0.00    USD',
    '',
  ])
})

test('a payment without ledger entries says so', () => {
  expect(showLedger({ payment: chargedPayment, lines: [] })).toBe(
    'The payment pay_1 has no ledger entries: it is partially_refunded.\n',
  )
})

test('a payment is shown with where its money is', () => {
  const shown = showPayment(chargedPayment)
  expect(shown).toMatch(/^captured +15\.00 USD, manual$/m)
  expect(shown).toMatch(/^refunded +5\.00 USD$/m)
  expect(shown).toMatch(/^disputes +-$/m)
})

test.for([
  ['USD', 2_400, '24.00'],
  ['USD', 5, '0.05'],
  ['JPY', 2_400, '2400'],
  ['KWD', -2_400, '-2.400'],
] as const)('amounts have the decimals of ISO 4217: in %s, %i minor units are %s', ([currency, amount, text]) => {
  expect(showPayment(somePayment({ currency, amount }))).toMatch(
    new RegExp(`^amount +${text.replace('.', String.raw`\.`)} ${currency}$`, 'm'),
  )
})
