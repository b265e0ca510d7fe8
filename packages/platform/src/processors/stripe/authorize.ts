import { Stripe } from 'stripe'
import type { AttemptChecks, AttemptFee, CheckResult } from '@tillwright/contract'
import {
  type Approved,
  type AttemptFacts,
  type AuthenticationResult,
  type Authorisation,
  type AuthorisationOutcome,
  type BuyerDetails,
  type CardToken,
  notBegun,
  type PresentedCard,
  type StoredCredential,
} from '../authorisation.ts'
import { stripeAmounts } from './amounts.ts'
import { stripeDecline } from './declines.ts'
import { ask, describe, isTaken, isUncertain, noAnswer } from './errors.ts'

/**
 * Charges a card, or verifies one where there is nothing to pay: the intent and the card are created side by side, and the one is
 * confirmed with the other.
 */
export async function authorise(authorisation: Authorisation, client: Stripe): Promise<AuthorisationOutcome> {
  const { amount, currency, method: charged } = authorisation
  if (stripeAmounts.write(amount, currency) === null) return notBegun(`Stripe cannot write ${amount} in ${currency}.`)
  if (charged.type !== 'card' || charged.card.kind !== 'number')
    return notBegun('Stripe is sent numbers of cards alone.')
  const [intent, method] = await Promise.allSettled([
    createIntent(authorisation, client),
    createMethod(charged.card, authorisation, client),
  ])
  if (intent.status === 'rejected') return refusedIntent(intent.reason)
  const { id } = intent.value
  if (method.status === 'rejected') return afterFailure(method.reason, id, client)
  try {
    return await confirmIntent(id, method.value.id, { authorisation, network: charged.network, client })
  } catch (error) {
    return afterFailure(error, id, client)
  }
}

function createMethod(
  { number, expMonth, expYear, cvc }: NumberedCard,
  { attemptId, buyer }: Authorisation,
  client: Stripe,
): Promise<Stripe.PaymentMethod> {
  const card = { number, exp_month: expMonth, exp_year: expYear, ...(cvc !== null && { cvc }) }
  const details = billingDetails(buyer)
  return client.paymentMethods.create(
    { type: 'card', card, ...(Object.keys(details).length > 0 && { billing_details: details }) },
    { idempotencyKey: `${attemptId}-card` },
  )
}

type NumberedCard = Extract<PresentedCard, { kind: 'number' }>

/** The buyer's details that issuers check, as far as known. */
function billingDetails({
  name,
  email,
  billingAddress,
}: BuyerDetails): Stripe.PaymentMethodCreateParams.BillingDetails {
  const { line1, line2, city, state, postalCode, country } = billingAddress ?? {}
  const address = definedOf({ line1, line2, city, state, postal_code: postalCode, country })
  return {
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    ...(Object.keys(address).length > 0 && { address }),
  }
}

function definedOf(fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

interface Confirming {
  authorisation: Authorisation
  /** The network that was chosen for the card, or `null`. */
  network: string | null
  client: Stripe
}

async function confirmIntent(
  intentId: string,
  methodId: string,
  { authorisation, network, client }: Confirming,
): Promise<AuthorisationOutcome> {
  const { attemptId, amount, capture, threeds, initiatedBy, storedCredential } = authorisation
  const proof = threeds && proofOf(threeds, network)
  const card = {
    ...(network !== null && networks.has(network) && { network }),
    ...(proof !== null && { three_d_secure: proof }),
  }
  const options = { idempotencyKey: `${attemptId}-confirm` }
  const several = capture === 'later' ? { request_multicapture: 'if_available' as const } : {}
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
      payment_method_options: { card: { ...card, ...several } },
      expand: WITH_CHARGE,
    },
    options,
  )
  return outcomeOrResolve(confirmed, client)
}

/** Source: Stripe, "Import 3D Secure results". */
function proofOf(threeds: AuthenticationResult, network: string | null) {
  const { authenticationStatus, challengePreference, score, cavvAlgorithm } = threeds
  const ofNetwork = network === 'cartes_bancaires' && cavvAlgorithm !== null
  return {
    ares_trans_status: authenticationStatus === 'D' ? 'C' : authenticationStatus, // Stripe knows no decoupled challenge
    cryptogram: threeds.authenticationValue,
    electronic_commerce_indicator: threeds.eci,
    transaction_id: threeds.dsTransactionId,
    version: threeds.version,
    ...(challengePreference !== null && { requestor_challenge_indicator: challengePreference }),
    ...(ofNetwork && {
      network_options: {
        cartes_bancaires: { cb_avalgo: cavvAlgorithm, ...(score !== null && { cb_score: Number(score) }) },
      },
    }),
  }
}

