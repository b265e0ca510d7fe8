import type { Stripe } from 'stripe'
import { cardDecline, wantsThreeds, WRONG_NUMBER } from './stripe-cards.ts'

/** A form as Stripe's clients encode it, by flat names such as `card[number]`. */
export type Form = ReadonlyMap<string, string>

/** An answer of Stripe's API. */
export interface StripeAnswer {
  status: number
  body: unknown
}

/** The stored part of a payment intent, in the shape of the API. */
export interface Intent {
  id: string
  object: 'payment_intent'
  amount: number
  amount_capturable: number
  amount_received: number
  capture_method: string
  currency: string
  last_payment_error: Pick<Failure, 'type' | 'code' | 'decline_code' | 'message'> | null
  latest_charge: {
    id: string
    object: 'charge'
    amount_refunded: number
    payment_method_details: { card: { network_transaction_id: string } }
  } | null
  livemode: false
  metadata: Record<string, string>
  payment_method: string | null
  statement_descriptor_suffix: string | null
  status: Exclude<Stripe.PaymentIntent['status'], 'processing'>
}

type Failure = NonNullable<Stripe.PaymentIntent['last_payment_error']>

/** The books behind Stripe's stand-in: payment intents and cards, in memory. */
export interface StripeBooks {
  intents: Map<string, Intent>
  setups: Map<string, SetupIntent>
  /** Card numbers by the ids of their payment methods. */
  cards: Map<string, string>
  refunds: BookedRefund[]
  /** The money at Stripe from which refunds are paid, each by itself; those above it are pending. */
  balance: number
  /** Added by tests: Stripe has no request that opens a dispute. */
  disputes: Map<string, BookedDispute>
}

/** The stored part of a setup intent, in the shape of the API. */
export interface SetupIntent {
  id: string
  object: 'setup_intent'
  last_setup_error: Pick<Failure, 'type' | 'code' | 'decline_code' | 'message'> | null
  livemode: false
  metadata: Record<string, string>
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
}

/** A refund, requested through this API or elsewhere. */
export type BookedRefund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'currency' | 'status'> & {
  metadata?: Record<string, string>
  payment_intent: string
}

/** A dispute with the id of its payment intent. The API answers all of it. */
export type BookedDispute = Pick<Stripe.Dispute, 'id' | 'amount' | 'currency' | 'reason' | 'status'> & {
  payment_intent: string
  evidence_details: Pick<Stripe.Dispute.EvidenceDetails, 'due_by'>
  /** The form as sent, by flat names. */
  evidence?: Record<string, string>
}

/** Empty books. */
export function stripeBooks(): StripeBooks {
  return {
    intents: new Map(),
    setups: new Map(),
    cards: new Map(),
    refunds: [],
    balance: Infinity,
    disputes: new Map(),
  }
}

/** The smallest charge in US dollars. */
const SMALLEST = 50

/** Executes a request. Refusals have the status, type and code that Stripe documents. */
export function answerFrom(books: StripeBooks, { method, path, form }: StripeCall): StripeAnswer {
  const [resource, id = '', action] = path.split('/')
  if (method === 'POST' && resource === 'payment_methods') return createMethod(books, form)
  if (method === 'POST' && resource === 'refunds') return refund(books, form)
  if (method === 'GET' && resource === 'refunds') return id === '' ? listRefunds(books, form) : findRefund(books, id)
  if (resource === 'disputes') return method === 'GET' ? findDispute(books, id) : takeEvidence(books, id, form)
  if (resource === 'setup_intents') return answerSetup(books, { method, path, form })
  if (method === 'POST' && id === '') return createIntent(books, form)
  if (method === 'GET' && (id === '' || id === 'search')) return list(books, form)
  const intent = books.intents.get(id)
  if (intent === undefined) return missing('intent')
  switch (`${method} ${action ?? ''}`) {
    case 'GET ':
      return ok(intent)
    case 'POST confirm':
      return confirm(intent, form, books)
    case 'POST capture':
      return capture(intent, form)
    case 'POST cancel':
      return cancel(intent)
    default:
      throw new Error(`Nobody stands in for ${method} ${path}.`)
  }
}

/** A request to Stripe's API. */
export interface StripeCall {
  method: string
  /** Without `/v1/`. */
  path: string
  form: Form
}

