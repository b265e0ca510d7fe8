import { contract, type Payment } from '@tillwright/contract'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newInstrument, requestPayment } from '../../test/pay-with-card.ts'
import { yearDoubles } from '../../test/renewals/year-doubles.ts'
import { recurringVariant } from '../../test/subscribe.ts'
import { startTestPlatform } from '../../test/test-platform.ts'
import { commit } from '../http/operations/commit.ts'
import { insertProcessor } from '../processors/processors.ts'
import { sealProcessorSecret } from '../processors/settings.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const MONTHS = 12
const PROCESSOR = 'processor_year'

describe.each(yearDoubles)('at %s', (_, open) => {
  test('every renewal of a year says that it is one, and refers to the payment that began its own subscription', async () => {
    const double = await open()
    onTestFinished(() => double.stop())
    const platform = await startTestPlatform({ processors: double.driver.name === 'recorder' ? [double.driver] : [] })
    onTestFinished(() => platform.remove())
    const { services, local, clock, call } = platform
    const sealedSecret = double.secret === null ? null : sealProcessorSecret(double.secret, PROCESSOR, services)
    const settings = double.driver.settings.parse(double.settings)
    const row = { id: PROCESSOR, accountId: local.accountId, name: 'Year', driver: double.driver.name, settings }
    await commit([insertProcessor({ ...row, ...(sealedSecret !== null && { sealedSecret }) }, clock.now())], services)
    const data = { name: 'Year', strategy: 'simple' as const, processorConfigs: [{ processorId: PROCESSOR }] }
    const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data } })
    const { id: paymentInstrumentId, customerId } = await newInstrument(platform)
    const variantId = await recurringVariant(platform)
    const subscribe = async () => {
      const order = { paymentInstrumentId, paymentFlowId, amount: undefined, lines: [{ variantId, quantity: 1 }] }
      const { body } = await requestPayment(platform, order)
      return contract.payments.create.response.parse(body)
    }
    const renewals = async (): Promise<Payment[]> =>
      (await call(contract.payments.list, { query: { customerId, limit: '100' } })).data.filter(
        ({ initiatedBy }) => initiatedBy === 'merchant',
      )

    const first = await subscribe()
    clock.advance(10 * DAY_MS)
    const second = await subscribe() // with the same card: it agrees to something else
    for (let month = 1; month <= MONTHS; month++) {
      clock.advance(31 * DAY_MS)
      await expect
        .poll(async () => (clock.advance(5_001), (await renewals()).filter(isPaid).length), { timeout: 60_000 })
        .toBeGreaterThanOrEqual(2 * month)
    }

    const idOf = ({ attempts }: Payment) => attempts.at(-1)?.networkTransactionId ?? null
    const began = new Map([first, second].map((payment) => [payment.subscriptions[0]?.subscriptionId, idOf(payment)]))
    expect(new Set(began.values()).size).toBe(2)
    const charges = double.charges()
    expect(charges.slice(0, 2)).toMatchObject([
      { use: 'first', reason: 'recurring' },
      { use: 'first', reason: 'recurring' },
    ])
    const paid = await renewals()
    expect(charges).toHaveLength(2 + paid.length)
    const sent = new Map(charges.map(({ attemptId, ...charge }) => [attemptId, charge]))
    for (const { attempts, subscriptions } of paid) {
      const networkTransactionId = began.get(subscriptions[0]?.subscriptionId)
      expect(sent.get(attempts[0]?.id ?? '')).toEqual({
        use: 'later',
        reason: 'recurring',
        // Stripe has no way to be told.
        ...(double.driver.name !== 'stripe' && { networkTransactionId }),
      })
    }
  })
})

function isPaid({ status }: Payment): boolean {
  return status === 'succeeded'
}
