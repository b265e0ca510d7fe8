import { expect, test } from 'vitest'
import type { AuthenticationRequest } from './provider.ts'
import { requireProvider, threedsProviders } from './threeds-providers.ts'
import { vendorA } from './vendors/vendor-a.ts'
import { vendorB } from './vendors/vendor-b.ts'

const TRANSACTION = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
function requestOf(last4: string, threeDSServerTransID = TRANSACTION): AuthenticationRequest {
  const card = {
    id: 'card_1',
    brand: 'visa',
    last4,
    bin: '400000',
    expMonth: 1,
    expYear: 2030,
    funding: 'credit',
    segment: 'consumer',
  } as const
  return {
    card,
    message: {
      threeDSServerTransID,
      messageVersion: '2.2.0',
      messageCategory: '01',
      acquirerBIN: '445566',
      acquirerMerchantID: 'm',
      mcc: '5411',
      merchantName: 'M',
      merchantCountryCode: '840',
      threeDSRequestorChallengeInd: '01',
      threeDSRequestorAuthenticationInd: '01',
      purchaseAmount: '1999',
      purchaseCurrency: '840',
      purchaseExponent: '2',
      purchaseDate: '20300101000000',
      cardholderName: 'Ada',
      email: 'ada@example.com',
      cardExpiryDate: '3001',
    },
  }
}

test('without an engine nobody stands behind either name', () => {
  const none = threedsProviders(null)
  for (const name of ['vendor_a', 'vendor_b'] as const) {
    expect(() => requireProvider(name, none)).toThrow(
      expect.objectContaining({ code: 'unavailable', details: { headers: { 'Retry-After': '3600' } } }),
    )
  }
})

const flat = {
  server_trans_id: TRANSACTION,
  trans_status: 'Y',
  trans_status_reason: null,
  authentication_value: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
  ds_trans_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  acs_trans_id: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
  protocol_version: '2.2.0',
  acs_challenge_url: null,
  encoded_creq: null,
}

test('a vendor’s answer is read when it is whole', async () => {
  await expect(vendorA(async () => flat).authenticate(requestOf('4242'))).resolves.toMatchObject({ transStatus: 'Y' })
})

test.for([
  ['nothing', undefined],
  ['text', 'OK'],
  ['an outcome that there is not', { ...flat, trans_status: 'D' }],
  ['an authentication without its proof', { ...flat, authentication_value: null }],
  ['a proof of another length', { ...flat, authentication_value: 'MTIz' }],
  ['a challenge without a place', { ...flat, trans_status: 'C', encoded_creq: 'e30' }],
  [
    'a challenge in a script',
    { ...flat, trans_status: 'C', encoded_creq: 'e30', acs_challenge_url: 'javascript:alert(1)' },
  ],
  ['a challenge without a request', { ...flat, trans_status: 'C', acs_challenge_url: 'https://acs.example/challenge' }],
  ['another transaction', { ...flat, server_trans_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b' }],
] as const)('an answer that is %s is none', async ([, answer]) => {
  await expect(vendorA(async () => answer).authenticate(requestOf('4242'))).rejects.toThrow()
  await expect(vendorB(async () => answer).authenticate(requestOf('4242'))).rejects.toThrow()
})