function createIntent({ intents }: StripeBooks, form: Form): StripeAnswer {
  const amount = Number(form.get('amount'))
  if (form.get('currency') === 'usd' && amount < SMALLEST) return invalid('amount_too_small', 'amount')
  const intent: Intent = {
    id: idOf('pi', intents.size),
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: form.get('capture_method') ?? 'automatic',
    currency: form.get('currency') ?? '',
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: { attempt: form.get('metadata[attempt]') ?? '' },
    payment_method: null,
    statement_descriptor_suffix: form.get('statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
  }
  intents.set(intent.id, intent)
  return ok(intent)
}

function answerSetup({ setups, cards }: StripeBooks, { method, path, form }: StripeCall): StripeAnswer {
  const [, id = '', action] = path.split('/')
  if (id === '') return ok(newSetup(setups, form))
  const setup = setups.get(id)
  if (setup === undefined) return missing('setup_intent')
  if (method === 'GET') return ok(setup)
  if (setup.status !== 'requires_payment_method') return invalid('setup_intent_unexpected_state', 'intent')
  if (action === 'cancel') return ok(Object.assign(setup, { status: 'canceled' }))
  const number = cards.get(form.get('payment_method') ?? '') ?? ''
  if (wantsThreeds(number) && !isProof(form)) return ok(Object.assign(setup, { status: 'requires_action' }))
  const decline = cardDecline(number)
  if (decline !== null) {
    setup.last_setup_error = { type: 'card_error', ...decline, message: 'Your card was declined.' }
    return cardError(decline)
  }
  return ok(Object.assign(setup, { status: 'succeeded', payment_method: form.get('payment_method') }))
}

function newSetup(setups: StripeBooks['setups'], form: Form): SetupIntent {
  const setup: SetupIntent = {
    id: idOf('seti', setups.size),
    object: 'setup_intent',
    last_setup_error: null,
    livemode: false,
    metadata: { attempt: form.get('metadata[attempt]') ?? '' },
    payment_method: null,
    status: 'requires_payment_method',
  }
  setups.set(setup.id, setup)
  return setup
}

function createMethod({ cards }: StripeBooks, form: Form): StripeAnswer {
  const number = form.get('card[number]') ?? ''
  if (number === WRONG_NUMBER) return cardError({ code: 'incorrect_number', decline_code: 'incorrect_number' })
  const id = idOf('pm', cards.size)
  cards.set(id, number)
  return ok({ id, object: 'payment_method', type: 'card' })
}

function confirm(intent: Intent, form: Form, { cards }: StripeBooks): StripeAnswer {
  const number = cards.get(form.get('payment_method') ?? '')
  if (number === undefined) return missing('payment_method')
  if (intent.status !== 'requires_payment_method') return wrongState(intent)
  if (wantsThreeds(number) && !isProof(form)) {
    return fail(intent, { code: 'authentication_required', decline_code: 'authentication_required' })
  }
  const decline = cardDecline(number)
  if (decline !== null) return fail(intent, decline)
  intent.payment_method = form.get('payment_method') ?? null
  const isTaken = intent.capture_method === 'automatic'
  intent.latest_charge = {
    id: intent.id.replace('pi', 'ch'),
    object: 'charge',
    amount_refunded: 0,
    payment_method_details: { card: { network_transaction_id: intent.id.slice(-15) } },
  }
  intent.status = isTaken ? 'succeeded' : 'requires_capture'
  intent.amount_received = isTaken ? intent.amount : 0
  intent.amount_capturable = isTaken ? 0 : intent.amount
  return ok(intent)
}

function capture(intent: Intent, form: Form): StripeAnswer {
  const amount = Number(form.get('amount_to_capture') ?? intent.amount_capturable)
  if (intent.status !== 'requires_capture') return wrongState(intent)
  if (amount > intent.amount_capturable) return invalid('amount_too_large', 'amount_to_capture')
  const left = form.get('final_capture') === 'false' ? intent.amount_capturable - amount : null
  if (left === null) intent.status = 'succeeded'
  Object.assign(intent, { amount_received: intent.amount_received + amount, amount_capturable: left ?? 0 })
  for (const [field, value] of form) if (field.startsWith('metadata[')) intent.metadata[field.slice(9, -1)] = value
  return ok(intent)
}

function cancel(intent: Intent): StripeAnswer {
  if (intent.status === 'succeeded' || intent.status === 'canceled') return wrongState(intent)
  Object.assign(intent, { status: 'canceled', amount_capturable: 0 })
  return ok(intent)
}

function listRefunds({ refunds }: StripeBooks, form: Form): StripeAnswer {
  const data = refunds.filter((each) => each.payment_intent === form.get('payment_intent'))
  return ok({ object: 'list', data, has_more: false, url: '/v1/refunds' })
}

function findRefund({ refunds }: StripeBooks, id: string): StripeAnswer {
  const found = refunds.find((each) => each.id === id)
  return found === undefined ? missing('refund') : ok(found)
}

function findDispute({ disputes, intents }: StripeBooks, id: string): StripeAnswer {
  const dispute = disputes.get(id)
  if (dispute === undefined) return missing('dispute')
  return ok({ object: 'dispute', ...dispute, payment_intent: intents.get(dispute.payment_intent) })
}

function takeEvidence(books: StripeBooks, id: string, form: Form): StripeAnswer {
  const dispute = books.disputes.get(id)
  if (dispute === undefined) return missing('dispute')
  if (dispute.status !== 'needs_response') return invalid(undefined, 'evidence')
  dispute.evidence = Object.fromEntries([...form].filter(([name]) => name.startsWith('evidence[')))
  return findDispute(books, id)
}

function refund({ intents, refunds, balance }: StripeBooks, form: Form): StripeAnswer {
  const intent = intents.get(form.get('payment_intent') ?? '')
  if (intent === undefined) return missing('payment_intent')
  const { latest_charge: charge, amount_received: received } = intent
  if (charge === null) return wrongState(intent)
  if (received === 0) return cancel(intent)
  const amount = Number(form.get('amount') ?? received)
  if (charge.amount_refunded === received) return invalid('charge_already_refunded', 'charge')
  if (amount > received - charge.amount_refunded) return invalid(undefined, 'amount')
  charge.amount_refunded += amount
  const id = idOf('re', refunds.length)
  const { currency } = intent
  const status = amount > balance ? 'pending' : 'succeeded'
  const metadata = { refund: form.get('metadata[refund]') ?? '' }
  const made: BookedRefund = { id, object: 'refund', amount, currency, payment_intent: intent.id, status, metadata }
  refunds.push(made)
  return ok(made)
}

function list({ intents }: StripeBooks, form: Form): StripeAnswer {
  const attempt = /^metadata\['attempt'\]:'(\w+)'$/.exec(form.get('query') ?? '')?.[1]
  const data = [...intents.values()].filter((each) => attempt === undefined || each.metadata['attempt'] === attempt)
  return ok({ object: 'search_result', data, has_more: false, next_page: null, url: '/v1/payment_intents/search' })
}

function idOf(prefix: string, number: number): string {
  return `${prefix}_${String(number).padStart(24, '0')}`
}

function isProof(form: Form): boolean {
  const proof = (name: string) => form.get(`payment_method_options[card][three_d_secure][${name}]`) ?? ''
  return (
    proof('cryptogram').length === 28 &&
    /^[0-9a-f-]{36}$/.test(proof('transaction_id')) &&
    /^2\.\d\.\d$/.test(proof('version')) &&
    /^0\d$/.test(proof('electronic_commerce_indicator'))
  )
}

function ok(body: unknown): StripeAnswer {
  return { status: 200, body }
}

type CardFailure = Pick<Failure, 'code' | 'decline_code'>

function fail(intent: Intent, failure: CardFailure): StripeAnswer {
  intent.last_payment_error = { type: 'card_error', ...failure, message: 'Your card was declined.' }
  return cardError(failure, intent)
}

function cardError(failure: CardFailure, intent?: Intent): StripeAnswer {
  const error = { type: 'card_error', ...failure, message: 'Your card was declined.', payment_intent: intent }
  return { status: 402, body: { error } }
}

function invalid(code: string | undefined, param: string): StripeAnswer {
  return { status: 400, body: { error: { type: 'invalid_request_error', code, param, message: `Invalid ${param}.` } } }
}

function missing(param: string): StripeAnswer {
  const message = `No such ${param}.`
  return { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing', param, message } } }
}

function wrongState(intent: Intent): StripeAnswer {
  const message = `This PaymentIntent's status is ${intent.status}.`
  const code = 'payment_intent_unexpected_state'
  return { status: 400, body: { error: { type: 'invalid_request_error', code, message, payment_intent: intent } } }
}
