import { beforeAll, describe, expect, test } from 'vitest'
import { happyRequests } from '../happy-requests.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../test-platform.ts'
import { isSuccess, operations } from './operations.ts'
import { sendTo } from './send-to.ts'
import { withoutWebhooks } from './table-digests.ts'

/** The operations that begin something in a store, with the field that names the store, or what is in it. */
const begins: Readonly<Record<string, string>> = {
  'apiKeys.create': 'storeId',
  'customers.create': 'storeId',
  'funnels.create': 'storeId',
  'funnels.previewSession': 'storeId',
  'hooks.set': 'storeId',
  'orders.quote': 'storeId',
  'paymentInstruments.createFromToken': 'storeId',
  'payments.create': 'storeId',
  'payments.verify': 'storeId',
  'pluginManagement.activate': 'deploymentId',
  'pluginManagement.restoreSettings': 'deploymentId',
  'pluginManagement.rollback': 'storeId',
  'pluginManagement.setAlias': 'storeId',
  'pluginManagement.updateSettings': 'deploymentId',
  'plugins.deploy': 'storeId',
  'plugins.promoteToCustomDomain': 'deploymentId',
  'plugins.syncConfig': 'deploymentId',
  'plugins.syncTemplates': 'deploymentId',
  'prices.create': 'productId',
  'products.create': 'storeId',
  'promotions.create': 'storeId',
  'session.begin': 'funnelId',
  'session.findMethods': 'storeId',
  'session.findOwnMethods': 'storeId',
  'session.pay': 'storeId',
  'shippingOptions.set': 'storeId',
  'threeds.createSession': 'storeId',
  'variants.create': 'productId',
}

/** Changes that take a store in their body and work in an archived one, and why. */
const goesOn: Readonly<Record<string, string>> = {
  'events.statistics': 'It is a look-up.',
  'paymentFlows.replay': 'It looks at the past.',
  'plugins.deployments': 'It is a list.',
  'pluginManagement.removeAlias': 'It ends something.',
  'pluginManagement.removeDomain': 'It ends something.',
  'promotions.getById': 'It is a look-up.',
  'webhookEndpoints.create': 'Refunds and renewals of an archived store have events.',
}

test('each operation that takes a store in its body is known to begin something there, or not', () => {
  const named = operations.filter(({ operation: { body } }) => body !== undefined && hasStore(body))
  const unknown = named.filter(({ id }) => begins[id] === undefined && goesOn[id] === undefined)
  expect(unknown.map(({ id }) => `${id}: requireOpenStore, or a reason why not`)).toEqual([])
})

describe.each(ruleEngines())('in an archived store, on %s', (engine) => {
  const platform = sharedPlatform({ engine })

  beforeAll(() => withoutWebhooks(platform().services.db))

  test.for(operations)('$id', async ({ id, operation }) => {
    const sent = (await happyRequests[id]?.(platform())) ?? {}
    await archiveStores(true, platform())
    const answer = await sendTo(platform(), operation, sent).finally(() => archiveStores(false, platform()))
    const param = begins[id]
    if (param === undefined) return expect(isSuccess(operation, answer), answer.text).toBe(true)
    expect([answer.status, answer.error]).toMatchObject([409, { code: 'state_conflict', param }])
    expect(answer.error.message).toMatch(/^The store 'store_\w+' is archived .* unarchive it, or choose another\.$/)
  })
})

function hasStore(body: object): boolean {
  return 'shape' in body && Object.hasOwn(Object(body.shape), 'storeId')
}

async function archiveStores(archived: boolean, { services: { db }, local }: TestPlatform): Promise<void> {
  const rows = await db.read('SELECT id, resource FROM stores WHERE account_id = ?', [local.accountId])
  await db.write(
    rows.map(({ id, resource }) => ({
      sql: 'UPDATE stores SET archived = ?, resource = ? WHERE account_id = ? AND id = ?',
      params: [
        Number(archived),
        JSON.stringify({ ...JSON.parse(String(resource)), archived }),
        local.accountId,
        String(id),
      ],
    })),
  )
}
