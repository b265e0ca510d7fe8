import { expect, test } from 'vitest'
import { acquirerBin } from './merchant.ts'

const merchant = { merchantId: 'm', mcc: '5411', merchantName: 'M', merchantCountryCode: '840' }
const networks = [
  ['visa', 'acquirerBinNetwork1'],
  ['mastercard', 'acquirerBinNetwork2'],
  ['amex', 'acquirerBinNetwork3'],
  ['discover', 'acquirerBinNetwork4'],
] as const

test.for(networks)('%s has its own acquirer in %s, else the general one', ([brand, field]) => {
  expect(acquirerBin({ ...merchant, [field]: '1', acquirerBin: '2' }, brand)).toBe('1')
  expect(acquirerBin({ ...merchant, acquirerBin: '2' }, brand)).toBe('2')
})

test.for(networks)('without one for %s, %s is what is missing', ([brand, field]) => {
  const others = Object.fromEntries(networks.filter(([other]) => other !== brand).map(([, name]) => [name, '1']))
  expect(() => acquirerBin({ ...merchant, ...others }, brand)).toThrow(
    expect.objectContaining({ code: 'parameter_missing', details: { param: `processorConfig.${field}` } }),
  )
})

test('a brand without a field of its own has the general one', () => {
  expect(acquirerBin({ ...merchant, acquirerBinNetwork4: '1', acquirerBin: '2' }, 'jcb')).toBe('2')
  expect(() => acquirerBin({ ...merchant, acquirerBinNetwork1: '1' }, 'jcb')).toThrow(
    expect.objectContaining({ details: { param: 'processorConfig.acquirerBin' } }),
  )
})
