import { Stripe } from 'stripe'
import type { Clock } from '../../../ambient/clock.ts'
import type { AttemptFacts, Driver } from '../driver.ts'
import { authorise } from './authorise.ts'
import { ATTEMPT, createIntent } from './create-intent.ts'
import { followUp } from './follow-up.ts'
import { settleIntent } from './settle-intent.ts'
import { stripeAmount } from './stripe-amount.ts'
import { ask, noAnswer } from './stripe-errors.ts'

/** Stripe keeps idempotency keys for at least 24 hours. An hour less leaves room for clocks that differ. */
const KEYS_LAST_MS = 23 * 60 * 60 * 1_000

/**
 * Charges cards through Stripe. An attempt is a payment intent that is created without a card, under the attempt's id as
 * the idempotency key, and confirmed with one in a second request. Creating it is harmless, so it can be repeated to find
 * the intent again, without a card and without the delay of Stripe's search; and an intent that has not seen a card can
 * be cancelled, after which Stripe takes no money for it whatever arrives.
 */
export function stripeDriver(client: Stripe, clock: Clock): Driver {
  return {
    authorise: (authorisation) => authorise(authorisation, client),
    capture: (capture) => followUp('capture', capture, client),
    refund: (refund) => followUp('refund', refund, client),
    void: (voiding) => followUp('void', { ...voiding, amount: 0, currency: '' }, client),
    async query(facts) {
      const intent = await findIntent(facts, { client, clock })
      return intent === null ? { outcome: 'not_found' } : settleIntent(intent.id, client)
    },
  }
}

async function findIntent(
  facts: AttemptFacts,
  { client, clock }: { client: Stripe; clock: Clock },
): Promise<Stripe.PaymentIntent | null> {
  if (stripeAmount(facts.amount, facts.currency) === null) return null
  if (clock.now() - facts.startedAtMs < KEYS_LAST_MS) return createAgain(facts, client)
  const query = `metadata['${ATTEMPT}']:'${facts.attemptId}'`
  const { data } = await ask(client.paymentIntents.search({ query, limit: 1 }))
  return data[0] ?? null
}

/** What Stripe finds wrong with an intent it found wrong at first too, so that there is none. */
async function createAgain(facts: AttemptFacts, client: Stripe): Promise<Stripe.PaymentIntent | null> {
  try {
    return await createIntent(facts, client)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
    throw noAnswer(error)
  }
}
