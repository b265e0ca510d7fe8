import { contract } from '@tillwright/contract'
import { newInstrument, serviceToken } from './pay-with-card.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

/** The requests of the operations on customers and their payment instruments. */
export const customerRequests: HappyRequests = {
  'customers.get': async (platform) => ({
    params: { customerId: (await newInstrument(platform)).customerId },
  }),
  'customers.create': async ({ local }) => ({
    body: { storeId: local.storeId, firstName: 'Ada', metadata: { tier: 'gold' } },
  }),
  'customers.update': async (platform) => ({
    params: { customerId: (await newInstrument(platform)).customerId },
    body: { revision: 1, firstName: 'Ada', billingAddress: { country: 'IE' }, metadata: { tier: 'gold' } },
  }),
  'customers.archive': async (platform) => ({
    params: { customerId: (await newInstrument(platform)).customerId },
    body: { revision: 1 },
  }),
  'customers.unarchive': async (platform) => {
    const { customerId } = await newInstrument(platform)
    await platform.call(contract.customers.archive, { params: { customerId }, body: { revision: 1 } })
    return { params: { customerId }, body: { revision: 2 } }
  },
  'customers.erase': async (platform) => ({
    params: { customerId: (await newInstrument(platform)).customerId },
    body: {},
  }),
  'customers.export': async (platform) => ({ params: { customerId: (await newInstrument(platform)).customerId } }),
  'erasures.get': async (platform) => ({ params: { erasureId: await newErasure(platform) } }),
  'erasures.list': async (platform) => {
    await newErasure(platform)
    return { query: { limit: '1' } }
  },
  'customers.list': async (platform) => {
    await newInstrument(platform)
    return { query: { limit: '1', storeId: platform.local.storeId } }
  },
  'paymentInstruments.createFromToken': async (platform) => ({
    body: {
      serviceToken: await serviceToken(platform),
      storeId: platform.local.storeId,
      customerData: { email: 'ada@example.com' },
    },
  }),
  'paymentInstruments.get': async (platform) => ({
    params: { paymentInstrumentId: (await newInstrument(platform)).id },
  }),
  'paymentInstruments.update': async (platform) => ({
    params: { paymentInstrumentId: (await newInstrument(platform)).id },
    body: { revision: 1, isActive: false },
  }),
  'paymentInstruments.delete': async (platform) => ({
    params: { paymentInstrumentId: (await newInstrument(platform)).id },
  }),
  'paymentInstruments.list': async (platform) => ({
    query: { customerId: (await newInstrument(platform)).customerId },
  }),
}

async function newErasure(platform: TestPlatform): Promise<string> {
  const { customerId } = await newInstrument(platform)
  const { id } = await platform.call(contract.customers.erase, { params: { customerId }, body: {} })
  return id ?? ''
}
