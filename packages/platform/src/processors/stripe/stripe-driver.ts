import { Stripe } from 'stripe'
import type { Clock } from '../../runtime/index.ts'
import type { DisputeEvidence } from '@tillwright/contract'
import type { AttemptFacts } from '../authorisation.ts'
import {
  type Capture,
  type Driver,
  type Evidence,
  type EvidenceOutcome,
  type PostAuthorization,
  type PostAuthorizationOutcome,
  type PostAuthorizationRefusal,
  postAuthorizations,
  refused,
  unavailable,
  type Void,
} from '../driver.ts'
import type { SecretCheck } from '../processor-driver.ts'
import { stripeAmounts } from './amounts.ts'
import { ATTEMPT, authorise, createIntent, type Intent, resolveIntent } from './authorize.ts'
import { ask, describe, isUncertain, noAnswer } from './errors.ts'
import { refund } from './refunds.ts'

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
    ...postAuthorizations((wanted) => postAuthorization(wanted, client)),
    submitEvidence: (evidence) => submitEvidence(evidence, client),
    async query(facts) {
      const intent = await findIntent(facts, { client, clock })
      return intent === null ? { outcome: 'not_found' } : resolveIntent(intent.id, client)
    },
  }
}

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

async function findIntent(
  facts: AttemptFacts,
  { client, clock }: { client: Stripe; clock: Clock },
): Promise<Intent | null> {
  if (stripeAmounts.write(facts.amount, facts.currency) === null) return null
  if (clock.now() - facts.startedAtMs < KEYS_LAST_MS) return createAgain(facts, client)
  if (facts.amount === 0) return null // setup intents cannot be searched for, and take no money
  const query = `metadata['${ATTEMPT}']:'${facts.attemptId}'`
  const { data } = await ask(client.paymentIntents.search({ query, limit: 1 }))
  return data[0] ?? null
}

/**
 * Resolves with `null` where Stripe rejects the intent as invalid: it did so the first time too, and never created one.
 */
async function createAgain(facts: AttemptFacts, client: Stripe): Promise<Intent | null> {
  try {
    return await createIntent(facts, client)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
    throw noAnswer(error)
  }
}

/** Captures, refunds or voids. Each is repeated under its id when its outcome is not known. */
async function postAuthorization(wanted: PostAuthorization, client: Stripe): Promise<PostAuthorizationOutcome> {
  const amount = stripeAmounts.write(wanted.amount, wanted.currency)
  if (amount === null) return refused('unsupported_amount')
  try {
    return await sendPostAuthorization(wanted, amount, client)
  } catch (error) {
    return afterFailedPostAuthorization(error, { kind: wanted.kind, amount, reference: wanted.reference }, client)
  }
}

/** @param amount As Stripe writes it. */
async function sendPostAuthorization(
  wanted: PostAuthorization,
  amount: number,
  client: Stripe,
): Promise<PostAuthorizationOutcome> {
  switch (wanted.kind) {
    case 'capture':
      return capture(wanted, amount, client)
    case 'void':
      return giveUp(wanted, client)
    case 'refund':
      return refund(wanted, amount, client)
  }
}

/**
 * Captures, unless it was done under this id: the payment intent tells of those, because the answer to a capture may have
 * been lost for longer than Stripe keeps keys.
 */
async function capture(
  { id, reference, isFinal }: Capture,
  amount: number,
  { paymentIntents }: Stripe,
): Promise<PostAuthorizationOutcome> {
  const intent = await paymentIntents.retrieve(reference)
  if (intent.metadata[id] !== undefined) return succeeded(intent)
  // Stripe takes the word for the last where it has not made more of them possible.
  const wanted = { amount_to_capture: amount, ...(!isFinal && { final_capture: false }), ...doneAs(id, 'capture') }
  return succeeded(await paymentIntents.capture(reference, wanted, { idempotencyKey: id }))
}

/** The metadata by which a payment intent tells what was done to it. */
function doneAs(id: string, kind: 'capture' | 'void') {
  return { metadata: { [id]: kind } }
}

/** Voids what is left. An intent captured in part cannot be cancelled: a final capture of 0 releases the rest. */
async function giveUp({ id, reference }: Void, { paymentIntents }: Stripe): Promise<PostAuthorizationOutcome> {
  const intent = await paymentIntents.retrieve(reference)
  const { status, amount_received: captured, metadata } = intent
  if (metadata[id] !== undefined) return succeeded(intent)
  const options = { idempotencyKey: id }
  if (status === 'requires_capture' && captured > 0) {
    const rest = { amount_to_capture: 0, final_capture: true, ...doneAs(id, 'void') }
    return succeeded(await paymentIntents.capture(reference, rest, options))
  }
  return succeeded(await paymentIntents.cancel(reference, {}, options))
}

