import { Stripe } from 'stripe'
import type { SecretCheck } from '../processor-driver.ts'
import { describe, isUncertain } from './errors.ts'

/** Reads what payments are made of, for which a restricted key has to have the right. */
export async function checkSecret({ paymentIntents }: Stripe): Promise<SecretCheck> {
  try {
    await paymentIntents.list({ limit: 1 }, { maxNetworkRetries: 0 })
    return { outcome: 'accepted', reason: null }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const isOpen = isUncertain(error) || error instanceof Stripe.errors.StripeRateLimitError
    return { outcome: isOpen ? 'no_answer' : 'refused', reason: describe(error) }
  }
}
