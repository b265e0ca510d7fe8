import { expect, test } from 'vitest'
import { acquirerBin, merchantOf } from './merchant.ts'

const merchant = { merchantId: 'm-1', mcc: '5411', merchantName: 'Canvas & Co', merchantCountryCode: '276' }

/** The merchant for a card in a flow of one processor for each given merchant; `null` is a processor without one. */
function found(merchants: readonly (object | null)[], brand: string, environment: 'local' | 'production' = 'local') {
  const configs = new Map(merchants.map((each, index) => [`processor_${index}`, each && { merchant: each }]))
  const config = { weight: 0, disabled: false, nonStickable: false }
  const processorConfigs = [...configs.keys()].map((processorId) => ({ processorId, ...config }))
  const flow = { processorConfigs, fallbackProcessorConfigs: [] }
  return merchantOf({ flow, configs, storeName: 'A shop', brand }, environment)
}

test('the merchant is that of the first processor whose acquirer takes the card', () => {
  const first = { ...merchant, acquirerBinNetwork1: '411111' }
  const second = { ...merchant, merchantId: 'm-2', acquirerBin: '455555' }
  const asked = [null, first, second]
  expect(found(asked, 'visa')).toEqual(first)
  expect(found(asked, 'mastercard')).toEqual(second)
  expect(found(asked, 'jcb', 'production')).toEqual(second)
})

test('without a setting, simulated processors have a merchant of the store’s name, and production has none', () => {
  const asked = [null, { ...merchant, acquirerBinNetwork1: '411111' }]
  expect(found(asked, 'amex')).toMatchObject({ merchantName: 'A shop', acquirerBin: '400000' })
  expect(() => found(asked, 'amex', 'production')).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

const merchantOfBins = { merchantId: 'm', mcc: '5411', merchantName: 'M', merchantCountryCode: '840' }
const networks = [
  ['visa', 'acquirerBinNetwork1'],
  ['mastercard', 'acquirerBinNetwork2'],
  ['amex', 'acquirerBinNetwork3'],
  ['discover', 'acquirerBinNetwork4'],
] as const

test.for(networks)('%s has its own acquirer in %s, else the general one', ([brand, field]) => {
  expect(acquirerBin({ ...merchantOfBins, [field]: '1', acquirerBin: '2' }, brand)).toBe('1')
  expect(acquirerBin({ ...merchantOfBins, acquirerBin: '2' }, brand)).toBe('2')
})

test.for(networks)('without one for %s, %s is what is missing', ([brand, field]) => {
  const others = Object.fromEntries(networks.filter(([other]) => other !== brand).map(([, name]) => [name, '1']))
  expect(() => acquirerBin({ ...merchantOfBins, ...others }, brand)).toThrow(
    expect.objectContaining({ code: 'parameter_missing', details: { param: `processorConfig.${field}` } }),
  )
})

test('a brand without a field of its own has the general one', () => {
  expect(acquirerBin({ ...merchantOfBins, acquirerBinNetwork4: '1', acquirerBin: '2' }, 'jcb')).toBe('2')
  expect(() => acquirerBin({ ...merchantOfBins, acquirerBinNetwork1: '1' }, 'jcb')).toThrow(
    expect.objectContaining({ details: { param: 'processorConfig.acquirerBin' } }),
  )
})
