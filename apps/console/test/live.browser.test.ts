import { contract } from '@tillwright/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { soaks } from '../../../.ci/soaks.ts'
import { newInstrument, pay } from '../../../packages/platform/test/pay-with-card.ts'
import { deployPlugin } from '../../../packages/platform/test/plugins/deploy-plugin.ts'
import { subscribe } from '../../../packages/platform/test/subscribe.ts'
import { ruleEngines, sharedPlatform, type TestPlatform } from '../../../packages/platform/test/test-platform.ts'
import { consoleHost, signedIn } from './signed-in.ts'

/** A change by the API, and the text that the open page shows from then on. */
type Change = readonly [make: () => Promise<unknown>, shows: RegExp]
/** The pages, by their addresses. */
type Watched = Readonly<Record<string, readonly Change[]>>

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine, env: consoleHost })

  test('a change made through the API shows in an open page', async () => {
    const { page, complaints } = await signedIn(platform())
    const parts = [await sales(platform()), await catalogue(platform()), await account(platform())]
    const pages = [...parts, await plugins(platform())].flatMap((part) => Object.entries(part))
    // Pages of one kind follow their events in one way: a soak opens all of them.
    for (const [path, changes] of pages) {
      if (!soaks && alike.test(path)) continue
      await open(page, path)
      for (const change of changes) await shows(page, change, path)
    }
    expect(complaints).toEqual([])
  })
})

const alike =
  /^\/(payments|orders|customers|products|promotions|stores|processors|members|audit)$|^\/(customers|orders|flows)\//

/** Follows a link there, so that the console and its stream of events are loaded once. */
async function open(page: Page, path: string): Promise<void> {
  const before = await page.title()
  const link = `Object.assign(document.createElement('a'), { href: ${JSON.stringify(`/console${path}`)} })`
  await page.evaluate(`{ const link = ${link}; document.body.append(link); link.click(); link.remove() }`)
  await expect.poll(() => page.title()).not.toBe(before)
  await page.locator('[aria-busy=true], .bone').first().waitFor({ state: 'detached' })
}

/** The page is not touched meanwhile: a click, a load or a glance would read it again. */
async function shows(page: Page, [make, shown]: Change, path: string): Promise<void> {
  const text = () => page.locator('main').innerText()
  expect(await text(), path).not.toMatch(shown)
  await make()
  await expect.poll(text, { message: path, timeout: 20_000 }).toMatch(shown)
}

async function sales(own: TestPlatform): Promise<Watched> {
  const { call } = own
  const { id: card, customerId } = await newInstrument(own, { customerData: { email: 'ada@example.com' } })
  const { id: paymentId, orderId } = await pay(own, card)
  const { id: disputedId } = await pay(own, card)
  const subscription = await subscribe(own)
  const metered = await subscribe(own, { price: { billingTiming: 'usage', currencyOptions: { USD: { amount: 25 } } } })
  const { id: second } = await newInstrument(own, { customerId: subscription.customerId, number: '5555555555554444' })
  const ofSubscription = { params: { subscriptionId: subscription.id } }
  const ofMetered = { params: { subscriptionId: metered.id } }
  const ofCustomer = { params: { customerId } }
  return {
    [`/subscriptions/${metered.id}`]: [
      [() => call(contract.subscriptions.createUsageRecord, { ...ofMetered, body: { quantity: 7_654 } }), /7,654/],
    ],
    '/payments': [[() => newBuyer(own, 'grace@example.com'), /grace@example\.com/]],
    [`/payments/${paymentId}`]: [
      [() => call(contract.payments.refund, { params: { paymentId }, body: { amount: 123 } }), /s_payment_refunded/],
    ],
    '/disputes': [
      [
        () => call(contract.disputes.simulate, { params: { paymentId: disputedId }, body: {} }),
        /ada@[^]+Fraud[^]+ left/,
      ],
    ],
    [`/orders/${orderId}`]: [
      [
        () => call(contract.orders.update, { params: { orderId }, body: { revision: 1, metadata: { gift: 'bow' } } }),
        /bow/,
      ],
    ],
    '/customers': [[() => newBuyer(own, 'edsger@example.com'), /edsger@example\.com/]],
    [`/customers/${customerId}`]: [
      [
        () => call(contract.customers.update, { ...ofCustomer, body: { revision: 1, firstName: 'Augusta' } }),
        /Augusta/,
      ],
    ],
    [`/subscriptions/${subscription.id}`]: [
      [
        () => call(contract.subscriptions.update, { ...ofSubscription, body: { paymentInstrumentId: second } }),
        /Mastercard 4444/,
      ],
      [() => call(contract.subscriptions.cancel, { ...ofSubscription, body: {} }), /It ends on/],
    ],
  }
}

async function newBuyer(own: TestPlatform, email: string): Promise<void> {
  await pay(own, (await newInstrument(own, { customerData: { email } })).id)
}

