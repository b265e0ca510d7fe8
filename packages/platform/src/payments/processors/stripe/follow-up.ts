import { Stripe } from 'stripe'
import type { Capture, FollowUpOutcome } from '../driver.ts'
import { stripeAmount } from './stripe-amount.ts'
import { ask, isUncertain, noAnswer } from './stripe-errors.ts'
import { whyRefused } from './why-refused.ts'

type FollowUp = 'capture' | 'refund' | 'void'

/** Captures, refunds or voids. Each is repeated under its id when its outcome is not known. */
export async function followUp(kind: FollowUp, sent: Capture, client: Stripe): Promise<FollowUpOutcome> {
  const amount = stripeAmount(sent.amount, sent.currency)
  if (amount === null) return { outcome: 'refused', reason: 'unsupported_amount' }
  try {
    return await sendFollowUp(kind, { ...sent, amount }, client)
  } catch (error) {
    return afterFailedFollowUp(error, { kind, amount, reference: sent.reference }, client)
  }
}

async function sendFollowUp(
  kind: FollowUp,
  { id, reference, amount }: Capture,
  client: Stripe,
): Promise<FollowUpOutcome> {
  const { paymentIntents, refunds } = client
  const options = { idempotencyKey: id }
  switch (kind) {
    case 'capture':
      return succeeded(await paymentIntents.capture(reference, { amount_to_capture: amount }, options))
    case 'void':
      return succeeded(await paymentIntents.cancel(reference, {}, options))
    case 'refund': {
      // Stripe takes the refund of what was not captured for a void.
      const { amount_received: captured } = await paymentIntents.retrieve(reference)
      if (captured === 0) return { outcome: 'refused', reason: 'wrong_state' }
      return succeeded(await refunds.create({ payment_intent: reference, amount }, options))
    }
  }
}

function succeeded({ id }: { id: string }): FollowUpOutcome {
  return { outcome: 'succeeded', reference: id }
}

interface Refused {
  kind: FollowUp
  /** As Stripe writes it. */
  amount: number
  reference: string
}

async function afterFailedFollowUp(
  error: unknown,
  { kind, amount, reference }: Refused,
  client: Stripe,
): Promise<FollowUpOutcome> {
  if (!(error instanceof Stripe.errors.StripeError) || isUncertain(error)) throw noAnswer(error)
  if (error.code === 'resource_missing') return { outcome: 'refused', reason: 'unknown_reference' }
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return { outcome: 'refused', reason: 'unavailable' }
  const intent = await ask(client.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }))
  return { outcome: 'refused', reason: whyRefused(kind, amount, intent) }
}
