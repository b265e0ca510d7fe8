import { setImmediate as turn } from 'node:timers/promises'
import { replyAnswer } from '../src/http/operations/answers.ts'
import { testCodes } from '../test/vault/test-codes.ts'
import { recoverPayments } from '../src/payments/recover/recover-payments.ts'
import type { DriverOf } from '../src/processors/driver.ts'
import type { Services } from '../src/request-context.ts'
import { circuitBreaker } from '../src/routing/circuit-breaker.ts'
import type { ManualClock } from '../src/runtime/clock.ts'
import { idsFrom } from '@tillwright/contract'
import type { NewFlow } from '../test/payments/new-flow.ts'
import { payThrough } from '../test/payments/pay-through.ts'
import { type Bank, openBank } from './bank.ts'
import { type Death, mortalDatabase } from './mortal-database.ts'
import type { Batch, PaymentPlan } from './payment-plan.ts'

/** A shop to pay in, on a database that no other process uses. */
export interface ModelShop {
  services: Services & { clock: ManualClock }
  local: { accountId: string; storeId: string }
  paymentInstrumentId: string
  /** By the number of further attempts that they allow. */
  flows: readonly NewFlow[]
  /** How many payments were planned so far: each has an amount of its own. */
  planned: number
}

/** Result of a batch. */
export interface Ran {
  bank: Bank
  /** All payments of the batch have ids from here on. */
  fromId: string
  /** The amount of each planned payment. */
  amounts: readonly number[]
  /** Answers to the second request of each plan, under the same key. */
  answers: readonly { status: number; paymentId: string }[]
}

/** How long a processor may take, and how long a payment may be worked on. */
const TIMEOUT_MS = 30_000
const LEASE_MS = 60_000
/** More often no processor is mute on the way of one payment. */
const RECOVERIES_MAX = 8

/**
 * Makes the payments of a batch at the same time, each in a process of its own; lets processes die, brings what they left
 * to its end, and has each client ask again under the same key.
 *
 * @param disturbed A layer between the platform and its processors that removes a defence, to check that the model
 *   notices.
 */
export async function runBatch(
  batch: Batch,
  shop: ModelShop,
  disturbed: (driverOf: DriverOf) => DriverOf = (driverOf) => driverOf,
): Promise<Ran> {
  const { clock } = shop.services
  clock.advance(1)
  const fromId = idsFrom('pay', clock.now())
  const firstAmount = shop.planned + 1
  shop.planned += batch.payments.length
  const bank = openBank(({ amount }, processorId) =>
    behaviourAt(batch.payments[amount - firstAmount], processorId, shop),
  )
  const driverOf = disturbed(bank.driverOf)
  const pay = (death: (plan: PaymentPlan) => Death | null) =>
    batch.payments.map((plan, index) => {
      const { db } = shop.services
      const services = { ...shop.services, db: mortalDatabase(db, death(plan)) }
      const order = { amount: firstAmount + index, paymentFlowId: flowOf(plan, shop).flow.id }
      return payThrough({ ...shop, services, driverOf, key: `payment-${order.amount}`, order })
    })
  const recover = (death: Death | null) =>
    recoverOnce({ ...shop.services, db: mortalDatabase(shop.services.db, death) }, driverOf)

  const first = pay(({ death }) => death).map((answer) => answer.catch(() => null)) // the dead answer nothing
  await untilEnded(first, { bank, clock }, batch.impatient ? () => recover(null) : null)
  await recover(batch.recoveryDeath)
  await recoverAll(shop, fromId, () => recover(null))
  const again = pay(() => null)
  await untilEnded(again, { bank, clock }, null)
  await recoverAll(shop, fromId, () => recover(null))
  const answers = (await Promise.all(again)).map(({ status, body }) => ({ status, paymentId: paymentIdIn(body) }))
  return { bank, fromId, amounts: batch.payments.map((_, index) => firstAmount + index), answers }
}

function flowOf({ retries }: PaymentPlan, { flows }: ModelShop): NewFlow {
  const flow = flows[retries]
  if (flow === undefined) throw new Error(`No flow allows ${retries} further attempts.`)
  return flow
}

function behaviourAt(plan: PaymentPlan | undefined, processorId: string, shop: ModelShop) {
  const place = plan === undefined ? -1 : flowOf(plan, shop).processorIds.indexOf(processorId)
  const behaviour = plan?.behaviours[place]
  if (behaviour === undefined) throw new Error(`The processor ${processorId} is asked for what nobody has planned.`)
  return behaviour
}

async function recoverOnce(services: Services, driverOf: DriverOf): Promise<void> {
  const charging = {
    services,
    driverOf,
    codes: testCodes(services),
    circuit: circuitBreaker(services.clock),
  }
  const answer: Parameters<typeof recoverPayments>[0]['answer'] = (reply) =>
    replyAnswer(reply, { services, docsUrl: '' })
  await recoverPayments({ ...charging, answer, answerPage: answer }).catch(() => {}) // the process has died
}

async function recoverAll({ services, local }: ModelShop, fromId: string, recover: () => Promise<void>): Promise<void> {
  for (let i = 0; i < RECOVERIES_MAX; i++) {
    const open = await services.db.read(
      "SELECT id FROM payments WHERE account_id = ? AND id >= ? AND status = 'processing' LIMIT 1",
      [local.accountId, fromId],
    )
    if (open.length === 0) return
    await afterLease(services.clock, recover)
  }
}

async function afterLease(clock: ManualClock, work: () => Promise<void>): Promise<void> {
  clock.advance(LEASE_MS + 1)
  await work()
}

/** Less than the day for which keys are remembered. */
const IMPATIENT_MS = 12 * 60 * 60 * 1_000

/** Time goes by as soon as all requests wait for a silent processor; next to an impatient process, all the while. */
async function untilEnded(
  requests: readonly Promise<unknown>[],
  { bank, clock }: { bank: Bank; clock: ManualClock },
  impatient: (() => Promise<void>) | null,
): Promise<void> {
  const untilMs = clock.now() + IMPATIENT_MS
  let ended = 0
  for (const request of requests) void request.catch(() => {}).then(() => (ended += 1))
  while (ended < requests.length) {
    await turn()
    if (impatient !== null && clock.now() < untilMs) await afterLease(clock, impatient)
    else if (ended + bank.silent() >= requests.length) bank.giveUp(clock, TIMEOUT_MS)
  }
}

function paymentIdIn(body: string): string {
  const { id, error }: { id?: string; error?: { paymentId?: string } } = JSON.parse(body)
  return id ?? error?.paymentId ?? ''
}
