import { type CallOf, contract, type ThreedsProviderName, type ThreedsSession } from '@tillwright/contract'
import { newInstrument } from './pay-with-card.ts'
import type { TestPlatform } from './test-platform.ts'

type SessionBody = CallOf<typeof contract.threeds.createSession>['body']
type AuthenticationBody = CallOf<typeof contract.threeds.authenticate>['body']

/** Body that opens a session for a new card of the local store. */
export async function newSessionBody(platform: TestPlatform, number?: string): Promise<SessionBody> {
  const instrument = await newInstrument(platform, number === undefined ? {} : { number })
  return {
    paymentInstrumentId: instrument.id,
    storeId: platform.local.storeId,
    sessionData: { id: 'd0e4', type: 'browser', cardBrand: 'visa', recommended_version: '2.2.0' },
  }
}

/** Opens a session for a new card, that of vendor_a unless another is named. */
export async function newThreedsSession(
  platform: TestPlatform,
  { number, provider }: { number?: string; provider?: ThreedsProviderName } = {},
): Promise<ThreedsSession> {
  const body = await newSessionBody(platform, number)
  return platform.call(contract.threeds.createSession, { body: { ...body, ...(provider && { provider }) } })
}

/** Body that authenticates a session: a merchant with one acquirer for all cards, and 19.99 USD. */
export function authenticationBody(sessionId: string): AuthenticationBody {
  return {
    sessionId,
    processorConfig: {
      merchantId: 'merchant-1',
      mcc: '5411',
      merchantName: 'Canvas & Co',
      merchantCountryCode: 'US',
      acquirerBin: '445566',
    },
    purchaseInfo: { amount: '1999', currency: 'USD' },
    cardholderInfo: { name: 'Ada Lovelace', email: 'ada@example.com' },
  }
}
