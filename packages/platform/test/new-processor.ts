import { commit } from '../src/http/operations/commit.ts'
import { contract } from '@tillwright/contract'
import type { ProcessorDriver } from '../src/processors/processor-driver.ts'
import { insertProcessor } from '../src/processors/processors.ts'
import { sealProcessorSecret } from '../src/processors/settings.ts'
import { sealWebhookSecret } from '../src/processors/webhook-secret.ts'
import type { HappyRequests } from './subscription-requests.ts'
import type { TestPlatform } from './test-platform.ts'

let made = 0

/** Adds a simulated processor to the local account, unless another is named: its id. */
export async function newProcessor(
  { services, clock, local }: TestPlatform,
  accountId: string = local.accountId,
): Promise<string> {
  made += 1
  const id = `processor_test_${made}`
  await commit([insertProcessor({ id, accountId, name: `Test ${made}`, driver: 'simulator' }, clock.now())], services)
  return id
}

/** A processor of an account as its row is, with its secrets as they are typed. */
export interface ConnectedProcessor {
  id: string
  driver: ProcessorDriver
  settings: Readonly<Record<string, unknown>>
  secret: string
  eventSecret: string
}

/** Adds a processor whose driver is spoken to at a double: the id of a flow that has it alone. */
export async function connectProcessor(
  { services, clock, local, call }: TestPlatform,
  { id, driver, settings, secret, eventSecret }: ConnectedProcessor,
): Promise<string> {
  const { accountId } = local
  const row = { id, accountId, name: driver.name, driver: driver.name, settings: driver.settings.parse(settings) }
  const sealedSecret = sealProcessorSecret(secret, id, services)
  const sql = 'UPDATE processors SET sealed_webhook_secret = ? WHERE account_id = ? AND id = ?'
  const params = [sealWebhookSecret(eventSecret, { id }, services), accountId, id]
  await commit([insertProcessor({ ...row, sealedSecret }, clock.now()), { sql, params }], services)
  const data = { name: driver.name, strategy: 'simple' as const, processorConfigs: [{ processorId: id }] }
  return (await call(contract.paymentFlows.create, { body: { data } })).id
}

/** A body of a processor at Stripe with both secrets, where nothing listens. */
export const wantedProcessor = {
  name: 'Stripe',
  driver: 'stripe',
  settings: { currencies: ['USD'], apiUrl: 'http://localhost:9/' },
  secret: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  webhookSecret: 'whsec_0123456789abcdef0123',
}

/** Requests about processors, each with success. */
export const processorRequests: HappyRequests = {
  'processors.listDrivers': async () => ({}),
  'processors.health': async () => ({}),
  'processors.list': async () => ({ query: { limit: '1', driver: 'simulator' } }),
  'processors.get': async (platform) => ({ params: { processorId: await newProcessor(platform) } }),
  'processors.check': async ({ call }) => ({
    params: { processorId: (await call(contract.processors.create, { body: wantedProcessor })).id },
  }),
  'processors.create': async () => ({ body: wantedProcessor }),
  'processors.update': async ({ call }) => ({
    params: { processorId: (await call(contract.processors.create, { body: wantedProcessor })).id },
    body: {
      revision: 1,
      name: 'Stripe, US',
      settings: { currencies: ['USD', 'EUR'] },
      secret: 'rk_test_4eC39HqLyjWDarjtT1zdp7dc',
      webhookSecret: 'whsec_0123456789abcdef4567',
    },
  }),
  'processors.delete': async (platform) => ({ body: { processorIds: [await newProcessor(platform)] } }),
}
