import { contract } from '@tillwright/contract'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** Makes a webhook endpoint that nothing listens at. */
export async function newEndpoint(
  { call }: TestPlatform,
  eventTypes: '*' | 's_dispute_won'[] = ['s_dispute_won'],
  drafts = false,
) {
  const { endpoint } = await call(contract.webhookEndpoints.create, {
    body: { url: 'http://localhost:9/', eventTypes, drafts },
  })
  return endpoint
}

/** An event that endpoints of its type want, if they want drafts. */
async function oldEvent({ call }: TestPlatform): Promise<string> {
  return (await call(contract.eventLog.trigger, { body: { eventType: 's_dispute_won' } })).id
}

/** The requests of the operations on webhook endpoints. */
export const endpointRequests: HappyRequests = {
  'webhookEndpoints.list': async ({ local }) => ({ query: { limit: '1', storeId: local.storeId } }),
  'webhookEndpoints.get': async (platform) => ({ params: { endpointId: (await newEndpoint(platform)).id } }),
  'webhookEndpoints.create': async ({ local }) => ({
    body: {
      url: 'http://localhost:9/hooks',
      eventTypes: ['s_dispute_lost'],
      drafts: false,
      storeId: local.storeId,
    },
  }),
  'webhookEndpoints.update': async (platform) => ({
    params: { endpointId: (await newEndpoint(platform)).id },
    body: {
      url: 'http://localhost:9/other',
      eventTypes: ['s_dispute_lost'],
      drafts: true,
      enabled: false,
      revision: 1,
    },
  }),
  'webhookEndpoints.rotateSecret': async (platform) => ({
    params: { endpointId: (await newEndpoint(platform)).id },
    body: { overlapHours: 2 },
  }),
  'webhookEndpoints.delete': async (platform) => ({ params: { endpointId: (await newEndpoint(platform)).id } }),
  'webhookEndpoints.listDeliveries': async () => ({ query: { limit: '1', state: 'pending' } }),
  'webhookEndpoints.replay': async (platform) => ({
    params: { endpointId: (await newEndpoint(platform, ['s_dispute_won'], true)).id },
    body: { eventId: await oldEvent(platform) },
  }),
  'webhookEndpoints.replayRange': async (platform) => {
    const endpointId = (await newEndpoint(platform, ['s_dispute_won'], true)).id
    await oldEvent(platform)
    return {
      params: { endpointId },
      body: { from: '2020-01-01T00:00:00+01:00', to: '2099-01-01T00:00:00Z', which: 'all' },
    }
  },
}
