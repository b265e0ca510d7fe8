import type { Payment } from '@tillwright/contract'

/** What the buyer's page needs to authenticate them; empty texts where the payment waits for nothing of the kind. */
export function threedsActionOf({ nextAction }: Pick<Payment, 'nextAction'>): {
  actionToken: string
  sessionId: string
} {
  return nextAction?.type === 'threeds_auth' ? nextAction : { actionToken: '', sessionId: '' }
}
