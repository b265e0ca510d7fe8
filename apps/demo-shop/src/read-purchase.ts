import type { NewPaymentMethod } from '@tillwright/contract'

/** A purchase as the page submits it. It contains no price, which comes from the catalogue alone. */
export interface Purchase {
  means: Means
  email: string
  variantId: string
  quantity: number
  currency: string
}

/**
 * Means of payment: a card's token, or another method with an id that the page has generated for this purchase. The
 * platform validates the method.
 */
export type Means = { serviceToken: string } | { paymentMethod: NewPaymentMethod; purchaseId: string }

/** A request that no page of this shop sends. */
export class PurchaseMalformed extends Error {}

/**
 * Reads the body of `POST /pay`. Whether the values make sense, such as the e-mail address, is the platform's to judge.
 *
 * @throws {PurchaseMalformed} When a field is missing or has another type.
 */
export function readPurchase(body: unknown): Purchase {
  const sent = Object(body) as Record<string, unknown> // any object is one
  const { email, variantId, quantity, currency } = sent
  const means = readMeans(sent)
  if (
    means !== null &&
    typeof email === 'string' &&
    typeof variantId === 'string' &&
    typeof quantity === 'number' &&
    typeof currency === 'string'
  ) {
    return { means, email, variantId, quantity, currency }
  }
  throw new PurchaseMalformed(
    'A purchase has serviceToken, or paymentMethod and purchaseId; and email, variantId, quantity and currency.',
  )
}

function readMeans({ serviceToken, paymentMethod, purchaseId }: Record<string, unknown>): Means | null {
  if (typeof serviceToken === 'string') return { serviceToken }
  if (typeof purchaseId !== 'string' || typeof Object(paymentMethod).type !== 'string') return null
  return { paymentMethod: paymentMethod as NewPaymentMethod, purchaseId } // the platform checks it
}

/**
 * Reads the body of `POST /continue`.
 *
 * @throws {PurchaseMalformed} When it names no payment.
 */
export function readPaymentId(body: unknown): string {
  const { paymentId } = Object(body) as Record<string, unknown> // any object is one
  if (typeof paymentId === 'string') return paymentId
  throw new PurchaseMalformed('What is to be continued has a paymentId.')
}
