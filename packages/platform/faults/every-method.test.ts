import type { NewPaymentMethod, Payment } from '@tillwright/contract'
import * as fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { replyAnswer } from '../src/http/operations/answers.ts'
import { readLedger } from '../src/ledger/ledger.ts'
import { findPayments } from '../src/ledger/payment-records.ts'
import { recoverAwaited } from '../src/payments/await/complete-awaited.ts'
import { recoverPayments } from '../src/payments/recover/recover-payments.ts'
import { recoverPostAuthorizations } from '../src/post-authorization/recover.ts'
import { noteAttempt } from '../src/processor-events/receive-event.ts'
import { circuitBreaker } from '../src/routing/circuit-breaker.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { seededRandomness } from '../src/runtime/randomness.ts'
import { DatabaseUnavailable } from '../src/storage/database.ts'
import { newInstrument } from '../test/pay-with-card.ts'
import { anyMethodBank, type Course, ends, TIME_MS, ways } from '../test/payments/any-method-bank.ts'
import { newFlow } from '../test/payments/new-flow.ts'
import { payThrough } from '../test/payments/pay-through.ts'
import { sharedPlatform } from '../test/test-platform.ts'
import { testCodes } from '../test/vault/test-codes.ts'

/** How many payments there are in all, and how many at a time: with more, a busy machine would not answer all in time. */
const PAYMENTS = soaks ? 100_000 : 200
const BATCH = 100
/** The same run each time, unless told otherwise. */
const SEED = Number(process.env['SEED'] ?? 20_301)
/** Longer than any payment may wait: its time, the lease of its holder, and a round of silence. */
const STEPS = 10
const STEP_MS = 3 * 60_000

const methods: readonly (NewPaymentMethod | null)[] = [
  null,
  { type: 'ideal' },
  { type: 'paypal' },
  { type: 'sepa_debit', iban: 'AT611904300234573201', holderName: 'Ada Byrne', mandateAccepted: true },
  { type: 'voucher' },
]

const plan = fc.record({
  method: fc.constantFrom(...methods),
  way: fc.constantFrom(...ways),
  end: fc.constantFrom(...ends),
  mute: fc.constantFrom(0, 0, 0, 1, 2),
  isSlow: fc.boolean(),
})

const platform = sharedPlatform()

