import { createHmac } from 'node:crypto'

/** The key that the stand-in signs its notifications with. */
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** A notification's item, without its signature. */
export interface Item {
  additionalData: Record<string, string>
  amount: { value: number; currency: string }
  eventCode: string
  eventDate: string
  merchantAccountCode: string
  merchantReference: string
  originalReference: string
  pspReference: string
  reason: string
  success: 'true' | 'false'
}

/** The notification of an item, signed as Adyen documents it. Source: Adyen, "Verify HMAC signatures". */
export function signed(item: Item, key = HMAC_KEY): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item
  const parts = [pspReference, originalReference, merchantAccountCode, merchantReference, amount.value, amount.currency]
  const message = [...parts, eventCode, success].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(key, 'hex')).update(message).digest('base64')
  const sent = { ...item, additionalData: { ...item.additionalData, hmacSignature } }
  return JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: sent }] })
}
