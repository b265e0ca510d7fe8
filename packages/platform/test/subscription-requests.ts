import { contract } from '@tillwright/contract'
import { newInstrument } from './pay-with-card.ts'
import { pastDue, subscribe } from './subscribe.ts'
import type { TestPlatform } from './test-platform.ts'
import { authenticateWaiting, threedsActionOf } from './threeds-payment.ts'

/**
 * By operation, a request that it answers with success, made of what is there by then; `token` is that of the session
 * that a buyer's page sends it in.
 */
export type HappyRequests = Record<
  string,
  (platform: TestPlatform) => Promise<{ params?: object; query?: object; body?: unknown; token?: string }>
>

/** The token of a link to a subscription that is past due. */
async function recoveryToken(platform: TestPlatform): Promise<string> {
  const { id: subscriptionId } = await pastDue(platform)
  const { url } = await platform.call(contract.subscriptions.createRecoveryLink, { params: { subscriptionId } })
  return new URL(url).hash.slice(1)
}

/** The requests of the operations on subscriptions. */
export const subscriptionRequests: HappyRequests = {
  'subscriptions.list': async (platform) => ({ query: { customerId: (await subscribe(platform)).customerId } }),
  'subscriptions.get': async (platform) => ({ params: { subscriptionId: (await subscribe(platform)).id } }),
  'subscriptions.cancel': async (platform) => ({
    params: { subscriptionId: (await subscribe(platform)).id },
    body: { atPeriodEnd: false },
  }),
  'subscriptions.pause': async (platform) => ({ params: { subscriptionId: (await subscribe(platform)).id } }),
  'subscriptions.resume': async (platform) => {
    const { id: subscriptionId } = await subscribe(platform)
    await platform.call(contract.subscriptions.pause, { params: { subscriptionId } })
    return { params: { subscriptionId } }
  },
  'subscriptions.retry': async (platform) => ({ params: { subscriptionId: (await pastDue(platform)).id } }),
  'subscriptions.createRecoveryLink': async (platform) => ({
    params: { subscriptionId: (await pastDue(platform)).id },
  }),
  'recoveries.read': async (platform) => ({ body: { token: await recoveryToken(platform) } }),
  'recoveries.pay': async (platform) => ({ body: { token: await recoveryToken(platform) } }),
  'recoveries.continue': async (platform) => {
    const token = await recoveryToken(platform)
    const { payment } = await platform.call(contract.recoveries.pay, { body: { token } })
    await authenticateWaiting(platform, threedsActionOf(payment ?? { nextAction: null }))
    return { body: { token } }
  },
  'subscriptions.createUsageRecord': async (platform) => ({
    params: { subscriptionId: (await subscribe(platform, { price: { billingTiming: 'usage' } })).id },
    body: { quantity: 5 },
  }),
  'subscriptions.listUsageRecords': async (platform) => ({
    params: { subscriptionId: (await subscribe(platform, { price: { billingTiming: 'usage' } })).id },
  }),
  'subscriptions.update': async (platform) => {
    const { id, customerId } = await subscribe(platform)
    const { id: paymentInstrumentId } = await newInstrument(platform, { customerId })
    return { params: { subscriptionId: id }, body: { paymentInstrumentId } }
  },
}
