import { createHash } from 'node:crypto'
import { type Client, TillwrightError } from '@tillwright/client'
import type { NewPaymentMethod, Payment } from '@tillwright/contract'
import type { Purchase } from './read-purchase.ts'

/** The shop, as a payment has to know it. */
export interface Seller {
  tillwright: Client
  storeId: string
  /** Where buyers come back to from the page of a method. */
  returnUrl: string
}

/** Methods that lead the buyer to another page. The API wants a way back for them, and for no other. */
const LEADS_AWAY: ReadonlySet<NewPaymentMethod['type']> = new Set(['ideal', 'paypal'])

/**
 * Pays for a purchase, once: the page may send it again, and is given the same payment.
 *
 * @throws {TillwrightError} If the platform refuses; a declined card is such an error, too.
 */
export async function makePayment(purchase: Purchase, seller: Seller): Promise<Payment> {
  const { means, email, currency, variantId, quantity } = purchase
  const { tillwright, storeId, returnUrl } = seller
  // A card's token is good for one purchase, so it names this one; for other methods the page has made a name.
  const secret = 'serviceToken' in means ? means.serviceToken : means.purchaseId
  const name = createHash('sha256').update(secret).digest('hex')
  const order = { storeId, currency, lines: [{ variantId, quantity }] }
  const idempotency = { idempotencyKey: `payment-${name}` }
  if ('serviceToken' in means) {
    const { paymentInstrument } = await tillwright.paymentInstruments.createFromToken(
      { serviceToken: means.serviceToken, storeId, customerData: { email } },
      { idempotencyKey: `instrument-${name}` },
    )
    return tillwright.payments.create({ ...order, paymentInstrumentId: paymentInstrument.id }, idempotency)
  }
  const { paymentMethod } = means
  const customerId = await customerOf(email, seller)
  const back = LEADS_AWAY.has(paymentMethod.type) && { returnUrl }
  return tillwright.payments.create({ ...order, customerId, paymentMethod, ...back }, idempotency)
}

/** The customer with an e-mail address: a new one unless the store knows it, as it does from the second purchase on. */
async function customerOf(email: string, { tillwright, storeId }: Seller): Promise<string> {
  try {
    return (await tillwright.customers.create({ storeId, email })).id
  } catch (error) {
    if (!(error instanceof TillwrightError) || error.code !== 'resource_exists') throw error
    for await (const customer of tillwright.customers.list.all({ storeId, q: email })) {
      if (customer.email.toLowerCase() === email.toLowerCase()) return customer.id
    }
    throw error
  }
}