test(
  'whatever happens to payments of every method, none takes money twice, each ledger is balanced, and none waits past its time',
  { timeout: soaks ? 3_600_000 * 6 : 300_000 },
  async () => {
    const { local } = platform()
    // A clock of its own, so that the platform's workers sleep.
    const clock = manualClock(platform().clock.now() + 1_000)
    const randomness = seededRandomness(`every method ${SEED}`)
    const services = { ...platform().services, clock, randomness, log: pino({ enabled: false }) }
    const { flow } = await newFlow(platform(), 1)
    const { id: cardId, customerId } = await newInstrument(platform())
    const plans = fc.sample(plan, { numRuns: PAYMENTS, seed: SEED })
    const bank = anyMethodBank((amount) => courseAt(amount), clock)
    const courseAt = (amount: number): Course => {
      const course = plans[amount - 1_000]
      if (course === undefined) throw new Error(`Nobody has planned a payment of ${amount}.`)
      return course
    }
    const charging = {
      services,
      driverOf: bank.driverOf,
      codes: testCodes(services),
      circuit: circuitBreaker(clock),
      apiUrl: 'https://api.example',
    }
    const answer: Parameters<typeof recoverPayments>[0]['answer'] = (reply) =>
      replyAnswer(reply, { services, docsUrl: '' })
    const recovery = { ...charging, answer, answerPage: answer }
    const draw = () => Buffer.from(randomness.bytes(4)).readUInt32BE() / 2 ** 32

    for (let from = 0; from < PAYMENTS; from += BATCH) {
      const batch = plans.slice(from, from + BATCH)
      await Promise.all(
        batch.map(async ({ method }, index) => {
          const amount = 1_000 + from + index
          const returnUrl =
            method?.type === 'ideal' || method?.type === 'paypal' ? { returnUrl: 'https://shop.example/' } : {}
          const other =
            method === null ? {} : { paymentInstrumentId: undefined, customerId, paymentMethod: method, ...returnUrl }
          const order = { amount, currency: 'EUR', paymentFlowId: flow.id, ...other }
          const paying = { ...charging, local, paymentInstrumentId: cardId, key: `any-${amount}`, order }
          await payThrough(paying).catch((error: unknown) => {
            if (!(error instanceof DatabaseUnavailable)) throw error
            return payThrough(paying) // a busy machine: a client sends it again, under its key
          })
        }),
      )
      for (let step = 0; step < STEPS; step++) {
        clock.advance(STEP_MS)
        bank.act()
        for (const attempt of shuffled([...bank.books.values()].slice(-batch.length), draw)) {
          // Once, twice or not at all, and in any order.
          for (let times = draw() < 0.2 ? 2 : Number(draw() < 0.2); times > 0; times--) {
            await noteAttempt({ accountId: local.accountId, ...attempt }, charging)
          }
        }
        await recoverPayments(recovery)
        await recoverAwaited(recovery)
        await recoverPostAuthorizations(recovery)
      }
    }
    // Late notifications, and refunds that are answered later.
    for (let step = 0; step < 2; step++) {
      clock.advance(TIME_MS + STEP_MS)
      bank.act()
      for (const attempt of bank.books.values()) await noteAttempt({ accountId: local.accountId, ...attempt }, charging)
      await recoverAwaited(recovery)
      await recoverPostAuthorizations(recovery)
    }

    const open = await services.db.read(
      `SELECT id, status FROM payments WHERE payment_flow_id = ? AND status IN ('processing', 'requires_action', 'created')`,
      [flow.id],
    )
    expect(open).toEqual([])
    const pending = await services.db.read(`SELECT id FROM payment_follow_ups WHERE status = 'pending'`, [])
    expect(pending).toEqual([])
    for (const booked of bank.books.values()) expect(booked.captures, booked.attemptId).toBeLessThanOrEqual(1)
    const rows = await services.db.read('SELECT id FROM payments WHERE payment_flow_id = ?', [flow.id])
    expect(rows).toHaveLength(PAYMENTS)
    for (const row of rows) await holdsOf(String(row['id']))

    async function holdsOf(paymentId: string): Promise<void> {
      const [payment] = await findPayments([paymentId], local.accountId, services.db)
      if (payment === undefined) throw new Error('It was just listed.')
      const booked = payment.attempts.flatMap(({ id }) => bank.books.get(id) ?? [])
      const sum = (of: 'captures' | 'captured' | 'refunded') => booked.reduce((all, each) => all + each[of], 0)
      expect(sum('captures'), paymentId).toBeLessThanOrEqual(1)
      const ledger = await readLedger(paymentId, local.accountId, services.db)
      expect(ledger.reduce((all, { amount }) => all + amount, 0)).toBe(0)
      const atProcessor = ledger.reduce((all, line) => all + (line.ledgerAccount === 'processor' ? line.amount : 0), 0)
      expect([paymentId, describe(payment), atProcessor]).toEqual([
        paymentId,
        describe(payment),
        sum('captured') - sum('refunded'),
      ])
      expect([paymentId, payment.capturedAmount, payment.refundedAmount]).toEqual([
        paymentId,
        sum('captured'),
        sum('refunded'),
      ])
    }
  },
)

function describe({ status, paymentMethod, routing }: Payment): string {
  return `${paymentMethod.type} ${status} ${routing.paidLate ? 'late' : ''}`
}

function shuffled<Item>(all: readonly Item[], draw: () => number): Item[] {
  return all
    .map((item) => ({ item, at: draw() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
