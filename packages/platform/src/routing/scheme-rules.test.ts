import fc from 'fast-check'
import { expect, test } from 'vitest'
import { declineKinds } from '../processors/authorisation.ts'
import {
  type CardDecline,
  DECLINES_MAX,
  type Retry,
  SCHEME_WINDOW_MS,
  schemeStop,
  waitOfAdvice,
} from './scheme-rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const now = Date.UTC(2030, 0, 31)
const buyer: Retry = { brand: 'visa', initiatedBy: 'buyer', agreedMs: null, nowMs: now }
const merchant: Retry = { ...buyer, initiatedBy: 'merchant' }

function decline(agoMs: number, change: Partial<CardDecline> = {}): CardDecline {
  return { paymentId: 'pay_1', atMs: now - agoMs, declineCode: 'do_not_honor', advice: null, ...change }
}

const many = (count: number, agoMs: number) =>
  Array.from({ length: count }, (_, at) => decline(agoMs, { paymentId: `pay_${at}` }))

test.for([
  ['visa', 19, 29 * DAY_MS, null],
  ['visa', 20, 29 * DAY_MS, 'scheme_limit'],
  ['visa', 20, 30 * DAY_MS, null],
  ['mastercard', 9, 23 * HOUR_MS, null],
  ['mastercard', 10, 23 * HOUR_MS, 'scheme_limit'],
  ['mastercard', 10, DAY_MS, null],
  ['mastercard', 34, 2 * DAY_MS, null],
  ['mastercard', 35, 2 * DAY_MS, 'scheme_limit'],
  ['amex', 1_000, HOUR_MS, null],
] as const)('a card of %s with %i declined payments, %i ms ago: %s', ([brand, count, agoMs, stopped]) => {
  expect(schemeStop(many(count, agoMs), { ...buyer, brand })?.stopped ?? null).toBe(stopped)
})

test.for([
  ['lost_card', null, 'retry_forbidden', 'retry_forbidden'],
  ['closed_account', null, 'retry_forbidden', 'retry_forbidden'],
  ['do_not_honor', '03', 'retry_forbidden', 'retry_forbidden'],
  ['do_not_honor', '21', null, 'retry_forbidden'],
  ['authorization_revoked', null, null, 'retry_forbidden'],
  ['transaction_not_allowed', null, null, 'retry_forbidden'],
  ['expired_card', null, null, null],
  ['insufficient_funds', '02', null, null],
] as const)('after %s with the advice %s: %s for a buyer, %s without one', ([code, advice, present, absent]) => {
  const declines = [decline(HOUR_MS, { declineCode: code, advice })]
  expect([schemeStop(declines, buyer), schemeStop(declines, merchant)].map((each) => each?.stopped ?? null)).toEqual([
    present,
    absent,
  ])
})

test('what a buyer has revoked is allowed again by a later agreement, and a stolen card by none', () => {
  const revoked = [decline(HOUR_MS, { declineCode: 'authorization_revoked' })]
  expect(schemeStop(revoked, { ...merchant, agreedMs: now - 2 * HOUR_MS })?.stopped).toBe('retry_forbidden')
  expect(schemeStop(revoked, { ...merchant, agreedMs: now - 1 })).toBeNull()
  const stolen = [decline(HOUR_MS, { declineCode: 'stolen_card' })]
  expect(schemeStop(stolen, { ...merchant, agreedMs: now - 1 })?.stopped).toBe('retry_forbidden')
})

test.for([
  ['24', HOUR_MS],
  ['25', DAY_MS],
  ['26', 2 * DAY_MS],
  ['27', 4 * DAY_MS],
  ['28', 6 * DAY_MS],
  ['29', 8 * DAY_MS],
  ['30', 10 * DAY_MS],
] as const)('the advice %s asks to wait for %i ms, to the millisecond', ([advice, waitMs]) => {
  const declines = [decline(waitMs - 1, { advice })]
  expect(schemeStop(declines, { ...buyer, brand: 'mastercard' })).toEqual({
    stopped: 'retry_too_early',
    untilMs: now + 1,
  })
  expect(schemeStop([decline(waitMs, { advice })], { ...buyer, brand: 'mastercard' })).toBeNull()
})

const someDecline: fc.Arbitrary<CardDecline> = fc.record({
  paymentId: fc.integer({ min: 0, max: 60 }).map((at) => `pay_${at}`),
  atMs: fc.integer({ min: now - 40 * DAY_MS, max: now }),
  declineCode: fc.constantFrom(...Object.keys(declineKinds), null),
  advice: fc.constantFrom(null, '01', '02', '03', '21', '24', '25', '26', '27', '28', '29', '30', '40'),
})
const someRetry: fc.Arbitrary<Retry> = fc.record({
  brand: fc.constantFrom('visa', 'mastercard', 'amex'),
  initiatedBy: fc.constantFrom('buyer' as const, 'merchant' as const),
  agreedMs: fc.option(fc.integer({ min: now - 40 * DAY_MS, max: now })),
  nowMs: fc.constant(now),
})

test('the order in which declines are read decides nothing, nor do those of more than 30 days ago', () => {
  fc.assert(
    fc.property(fc.array(someDecline, { maxLength: 60 }), someRetry, (declines, retry) => {
      const stop = schemeStop(declines, retry)
      expect(schemeStop(declines.toReversed(), retry)).toEqual(stop)
      expect(
        schemeStop(
          declines.filter(({ atMs }) => atMs > now - SCHEME_WINDOW_MS),
          retry,
        ),
      ).toEqual(stop)
    }),
  )
})

test('a rule forbids until the time that it names, and never again without another decline', () => {
  fc.assert(
    fc.property(fc.array(someDecline, { maxLength: 60 }), someRetry, (declines, retry) => {
      const stop = schemeStop(declines, retry)
      if (stop === null) return
      expect(stop.untilMs).toBeGreaterThan(now)
      expect(schemeStop(declines, { ...retry, nowMs: stop.untilMs - 1 })).not.toBeNull()
      const later = schemeStop(declines, { ...retry, nowMs: stop.untilMs })
      expect(later?.stopped).not.toBe(stop.stopped)
      expect(schemeStop(declines, { ...retry, nowMs: now + SCHEME_WINDOW_MS })).toBeNull()
    }),
  )
})

test('one more decline never allows what was forbidden, and no advice to wait is passed over', () => {
  fc.assert(
    fc.property(fc.array(someDecline, { maxLength: 60 }), someDecline, someRetry, (declines, more, retry) => {
      if (schemeStop(declines, retry) !== null) expect(schemeStop([...declines, more], retry)).not.toBeNull()
      const waits = declines.some(
        ({ atMs, advice, declineCode }) =>
          declineCode !== 'authentication_required' && atMs + waitOfAdvice(advice) > now,
      )
      if (waits) expect(schemeStop(declines, retry)).not.toBeNull()
    }),
  )
})

test('the declines of as many of the latest payments as are read decide, however many there are', () => {
  fc.assert(
    fc.property(fc.array(someDecline, { minLength: 40, maxLength: 120 }), someRetry, (all, retry) => {
      const counted = all.map((each) => ({ ...each, declineCode: 'do_not_honor', advice: null }))
      const newest = counted.filter(({ atMs }) => atMs > now - SCHEME_WINDOW_MS).toSorted((a, b) => b.atMs - a.atMs)
      const payments = new Set([...new Set(newest.map(({ paymentId }) => paymentId))].slice(0, DECLINES_MAX))
      const read = newest.filter(({ paymentId }) => payments.has(paymentId))
      expect(schemeStop(read, retry) === null).toBe(schemeStop(counted, retry) === null)
    }),
  )
})
