import type { Stripe } from 'stripe'
import type { AuthorisationOutcome } from '../driver.ts'
import { outcomeOfIntent } from './outcome-of-intent.ts'
import { ask } from './stripe-errors.ts'

/**
 * Where an intent stands, after which it stands there for good: one that has not seen a card is cancelled.
 *
 * @throws While Stripe does not know, or somebody else is at work on the intent.
 */
export async function settleIntent(
  intentId: string,
  client: Stripe,
): Promise<AuthorisationOutcome | { outcome: 'not_found' }> {
  const outcome = outcomeOfIntent(await ask(client.paymentIntents.retrieve(intentId)))
  if (outcome.outcome === 'canceled') return { outcome: 'not_found' }
  if (outcome.outcome !== 'untouched') return outcome
  // Where the card has arrived meanwhile Stripe refuses this, and whoever asks again is told what came of it.
  await ask(client.paymentIntents.cancel(intentId))
  return { outcome: 'not_found' }
}
