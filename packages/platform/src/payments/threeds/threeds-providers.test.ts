import { expect, test } from 'vitest'
import { emvRequest, type AuthenticationFacts } from './emv-request.ts'
import type { AuthenticationRequest } from './provider.ts'
import { emvContext } from './testing/emv-context.ts'
import { requireProvider } from './threeds-providers.ts'
import { vendorA } from './vendors/vendor-a.ts'
import { vendorB } from './vendors/vendor-b.ts'

const TRANSACTION = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
const facts: AuthenticationFacts = {
  processorConfig: {
    merchantId: 'm',
    mcc: '5411',
    merchantName: 'M',
    merchantCountryCode: '840',
    acquirerBin: '445566',
  },
  purchaseInfo: { amount: '1999', currency: 'USD' },
  cardholderInfo: {},
  challengePreference: 'no-preference',
  authenticationType: 'payment-transaction',
}
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
    message: emvRequest(facts, emvContext({ transactionId: threeDSServerTransID })),
  }
}

test('where nobody stands behind a name the caller is told to ask the operator', async () => {
  for (const name of ['vendor_a', 'vendor_b'] as const) {
    await expect(requireProvider(name, async () => null)).rejects.toThrow(
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
  ['an outcome that there is not', { ...flat, trans_status: 'X' }],
  ['an authentication without its proof', { ...flat, authentication_value: null }],
  ['a proof of another length', { ...flat, authentication_value: 'MTIz' }],
  ['a challenge without a place', { ...flat, trans_status: 'C', encoded_creq: 'e30' }],
  [
    'a challenge in a script',
    { ...flat, trans_status: 'C', encoded_creq: 'e30', acs_challenge_url: 'javascript:alert(1)' },
  ],
  [
    'a challenge with a request that is none',
    { ...flat, trans_status: 'C', encoded_creq: 'abc', acs_challenge_url: 'https://acs.example/' },
  ],
  ['a challenge without a request', { ...flat, trans_status: 'C', acs_challenge_url: 'https://acs.example/challenge' }],
  ['another transaction', { ...flat, server_trans_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b' }],
] as const)('an answer that is %s is none', async ([, answer]) => {
  await expect(vendorA(async () => answer).authenticate(requestOf('4242'))).rejects.toThrow()
  await expect(vendorB(async () => answer).authenticate(requestOf('4242'))).rejects.toThrow()
})
