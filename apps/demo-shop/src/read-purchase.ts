/** A purchase as the page submits it. It contains no price, which comes from the catalogue alone. */
export interface Purchase {
  serviceToken: string
  email: string
  variantId: string
  quantity: number
  currency: string
}

/** A request that no page of this shop sends. */
export class PurchaseMalformed extends Error {}

/**
 * Reads the body of `POST /pay`. Whether the values make sense, such as the e-mail address, is the platform's to judge.
 *
 * @throws {PurchaseMalformed} When a field is missing or has another type.
 */
export function readPurchase(body: unknown): Purchase {
  const { serviceToken, email, variantId, quantity, currency } = Object(body) as Record<string, unknown> // any object is one
  if (
    typeof serviceToken === 'string' &&
    typeof email === 'string' &&
    typeof variantId === 'string' &&
    typeof quantity === 'number' &&
    typeof currency === 'string'
  ) {
    return { serviceToken, email, variantId, quantity, currency }
  }
  throw new PurchaseMalformed('A purchase has serviceToken, email, variantId, quantity and currency.')
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
