import { contract, type Subscription } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { replyAnswer } from '../src/http/operations/answers.ts'
import { recoverPayments } from '../src/payments/recover/recover-payments.ts'
import { renewDue } from '../src/renewals/renewals.ts'
import { retryRenewal } from '../src/renewals/retry.ts'
import type { Services } from '../src/request-context.ts'
import { circuitBreaker } from '../src/routing/circuit-breaker.ts'
import { manualClock } from '../src/runtime/clock.ts'
import { asIfDying, requestThrough } from '../test/payments/pay-through.ts'
import { pastDue } from '../test/subscribe.ts'
import { sharedPlatform, testableEngines } from '../test/test-platform.ts'
import { testCodes } from '../test/vault/test-codes.ts'
import { type Bank, openBank } from './bank.ts'
import { type Death, mortalDatabase } from './mortal-database.ts'

/**
 * Course of one retry: its process dies at a transaction, its processor answers or does not, the worker renews
 * meanwhile.
 */
interface Plan {
  death: Death | null
  verdict: 'succeeded' | 'soft'
  way: 'clear' | 'lost' | 'unanswered'
  isDue: boolean
}

const deaths: readonly (Death | null)[] = [
  null,
  ...[1, 2].flatMap((transaction) => (['before', 'after'] as const).map((when) => ({ transaction, when }))),
]
const plans: readonly Plan[] = deaths.flatMap((death) =>
  (['succeeded', 'soft'] as const).flatMap((verdict) =>
    (['clear', 'lost', 'unanswered'] as const).flatMap((way) =>
      [false, true].map((isDue): Plan => ({ death, verdict, way, isDue })),
    ),
  ),
)

/** Each has a price of its own, by which the bank knows it. */
const FIRST_PRICE = 1_001
const DAY_MS = 24 * 60 * 60 * 1_000
const LEASE_MS = 60_000
const RECOVERIES = 2

describe.each(testableEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  test('whatever a retry of a renewal meets, its period is charged once at most, and books, subscription and answers agree', async () => {
    const subscriptions = await Promise.all(plans.map((plan, index) => subscribed(plan, index)))
    // A clock of its own has the platform's workers sleep.
    const services = { ...platform().services, clock: manualClock(platform().clock.now() + 1_000) }
    const bank = openBank(({ amount }) => {
      const plan = plans[amount - FIRST_PRICE]
      if (plan === undefined) throw new Error(`Nobody has planned a charge of ${amount}.`)
      return { verdict: plan.verdict, way: plan.way, mute: 0 }
    })
    const ask = (death: (plan: Plan) => Death | null) =>
      plans.map((plan, index) => retried(subscriptions[index]?.id ?? '', death(plan), { services, bank }))
    const [first] = await Promise.all([
      Promise.all(ask(({ death }) => death).map((answer) => answer.catch(() => null))), // the dead answer nothing
      renewDue({ ...chargingBy(services, bank), apiUrl: platform().apiUrl }),
      renewDue({ ...chargingBy(services, bank), apiUrl: platform().apiUrl }),
    ])
    for (let i = 0; i < RECOVERIES; i++) {
      services.clock.advance(LEASE_MS + 1)
      await recover(services, bank)
    }
    const again = await Promise.all(ask(() => null))
    await recover(services, bank)

    for (const [index, plan] of plans.entries()) {
      const { id, customerId, nextPaymentAt } = subscriptions[index] ?? { id: '', customerId: '', nextPaymentAt: null }
      const context = JSON.stringify({ plan, first: first[index], again: again[index] })
      const [begun, ended] = [first[index]?.status, again[index]]
      if (begun !== undefined) expect(ended?.status, context).toBe(begun)
      const payments = await platform().call(contract.payments.list, { query: { customerId } })
      const renewals = payments.data.filter(({ subscriptions: [link] }) => link?.occasion === 'renewal')
      const open = renewals.filter(({ status }) => status === 'processing')
      const paid = renewals.filter(({ status }) => status === 'succeeded')
      const attempts = renewals.flatMap((each) => each.attempts.map((attempt) => attempt.id))
      const taken = bank.taken.filter((attempt) => attempts.includes(attempt))
      expect([open.length, taken.length], context).toEqual([0, paid.length])
      expect(paid.length, context).toBeLessThanOrEqual(1)
      const now = await platform().call(contract.subscriptions.get, { params: { subscriptionId: id } })
      expect(now.status, context).toBe(paid.length === 1 ? 'active' : 'past_due')
      if (paid.length === 0 && !plan.isDue) expect(now.nextPaymentAt, context).toBe(nextPaymentAt)
      if (ended?.status === 200) {
        expect(
          renewals.map((each) => each.id),
          context,
        ).toContain(JSON.parse(ended.body).id)
      }
    }
    const held = await services.db.read('SELECT id FROM subscriptions WHERE renewal_payment_id IS NOT NULL', [])
    expect(held).toEqual([])
  })

  function subscribed({ isDue }: Plan, index: number): Promise<Subscription> {
    const price = { currencyOptions: { USD: { amount: FIRST_PRICE + index } } }
    return pastDue(platform(), { price, dueMs: platform().clock.now() + (isDue ? 0 : DAY_MS) })
  }

  function retried(subscriptionId: string, death: Death | null, { services: living, bank }: Asked) {
    const db = mortalDatabase(living.db, death)
    const services = { ...living, db, cluster: asIfDying(living.cluster) }
    const handler = retryRenewal(chargingBy(services, bank))
    const request = { params: { subscriptionId }, query: undefined, body: undefined }
    const { accountId } = platform().local
    return requestThrough((context) => handler(request, context), {
      services,
      accountId,
      key: `retry-${subscriptionId}`,
    })
  }
})

interface Asked {
  services: Services
  bank: Bank
}

function chargingBy(services: Services, { driverOf }: Bank) {
  return { services, driverOf, codes: testCodes(services), circuit: circuitBreaker(services.clock) }
}

async function recover(services: Services, bank: Bank): Promise<void> {
  const answer: Parameters<typeof recoverPayments>[0]['answer'] = (reply) =>
    replyAnswer(reply, { services, docsUrl: '' })
  await recoverPayments({ ...chargingBy(services, bank), answer, answerPage: answer })
}