async function catalogue(own: TestPlatform): Promise<Watched> {
  const { call, local } = own
  const { storeId, paymentFlowId } = local
  const ofStore = { params: { storeId } }
  const prices = [{ currencyOptions: { USD: { amount: 100 } } }]
  const product = { storeId, name: 'Teapot', isShippable: false, variants: [{ name: 'One', default: true, prices }] }
  const sale = {
    storeId,
    name: 'Spring sale',
    actions: [{ type: 'OrderPercentageAdjustment' as const, adjustmentPercentage: 5 }],
  }
  const option = { name: 'By bicycle', currencyOptions: { USD: { amount: 300 } } }
  const hook = { url: 'http://localhost:1', onFailure: 'continue' as const }
  const flow = await call(contract.paymentFlows.get, { params: { paymentFlowId } })
  const ofFlow = { params: { paymentFlowId } }
  const processorId = flow.processorConfigs[0]?.processorId ?? ''
  const ofProcessor = { params: { processorId } }
  return {
    '/products': [[() => call(contract.products.create, { body: product }), /Teapot/]],
    '/promotions': [[() => call(contract.promotions.create, { body: sale }), /Spring sale/]],
    '/stores': [
      [() => call(contract.stores.create, { body: { name: 'Harbour Goods', baseCurrency: 'USD' } }), /Harbour Goods/],
    ],
    [`/stores/${storeId}`]: [
      [() => call(contract.shippingOptions.set, { ...ofStore, body: { shippingOptions: [option] } }), /By bicycle/],
      [() => call(contract.hooks.set, { params: { storeId, kind: 'tax' }, body: hook }), /localhost:1/],
    ],
    [`/flows/${paymentFlowId}`]: [
      [
        () => call(contract.paymentFlows.update, { ...ofFlow, body: { revision: flow.revision, name: 'Atlantic' } }),
        /Atlantic/,
      ],
    ],
    '/processors': [
      [() => call(contract.processors.create, { body: { name: 'East', driver: 'simulator', settings: {} } }), /East/],
    ],
    [`/processors/${processorId}`]: [
      [() => call(contract.processors.update, { ...ofProcessor, body: { revision: 1, name: 'Northern' } }), /Northern/],
    ],
  }
}

async function account(own: TestPlatform): Promise<Watched> {
  const { call } = own
  const { apiKey } = await call(contract.apiKeys.create, { body: { kind: 'secret', name: 'Till' } })
  const { endpoint } = await call(contract.webhookEndpoints.create, {
    body: { url: 'http://localhost:1', eventTypes: '*' },
  })
  const { member } = await call(contract.members.invite, { body: { email: 'mary@example.com', role: 'support' } })
  const { revision } = await call(contract.accounts.get, {})
  const url = 'http://localhost:2/elsewhere'
  const ofEndpoint = { params: { endpointId: endpoint.id } }
  const elsewhere = { url: 'http://localhost:3', eventTypes: '*' as const }
  const { endpoint: second } = await call(contract.webhookEndpoints.create, { body: elsewhere })
  const ofSecond = { params: { endpointId: second.id } }
  const ofMember = { params: { memberId: member.id } }
  return {
    '/keys': [
      [() => call(contract.apiKeys.create, { body: { kind: 'secret', name: 'Warehouse' } }), /Warehouse/],
      [() => call(contract.apiKeys.revoke, { params: { keyId: apiKey.id } }), /Revoked/],
    ],
    [`/webhooks/${endpoint.id}`]: [
      [() => call(contract.webhookEndpoints.update, { ...ofEndpoint, body: { revision: 1, url } }), /elsewhere/],
    ],
    '/webhooks': [[() => call(contract.webhookEndpoints.delete, ofSecond), /^(?![^]*localhost:3)/]],
    '/members': [
      [
        () => call(contract.members.invite, { body: { email: 'alan@example.com', role: 'support' } }),
        /alan@example\.com/,
      ],
    ],
    [`/members/${member.id}`]: [
      [() => call(contract.members.update, { ...ofMember, body: { name: 'Mary Shelley' } }), /Mary Shelley/],
    ],
    '/account': [
      [() => call(contract.accounts.update, { body: { revision, name: 'Weaver & Byrne' } }), /Weaver & Byrne/],
    ],
    '/audit': [[() => endSessions(own, ofMember), /members\.endSessions/]],
    '/requests': [[() => own.request('GET', '/api/payments/v1/payments?limit=0'), /parameter_invalid/]],
  }
}

/** A moment later, so that it stands at the top of the log. */
function endSessions(own: TestPlatform, ofMember: { params: { memberId: string } }): Promise<unknown> {
  own.clock.advance(1_000)
  return own.call(contract.members.endSessions, ofMember)
}

async function plugins(own: TestPlatform): Promise<Watched> {
  const { call, local } = own
  const { storeId } = local
  const { id: deploymentId, pluginId } = await deployPlugin(own)
  const { id: former } = await deployPlugin(own, { manifest: { pluginId, version: '1.1.0' } })
  await call(contract.pluginManagement.activate, { params: { deploymentId } })
  const alias = { storeId, name: 'spring' }
  return {
    [`/plugins/${pluginId}`]: [
      [() => call(contract.pluginManagement.setAlias, { body: { ...alias, pluginId } }), /spring/],
      [() => call(contract.pluginManagement.removeAlias, { body: alias }), /^(?![^]*spring)/],
      [() => call(contract.pluginManagement.remove, { params: { deploymentId: former } }), /Removed/],
    ],
  }
}
