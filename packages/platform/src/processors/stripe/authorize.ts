import { Stripe } from 'stripe'
import type {
  AttemptFacts,
  Authorisation,
  AuthorisationOutcome,
  CardToken,
  PresentedCard,
  StoredCredential,
} from '../driver.ts'
import { stripeAmount } from './amounts.ts'
import { stripeDecline } from './declines.ts'
import { ask, describe, isTaken, isUncertain, noAnswer } from './errors.ts'

/**
 * Charges a card, or verifies one where there is nothing to pay: the intent and the card are created side by side, and the one is
 * confirmed with the other.
 */
export async function authorise(authorisation: Authorisation, client: Stripe): Promise<AuthorisationOutcome> {
  const { attemptId, amount, currency, card } = authorisation
  if (stripeAmount(amount, currency) === null) return refused(`Stripe cannot write ${amount} in ${currency}.`)
  const [intent, method] = await Promise.allSettled([
    createIntent(authorisation, client),
    createMethod(card, attemptId, client),
  ])
  if (intent.status === 'rejected') return refusedIntent(intent.reason)
  const { id } = intent.value
  if (method.status === 'rejected') return afterFailure(method.reason, id, client)
  try {
    return await confirmIntent(id, method.value.id, { authorisation, client })
  } catch (error) {
    return afterFailure(error, id, client)
  }
}

function createMethod(card: PresentedCard, attemptId: string, client: Stripe): Promise<Stripe.PaymentMethod> {
  const { number, expMonth, expYear, cvc } = card
  return client.paymentMethods.create(
    { type: 'card', card: { number, exp_month: expMonth, exp_year: expYear, ...(cvc !== null && { cvc }) } },
    { idempotencyKey: `${attemptId}-card` },
  )
}

interface Confirming {
  authorisation: Authorisation
  client: Stripe
}

async function confirmIntent(
  intentId: string,
  methodId: string,
  { authorisation: { attemptId, amount, network, threeds, initiatedBy, storedCredential }, client }: Confirming,
): Promise<AuthorisationOutcome> {
  const proof = threeds && {
    cryptogram: threeds.authenticationValue,
    electronic_commerce_indicator: threeds.eci,
    transaction_id: threeds.dsTransactionId,
    version: threeds.version,
  }
  const card = {
    ...(network !== null && networks.has(network) && { network }),
    ...(proof !== null && { three_d_secure: proof }),
  }
  const options = { idempotencyKey: `${attemptId}-confirm` }
  if (amount === 0) {
    const sent = { payment_method: methodId, payment_method_options: { card } }
    return outcomeOrResolve(await client.setupIntents.confirm(intentId, sent, options), client)
  }
  const confirmed = await client.paymentIntents.confirm(
    intentId,
    {
      payment_method: methodId,
      ...(initiatedBy === 'merchant' && { off_session: chargeKinds[storedCredential?.reason ?? 'unscheduled'] }),
      ...(storedCredential?.use === 'first' && { setup_future_usage: usageOf(storedCredential) }),
      error_on_requires_action: true, // 3-D Secure is the platform's own business: Stripe shall not begin it
      payment_method_options: { card },
      expand: WITH_CHARGE,
    },
    options,
  )
  return outcomeOrResolve(confirmed, client)
}

async function outcomeOrResolve(confirmed: Intent, client: Stripe): Promise<AuthorisationOutcome> {
  const outcome = outcomeOfIntent(confirmed)
  if (outcome.outcome !== 'untouched' && outcome.outcome !== 'canceled') return outcome
  return resolve(confirmed.id, client)
}

/** What an attempt is at Stripe: a setup intent where there is nothing to pay. */
export type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * What Stripe calls a charge in the buyer's absence. It takes no network transaction id from a merchant who sends numbers
 * of cards; what it was told of the first payment it sends itself.
 */
const chargeKinds = { recurring: 'recurring', installment: 'recurring', unscheduled: 'one_off', cardholder: 'one_off' }

function usageOf({ reason }: StoredCredential): 'on_session' | 'off_session' {
  return reason === 'cardholder' ? 'on_session' : 'off_session'
}

/** The charge of an intent has the network's id. */
const WITH_CHARGE = ['latest_charge']

/** The networks that Stripe lets a merchant choose, in the vault's words, which are Stripe's too. */
const networks: ReadonlySet<string> = new Set([
  'amex',
  'cartes_bancaires',
  'diners',
  'discover',
  'jcb',
  'mastercard',
  'unionpay',
  'visa',
])

/** An intent that could not be created has seen no card. Only somebody else's use of the same key tells of another. */
function refusedIntent(error: unknown): AuthorisationOutcome {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (isTaken(error)) throw noAnswer(error)
  return refused(`Stripe did not begin: ${describe(error)}.`)
}

