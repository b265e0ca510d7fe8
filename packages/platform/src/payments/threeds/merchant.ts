import type { NewThreedsAuthentication } from '@tillwright/contract'

/** The merchant as the acquirer knows it. */
export type Merchant = NewThreedsAuthentication['processorConfig']

const NAME_MAX_CHARS = 40

/**
 * The merchant of a store whose processors are simulated: a made-up one, under the store's name. 5399 is general
 * merchandise (ISO 18245), 840 the United States.
 */
export function simulatedMerchant(storeName: string): Merchant {
  return {
    merchantId: 'SIMULATED',
    mcc: '5399',
    merchantName: storeName.slice(0, NAME_MAX_CHARS),
    merchantCountryCode: '840',
    acquirerBin: '400000',
  }
}
