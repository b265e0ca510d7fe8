import type { MethodOffer, PaymentMethodType } from '@tillwright/contract'

/** The store whose methods are requested, and the origin of the page in whose name. */
export interface Offering {
  apiUrl: string
  publishableKey: string
  storeId: string
  /** The origin of the shop's page, which the publishable key has to allow. */
  origin: string
}

/** An amount due, in the currency's minor unit. */
export interface Sum {
  currency: string
  amount: number
}

/**
 * The methods that the account takes for a sum, so that the page comes with room and words for them. It is the question
 * that the page asks again, with its key and in its name: servers have no other. Where there is no answer, the shop takes
 * cards.
 */
export async function offeredMethods(
  { currency, amount }: Sum,
  { apiUrl, publishableKey, storeId, origin }: Offering,
): Promise<PaymentMethodType[]> {
  try {
    const answer = await fetch(new URL('/api/session/v1/payment-methods', apiUrl), {
      method: 'POST',
      headers: { Authorization: `Bearer ${publishableKey}`, 'Content-Type': 'application/json', Origin: origin },
      body: JSON.stringify({ storeId, currency, amount }),
    })
    if (!answer.ok) return ['card']
    const { data } = (await answer.json()) as MethodOffer // as the contract has it
    return data.map(({ type }) => type)
  } catch {
    return ['card']
  }
}
