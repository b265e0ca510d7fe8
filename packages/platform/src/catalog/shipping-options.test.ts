import { contract, type ShippingOption } from '@tillwright/contract'
import { describe, expect, test } from 'vitest'
import { sharedPlatform, ruleEngines } from '../../test/test-platform.ts'
import { fittingOptions, type Shipment } from './shipping-options.ts'

describe.each(ruleEngines())('on %s', (engine) => {
  const platform = sharedPlatform({ engine })
  const { list, set } = contract.shippingOptions

  test('what was set is read in the merchant’s order, with ids and defaults filled in, and replaced as a whole', async () => {
    const { id: storeId } = await platform().call(contract.stores.create, { body: { name: 'Lamps' } })
    const params = { storeId }
    expect(await platform().call(list, { params })).toEqual({ storeId, shippingOptions: [] })
    const standard = { name: 'Standard', currencyOptions: { USD: { amount: 490 } } }
    const express = { id: `express-${engine}`, name: 'Express', currencyOptions: { USD: { amount: 1_200 } } }
    const answered = await platform().call(set, { params, body: { shippingOptions: [standard, express] } })
    const filled = { description: '', countries: [], isFreeForNextOrders: false }
    expect(answered.shippingOptions).toEqual([
      {
        ...filled,
        ...standard,
        id: expect.stringMatching(/^ship_/),
        currencyOptions: { USD: { amount: 490, freeFrom: null } },
      },
      { ...filled, ...express, currencyOptions: { USD: { amount: 1_200, freeFrom: null } } },
    ])
    expect(await platform().call(list, { params })).toEqual(answered)
    await platform().call(set, { params, body: { shippingOptions: [express] } })
    expect((await platform().call(list, { params })).shippingOptions.map(({ id }) => id)).toEqual([express.id])
  })

  test('a store of demo products ships, and one without any does not by itself', async () => {
    const optionsOf = async (body: { name: string; createDemoProducts?: boolean; baseCurrency?: string }) => {
      const { id: storeId } = await platform().call(contract.stores.create, { body })
      return (await platform().call(list, { params: { storeId } })).shippingOptions
    }
    expect(await optionsOf({ name: 'Empty' })).toEqual([])
    const demo = await optionsOf({ name: 'Demo', createDemoProducts: true, baseCurrency: 'JPY' })
    expect(demo.map(({ name, currencyOptions }) => [name, currencyOptions['JPY']?.amount])).toEqual([
      ['Standard', 0],
      ['Express', 12],
    ])
  })

  test.for([
    ['an id twice', [{ id: 'a' }, { id: 'a' }], 'shippingOptions[1].id'],
    ['no currency', [{ currencyOptions: {} }], 'shippingOptions[0].currencyOptions'],
    ['a country in lower case', [{ countries: ['ie'] }], 'shippingOptions[0].countries[0]'],
    [
      'an amount below zero',
      [{ currencyOptions: { USD: { amount: -1 } } }],
      'shippingOptions[0].currencyOptions.USD.amount',
    ],
  ] as const)('%s is refused', async ([, changes, param]) => {
    const shippingOptions = changes.map((change) => ({
      name: 'Standard',
      currencyOptions: { USD: { amount: 490 } },
      ...change,
    }))
    const path = set.path.replace('{storeId}', platform().local.storeId)
    const answer = await platform().request('POST', path, { body: { shippingOptions } })
    expect([answer.status, answer.error.param]).toEqual([400, param])
  })
})

function option(id: string, change: Partial<ShippingOption> = {}): ShippingOption {
  const currencyOptions = { USD: { amount: 490, freeFrom: 5_000 } }
  return { id, name: id, description: '', currencyOptions, countries: [], isFreeForNextOrders: false, ...change }
}

const shipment: Shipment = { currency: 'USD', country: 'IE', goodsAmount: 4_999, shippedWithId: null }
const costs = (options: ShippingOption[], change: Partial<Shipment> = {}) =>
  fittingOptions(options, { ...shipment, ...change }).map(({ id, amount }) => [id, amount])

test('an option fits its countries and currencies, and none of its countries while the country is not known', () => {
  const options = [option('all'), option('irish', { countries: ['IE', 'GB'] }), option('us', { countries: ['US'] })]
  expect(costs(options)).toEqual([
    ['all', 490],
    ['irish', 490],
  ])
  expect(costs(options, { country: null })).toEqual([['all', 490]])
  expect(costs(options, { currency: 'EUR' })).toEqual([])
})

test('an option is free from its amount on, and for next orders that go with the same one if the merchant says so', () => {
  expect(costs([option('a')], { goodsAmount: 5_000 })).toEqual([['a', 0]])
  const options = [option('a', { isFreeForNextOrders: true }), option('b', { isFreeForNextOrders: true }), option('c')]
  expect(costs(options, { shippedWithId: 'a' })).toEqual([
    ['a', 0],
    ['b', 490],
    ['c', 490],
  ])
  expect(costs(options, { shippedWithId: 'c' })).toEqual([
    ['a', 490],
    ['b', 490],
    ['c', 490],
  ])
})