function succeeded({ id }: { id: string }): PostAuthorizationOutcome {
  return { outcome: 'succeeded', reference: id }
}

interface Refused {
  kind: PostAuthorization['kind']
  /** As Stripe writes it. */
  amount: number
  reference: string
}

async function afterFailedPostAuthorization(
  error: unknown,
  { kind, amount, reference }: Refused,
  client: Stripe,
): Promise<PostAuthorizationOutcome> {
  if (!(error instanceof Stripe.errors.StripeError) || isUncertain(error)) throw noAnswer(error)
  // The answer to a repetition: the request before it may have been executed.
  if (error instanceof Stripe.errors.StripeRateLimitError) throw noAnswer(error)
  if (error.code === 'resource_missing') return refused('unknown_reference')
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return unavailable(describe(error))
  const intent = await ask(client.paymentIntents.retrieve(reference, { expand: ['latest_charge'] }))
  return refused(whyRefused(kind, amount, intent))
}

/**
 * Why Stripe refuses a capture, refund or void: reckoned from the payment intent, because its errors do not always say.
 *
 * @param amount As Stripe writes it.
 * @param intent With its `latest_charge`.
 */
function whyRefused(
  kind: PostAuthorization['kind'],
  amount: number,
  intent: Stripe.PaymentIntent,
): PostAuthorizationRefusal {
  switch (kind) {
    case 'capture':
      return intent.status === 'requires_capture' && amount > intent.amount_capturable
        ? 'amount_too_large'
        : 'wrong_state'
    case 'refund':
      return amount > intent.amount_received - refundedOf(intent) ? 'amount_too_large' : 'wrong_state'
    case 'void':
      return 'wrong_state'
  }
}

function refundedOf({ latest_charge: charge }: Stripe.PaymentIntent): number {
  return charge === null || typeof charge === 'string' ? 0 : charge.amount_refunded
}

/** Submits evidence at once. Stripe takes an update for the whole of it, so that a repetition changes nothing. */
async function submitEvidence({ id, reference, evidence }: Evidence, client: Stripe): Promise<EvidenceOutcome> {
  try {
    await client.disputes.update(reference, { evidence: stripeEvidence(evidence) }, { idempotencyKey: id })
    return { outcome: 'submitted' }
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError) || isUncertain(error)) throw noAnswer(error)
    if (error.code === 'resource_missing') return { outcome: 'refused', reason: 'unknown_reference' }
    // Stripe answers `invalid_request` for a dispute that is closed, or whose deadline is over.
    const isInvalid = error instanceof Stripe.errors.StripeInvalidRequestError
    return { outcome: 'refused', reason: isInvalid ? 'too_late' : 'unavailable' }
  }
}

function stripeEvidence(evidence: DisputeEvidence): Stripe.DisputeUpdateParams.Evidence {
  const texts = Object.entries(evidence).flatMap(
    ([name, text]) => (text === undefined ? [] : [[evidenceFields[name as keyof DisputeEvidence], text]]), // the entries of the type itself
  )
  return Object.fromEntries(texts)
}

/** Stripe's name of each text. Source: Stripe, "The Dispute object", evidence. */
const evidenceFields: Record<keyof DisputeEvidence, keyof Stripe.DisputeUpdateParams.Evidence> = {
  productDescription: 'product_description',
  customerName: 'customer_name',
  customerEmail: 'customer_email_address',
  customerPurchaseIp: 'customer_purchase_ip',
  billingAddress: 'billing_address',
  shippingAddress: 'shipping_address',
  shippingCarrier: 'shipping_carrier',
  shippingTrackingNumber: 'shipping_tracking_number',
  shippingDate: 'shipping_date',
  serviceDate: 'service_date',
  refundPolicyDisclosure: 'refund_policy_disclosure',
  refundRefusalExplanation: 'refund_refusal_explanation',
  cancellationPolicyDisclosure: 'cancellation_policy_disclosure',
  cancellationRebuttal: 'cancellation_rebuttal',
  accessActivityLog: 'access_activity_log',
  uncategorizedText: 'uncategorized_text',
}
