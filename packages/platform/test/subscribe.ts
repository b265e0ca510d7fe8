import {
  contract,
  type NewProductInput,
  type Payment,
  type Subscription,
  type SubscriptionUpdate,
} from '@tillwright/contract'
import { expect } from 'vitest'
import { newInstrument, requestPayment } from './pay-with-card.ts'
import { commit } from '../src/http/operations/commit.ts'
import type { ProcessorDriver } from '../src/processors/processor-driver.ts'
import { insertProcessor } from '../src/processors/processors.ts'
import type { TestPlatform } from './test-platform.ts'

type PriceInput = NewProductInput['variants'][number]['prices'][number]

/** A new subscription, as it differs from the default: 15.00 USD a month, in advance. */
export interface Subscribing {
  price?: Partial<PriceInput>
  number?: string
  /** Further fields of the payment. */
  order?: object
  trialDays?: number
}

/** A variant of a new product with one price: 15.00 USD a month unless told otherwise. */
export async function recurringVariant(
  { call, local }: TestPlatform,
  price: Partial<PriceInput> = {},
): Promise<string> {
  const monthly = { currencyOptions: { USD: { amount: 1_500 } }, recurring: true, interval: 'month' as const, ...price }
  const variants = [{ name: 'Monthly', prices: [monthly] }]
  const { productId } = await call(contract.products.create, {
    body: { storeId: local.storeId, name: 'Coffee club', variants },
  })
  const product = await call(contract.products.get, { params: { productId } })
  return product.variants[0]?.id ?? ''
}

/** Pays an order with a recurring price, with a new card of a new customer. */
export async function buySubscription(platform: TestPlatform, subscribing: Subscribing = {}): Promise<Payment> {
  const { price, number, order, trialDays } = subscribing
  const variantId = await recurringVariant(platform, price)
  const { id } = await newInstrument(platform, number === undefined ? {} : { number })
  const lines = [{ variantId, ...(trialDays !== undefined && { trialDays }) }]
  const answer = await requestPayment(platform, { paymentInstrumentId: id, amount: undefined, lines, ...order })
  return contract.payments.create.response.parse(answer.body)
}

/** A subscription that has just begun. */
export async function subscribe(platform: TestPlatform, subscribing: Subscribing = {}): Promise<Subscription> {
  const payment = await buySubscription(platform, subscribing)
  const subscriptionId = payment.subscriptions[0]?.subscriptionId ?? ''
  return platform.call(contract.subscriptions.get, { params: { subscriptionId } })
}

/** The id of a subscription that has just begun, whose flow has the processor of a driver alone. */
export async function subscribeAt(platform: TestPlatform, driver: ProcessorDriver): Promise<string> {
  const { call, clock, local, services } = platform
  const row = { id: `processor_${driver.name}`, accountId: local.accountId, name: driver.name, driver: driver.name }
  await commit([insertProcessor({ ...row, settings: driver.settings.parse({}) }, clock.now())], services)
  const data = { name: driver.name, strategy: 'simple' as const, processorConfigs: [{ processorId: row.id }] }
  const { id: paymentFlowId } = await call(contract.paymentFlows.create, { body: { data } })
  const { subscriptions } = await buySubscription(platform, { order: { paymentFlowId } })
  return subscriptions[0]?.subscriptionId ?? ''
}

/**
 * A subscription as it is after a renewal that was declined once. It is due for the schedule's next try at the time given,
 * in Unix milliseconds; a day from now unless told otherwise.
 */
export async function pastDue(
  platform: TestPlatform,
  { dueMs, ...subscribing }: Subscribing & { dueMs?: number } = {},
): Promise<Subscription> {
  const { id: subscriptionId, accountId } = await subscribe(platform, subscribing)
  const nextMs = dueMs ?? platform.clock.now() + 24 * 60 * 60 * 1_000
  await platform.services.db.write([
    {
      sql: `UPDATE subscriptions SET status = 'past_due', tries = 1, due_at = ? WHERE account_id = ? AND id = ?`,
      params: [nextMs, accountId, subscriptionId],
    },
  ])
  return platform.call(contract.subscriptions.get, { params: { subscriptionId } })
}

/** What tests do with subscriptions of a platform, and how they wait for what becomes of them. */
export function subscriptionCalls(platform: () => TestPlatform) {
  const of = (subscriptionId: string) => ({ params: { subscriptionId } })
  const read = (id: string) => platform().call(contract.subscriptions.get, of(id))
  const update = (id: string, body: SubscriptionUpdate) =>
    platform().call(contract.subscriptions.update, { ...of(id), body })
  const refusal = async (id: string, body: object) => {
    const { status, error } = await platform().request('POST', `/api/payments/v1/subscriptions/${id}/update`, { body })
    return [status, error.code, error.param]
  }
  const until = (id: string, wanted: Partial<Subscription>) =>
    expect
      .poll(async () => (platform().clock.advance(5_001), await read(id)), { timeout: 60_000 })
      .toMatchObject(wanted)
  const days = (count: number) => platform().clock.advance(count * 24 * 60 * 60 * 1_000)
  return { of, read, update, refusal, until, days }
}