async function outcomeOrResolve(confirmed: Intent, client: Stripe): Promise<AuthorisationOutcome> {
  const outcome = outcomeOfIntent(confirmed)
  if (outcome.outcome !== 'untouched' && outcome.outcome !== 'canceled') return outcome
  return resolve(confirmed.id, client)
}

/** The intent of an attempt at Stripe: a setup intent if there is nothing to pay. */
export type Intent = Stripe.PaymentIntent | Stripe.SetupIntent

/**
 * Stripe's names of merchant-initiated charges. Stripe takes no network transaction id from merchants who send card
 * numbers: it keeps the id of the first payment itself.
 */
const chargeKinds = { recurring: 'recurring', installment: 'recurring', unscheduled: 'one_off', cardholder: 'one_off' }

function usageOf({ reason }: StoredCredential): 'on_session' | 'off_session' {
  return reason === 'cardholder' ? 'on_session' : 'off_session'
}

/** The charge of an intent has the network's id and the issuer's checks, its balance transaction Stripe's fee. */
const WITH_CHARGE = ['latest_charge.balance_transaction']

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

/** An intent that could not be created has seen no card, unless another request has used the same key. */
function refusedIntent(error: unknown): AuthorisationOutcome {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (isTaken(error)) throw noAnswer(error)
  return notBegun(`Stripe did not begin: ${describe(error)}.`)
}

/** Resolves the outcome after a request with the card has failed: Stripe refused it, or it had been sent before. */
async function afterFailure(error: unknown, intentId: string, client: Stripe): Promise<AuthorisationOutcome> {
  if (!(error instanceof Stripe.errors.StripeError)) throw error
  if (error instanceof Stripe.errors.StripeCardError) return stripeDecline(error, intentId)
  if (isUncertain(error)) throw noAnswer(error)
  return resolve(intentId, client)
}

async function resolve(intentId: string, client: Stripe): Promise<AuthorisationOutcome> {
  const outcome = await resolveIntent(intentId, client)
  return outcome.outcome === 'not_found' ? notBegun('Stripe did not take the card.') : outcome
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
      amount: stripeAmounts.write(amount, currency) ?? amount,
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
 * @throws While Stripe does not know the outcome, or another request is changing the intent.
 */
export async function resolveIntent(
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

/** The prefix of setup intents' ids. */
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
  const kept = { ...cardTokenOf(intent), ...chargeFactsOf(intent) }
  switch (status) {
    case 'succeeded':
      return { outcome: 'succeeded', reference, ...kept, ...capturedOf(intent) }
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

/** What was captured of an intent that was only authorised at first. */
function capturedOf(intent: Intent): Pick<Approved, 'captured'> {
  if (intent.object === 'setup_intent' || intent.capture_method !== 'manual') return {}
  return { captured: stripeAmounts.read(intent.amount_received, intent.currency.toUpperCase()) }
}

type ChargeFacts = Pick<Approved, 'networkTransactionId' | 'checks' | 'fee'>

/** The facts of the charge, if the request expanded it. A setup intent has none. */
function chargeFactsOf(intent: Intent): ChargeFacts {
  if (intent.object === 'setup_intent') return {}
  const { latest_charge: charge } = intent
  if (charge === null || typeof charge === 'string') return {}
  const { network_transaction_id: id, checks } = charge.payment_method_details?.card ?? {}
  const { balance_transaction: booked } = charge
  return {
    ...(id != null && { networkTransactionId: id }),
    ...(checks != null && { checks: checksOf(checks) }),
    ...(booked !== null && typeof booked === 'object' && { fee: feeOf(booked) }),
  }
}

function checksOf(checks: Stripe.Charge.PaymentMethodDetails.Card.Checks): AttemptChecks {
  const { cvc_check: cvc, address_postal_code_check: postalCode, address_line1_check: line } = checks
  return { cvc: checkOf(cvc), postalCode: checkOf(postalCode), addressLine: checkOf(line) }
}

function checkOf(result: string | null): CheckResult {
  return result === 'pass' || result === 'fail' || result === 'unavailable' ? result : 'unchecked'
}

function feeOf({ fee, currency }: Stripe.BalanceTransaction): AttemptFee {
  const code = currency.toUpperCase()
  return { amount: stripeAmounts.read(fee, code), currency: code }
}

/** A payment method that belongs to no customer of Stripe's can be used once. */
function cardTokenOf({ payment_method: method }: Intent): { cardToken?: CardToken } {
  const token = typeof method === 'string' ? method : method?.id
  return token === undefined ? {} : { cardToken: { token, status: 'used' } }
}