/** Resolves the outcome after a request with the card has failed: Stripe refused it, or it had been sent before. */
async function afterFailure(error: unknown, intentId: string, client: Stripe): Promise<AuthorisationOutcome> {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (error instanceof Stripe.errors.StripeCardError) return stripeDecline(error, intentId)
  if (isUncertain(error)) throw noAnswer(error)
  return resolve(intentId, client)
}

async function resolve(intentId: string, client: Stripe): Promise<AuthorisationOutcome> {
  const outcome = await settleIntent(intentId, client)
  return outcome.outcome === 'not_found' ? refused('Stripe did not take the card.') : outcome
}

function refused(reason: string): AuthorisationOutcome {
  return { outcome: 'refused_before_acceptance', reason }
}

/** The metadata key of an intent that holds the attempt's id. */
export const ATTEMPT = 'attempt'

/**
 * Creates the intent of an attempt, without a card. Repeating the request under the same key returns the intent
 * as it was first created.
 */
export function createIntent(facts: AttemptFacts, client: Stripe): Promise<Intent> {
  const { attemptId, amount, currency, capture, descriptor } = facts
  const metadata = { [ATTEMPT]: attemptId }
  if (amount === 0) {
    return client.setupIntents.create(
      { usage: 'off_session', allowed_payment_method_types: ['card'], metadata },
      { idempotencyKey: attemptId },
    )
  }
  return client.paymentIntents.create(
    {
      amount: stripeAmount(amount, currency) ?? amount,
      currency: currency.toLowerCase(),
      capture_method: capture === 'now' ? 'automatic' : 'manual',
      allowed_payment_method_types: ['card'],
      metadata,
      ...(descriptor !== null && { statement_descriptor_suffix: descriptor }),
    },
    { idempotencyKey: attemptId },
  )
}

/**
 * Where an intent stands, after which it stands there for good: one that has not seen a card is cancelled.
 *
 * @throws While Stripe does not know, or somebody else is at work on the intent.
 */
export async function settleIntent(
  intentId: string,
  client: Stripe,
): Promise<AuthorisationOutcome | { outcome: 'not_found' }> {
  const isSetup = intentId.startsWith(SETUP)
  const { paymentIntents, setupIntents } = client
  const found = isSetup ? setupIntents.retrieve(intentId) : paymentIntents.retrieve(intentId, { expand: WITH_CHARGE })
  const outcome = outcomeOfIntent(await ask<Intent>(found))
  if (outcome.outcome === 'canceled') return { outcome: 'not_found' }
  if (outcome.outcome !== 'untouched') return outcome
  // If the card has arrived in the meantime, Stripe refuses the cancellation and a later query returns the outcome.
  await ask<Intent>((isSetup ? setupIntents : paymentIntents).cancel(intentId))
  return { outcome: 'not_found' }
}

/** What the ids of setup intents begin with. */
const SETUP = 'seti_'

/** Where an intent stands: `untouched` has not seen a card yet, `canceled` never will again. */
export type IntentOutcome = AuthorisationOutcome | { outcome: 'untouched' } | { outcome: 'canceled' }

/**
 * The outcome of the attempt that an intent belongs to.
 *
 * @throws {Error} While Stripe does not know yet itself.
 */
function outcomeOfIntent(intent: Intent): IntentOutcome {
  const { id: reference, status } = intent
  const failure = intent.object === 'setup_intent' ? intent.last_setup_error : intent.last_payment_error
  const kept = { ...cardTokenOf(intent), ...networkIdOf(intent) }
  switch (status) {
    case 'succeeded':
      return { outcome: 'succeeded', reference, ...kept }
    case 'requires_capture':
      return { outcome: 'authorized', reference, ...kept }
    case 'requires_action':
      return { outcome: 'threeds_required', reference }
    case 'requires_payment_method':
    case 'requires_confirmation':
      return failure === null ? { outcome: 'untouched' } : stripeDecline(failure, reference)
    case 'canceled':
      return { outcome: 'canceled' }
    case 'processing': // which card payments skip
    default: // a status of tomorrow may mean anything
      throw new Error(`The intent ${reference} is ${status}; ask again later.`)
  }
}

/** The network's id, where it has answered with one and the charge was asked for. A setup intent shows none. */
function networkIdOf(intent: Intent): { networkTransactionId?: string } {
  if (intent.object === 'setup_intent') return {}
  const { latest_charge: charge } = intent
  const id = typeof charge === 'object' ? charge?.payment_method_details?.card?.network_transaction_id : null
  return id == null ? {} : { networkTransactionId: id }
}

/** A payment method that belongs to no customer of Stripe's can be used once. */
function cardTokenOf({ payment_method: method }: Intent): { cardToken?: CardToken } {
  const token = typeof method === 'string' ? method : method?.id
  return token === undefined ? {} : { cardToken: { token, status: 'used' } }
}
