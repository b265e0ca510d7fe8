import { expect, test } from 'vitest'
import { merchantOf } from './merchant.ts'

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

test('where nobody says, simulated processors have a merchant of the store’s name, and production has none', () => {
  const asked = [null, { ...merchant, acquirerBinNetwork1: '411111' }]
  expect(found(asked, 'amex')).toMatchObject({ merchantName: 'A shop', acquirerBin: '400000' })
  expect(() => found(asked, 'amex', 'production')).toThrow(expect.objectContaining({ code: 'unavailable' }))
})
