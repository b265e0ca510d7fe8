import type { EmvMessage } from '../emv/emv-message.ts'
import type { AuthenticationRequest } from '../provider.ts'

/**
 * A request as the directory wants it. What a standalone authentication does not tell is filled in: a plain browser, and
 * in place of the card number, which stays in the vault, its known ends with zeros between. The simulator looks at
 * neither.
 */
export function completeAreq({ message, card }: AuthenticationRequest): EmvMessage {
  return {
    ...browser,
    messageType: 'AReq',
    deviceChannel: '02',
    acctNumber: `${card.bin}000000${card.last4}`,
    threeDSRequestorID: message.acquirerMerchantID,
    threeDSRequestorName: message.merchantName,
    threeDSRequestorURL: 'https://shop.invalid',
    threeDSServerRefNumber: 'TILLWRIGHT_3DS_SERVER',
    notificationURL: 'https://shop.invalid/notify',
    threeDSCompInd: 'U',
    ...message,
  }
}

const browser = {
  browserAcceptHeader: '*/*',
  browserUserAgent: 'unknown',
  browserLanguage: 'en',
  browserJavascriptEnabled: false,
}
