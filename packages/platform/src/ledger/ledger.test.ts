import { contract, type Payment } from '@tillwright/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { soaks } from '../../../../.ci/soaks.ts'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { moneyContradictions } from '../../test/payments/money-contradictions.ts'
import { booksOf } from '../../test/payments/money-of.ts'
import { sharedPlatform, testableEngines } from '../../test/test-platform.ts'
import { readLedger } from './ledger.ts'

/** An operation on the payment, and the fault to simulate at the processor. */
interface Step {
  kind: 'capture' | 'refund' | 'void' | 'simulate-dispute' | 'decide'
  /** The full remaining amount if undefined. */
  amount: number | undefined
  fault: string | undefined
  dispute: 'chargeback' | 'inquiry'
  outcome: 'won' | 'lost'
}

const AMOUNT = 10

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['capture', 'refund', 'refund', 'refund', 'void', 'simulate-dispute', 'decide', 'decide'] as const),
  ),
  amount: fc.option(fc.integer({ min: 1, max: AMOUNT + 1 }), { nil: undefined }),
  fault: fc.option(fc.constantFrom('outage', 'timeout_before', 'timeout_after', 'duplicate'), { nil: undefined }),
  dispute: fc.constantFrom('chargeback', 'inquiry'),
  outcome: fc.constantFrom('won', 'lost'),
})

/** One payment: what is asked for one after the other, each time by one or several at once. */
const life = fc.record({
  captureMethod: fc.constantFrom('automatic', 'manual'),
  steps: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 }),
})

/** PostgreSQL runs the same code with different locks, so fewer runs are enough. */
const RUNS = soaks ? { sqlite: 300, postgres: 100 } : { sqlite: 20, postgres: 10 }

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const read = (paymentId: string) => platform().call(contract.payments.get, { params: { paymentId } })

  async function take(wanted: Step, payment: Payment): Promise<number> {
    const headers = wanted.fault === undefined ? {} : { 'Tillwright-Fault': `processor=${wanted.fault}` }
    const money = wanted.amount === undefined ? {} : { amount: wanted.amount }
    const post = (path: string, body: unknown) =>
      platform().request('POST', `/api/payments/v1/${path}`, { headers, ...(body !== undefined && { body }) })
    if (wanted.kind === 'decide') {
      const [open] = (await read(payment.id)).disputes.filter(({ status }) => status === 'open')
      return open === undefined ? 409 : (await post(`disputes/${open.id}/simulate-outcome`, wanted)).status
    }
    const body = wanted.kind === 'void' ? undefined : { ...money, kind: wanted.dispute }
    return (await post(`payments/${payment.id}/${wanted.kind}`, body)).status
  }

  /** Recovery looks every five seconds, after a lease of a minute. */
  async function complete({ id }: Payment): Promise<void> {
    const pending = () =>
      platform().services.db.read("SELECT id FROM payment_follow_ups WHERE payment_id = ? AND status = 'pending'", [id])
    await expect
      .poll(async () => ((await pending()).length === 0 ? 0 : (platform().clock.advance(61_000), 1)), {
        interval: 5,
        timeout: 60_000,
      })
      .toBe(0)
  }

  async function contradictions(payment: Payment): Promise<string[]> {
    const { call, services } = platform()
    const now = await read(payment.id)
    const order = await call(contract.orders.get, { params: { orderId: payment.orderId } })
    const ledger = await readLedger(payment.id, payment.accountId, services.db)
    return moneyContradictions({ payment: now, order, ledger, books: (await booksOf(now, platform())) ?? {} })
  }

  test('whatever is asked of a payment, in whichever order and with whatever faults, no money is made or lost', async () => {
    const { id: paymentInstrumentId } = await newInstrument(platform())
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(life, async ({ captureMethod, steps }) => {
        const begun = await requestPayment(platform(), { paymentInstrumentId, captureMethod, amount: AMOUNT })
        const payment = contract.payments.create.response.parse(begun.body)
        for (const together of steps) {
          platform().clock.advance(1)
          for (const status of await Promise.all(together.map((each) => take(each, payment)))) seen.add(status)
          await complete(payment)
          expect(await contradictions(payment)).toEqual([])
        }
      }),
      { numRuns: RUNS[engine] },
    )
    // A 500 would be a guard that had to hold off what should have been refused before.
    expect([...seen]).not.toContain(500)
    expect([...seen]).toEqual(expect.arrayContaining([200, 409]))
  })
})
