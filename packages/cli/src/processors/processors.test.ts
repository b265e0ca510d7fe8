import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { acquirerOf, merchantOf } from './merchant-options.ts'
import { readSecret } from './processors.ts'

const merchant = { merchantId: 'M1', mcc: '5411', merchantName: 'Canvas & Co', merchantCountry: 'US' }

test('an acquirer’s BIN applies to all networks, or to one', () => {
  expect(merchantOf({ ...merchant, acquirerBin: ['445566', 'visa=400000', 'discover=601100'] })).toEqual({
    merchantId: 'M1',
    mcc: '5411',
    merchantName: 'Canvas & Co',
    merchantCountryCode: 'US',
    acquirerBin: '445566',
    acquirerBinNetwork1: '400000',
    acquirerBinNetwork4: '601100',
  })
})

test('without any of the options there is no merchant', () => {
  expect(merchantOf({})).toBeNull()
})

test.for([
  [{ mcc: '5411' }, '--merchant-id: is missing'],
  [{ acquirerBin: ['445566'] }, '--merchant-id: is missing'],
  [{ ...merchant, merchantCountry: undefined }, '--merchant-country: is missing'],
  [{ ...merchant, acquirerBin: ['toString=1'] }, "--acquirer-bin: 'toString' must be one of: visa, mastercard"],
] as const)('%o is incomplete: %s', ([{ ...options }, message]) => {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  expect(() => merchantOf(given)).toThrow(message)
})

const env = { TILLWRIGHT_PROCESSOR_SECRET: 'sk_test_variable' }

test('a secret is piped in or read from a variable', async () => {
  const piped = () => Readable.from(['sk_test_', 'piped\n'])
  expect(await readSecret({ fromStdin: true, stdin: piped(), env })).toBe('sk_test_piped\n')
  expect(await readSecret({ fromStdin: false, stdin: piped(), env })).toBe('sk_test_variable')
  expect(await readSecret({ fromStdin: false, stdin: piped(), env: {} })).toBeNull()
})

test('there is no prompt for it', async () => {
  const terminal = Object.assign(Readable.from([]), { isTTY: true })
  await expect(readSecret({ fromStdin: true, stdin: terminal, env })).rejects.toThrow('pipe the secret in')
})

test('an acquirer has a country, and a fraud rate where it has told one', () => {
  expect(acquirerOf({})).toBeNull()
  expect(acquirerOf({ acquirerCountry: 'DE' })).toEqual({ country: 'DE', fraudRatePercent: null })
  expect(acquirerOf({ acquirerCountry: 'DE', fraudRate: '0.06' })).toEqual({ country: 'DE', fraudRatePercent: 0.06 })
  expect(() => acquirerOf({ fraudRate: '0.06' })).toThrow('--acquirer-country: is missing')
  expect(() => acquirerOf({ acquirerCountry: 'DE', fraudRate: 'low' })).toThrow('--fraud-rate: must be a number')
})
