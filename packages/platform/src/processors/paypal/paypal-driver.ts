import type { Order, OrderStatus } from '@paypal/paypal-server-sdk'
import type { Clock } from '../../runtime/index.ts'
import {
  type AttemptFacts,
  type Authorisation,
  type AuthorisationOutcome,
  declined,
  notBegun,
} from '../authorisation.ts'
import { type Driver, postAuthorizations, type Query, type QueryOutcome } from '../driver.ts'
import { ProcessorError, refusalOf } from '../processor-error.ts'
import { SENT_WITHIN_MS, sentInTime } from '../time-limit.ts'
import { paypalMoney } from './amounts.ts'
import { ask, type PayPalClient } from './client.ts'
import { isDecline, paypalDecline } from './declines.ts'
import { modify } from './modifications.ts'
import { APPROVED_WITHIN_MS, type Leaving, orderOf, outcomeOfPaid, redirectTo } from './orders.ts'

/** Where a driver's requests go, and by which clock. */
export interface PayPalPlace {
  client: PayPalClient
  clock: Clock
}

/** All of an order, instead of its id alone. */
const ALL = 'return=representation'

/**
 * Takes payments through PayPal. An attempt is an order, which is on record here before the buyer is led to it. What a
 * buyer has approved PayPal keeps, and takes nothing until it is asked to: that is done by `query`, whatever causes it
 * (the buyer who comes back, PayPal's event, or recovery), so that a buyer who never comes back has paid all the same.
 */
export function paypalDriver(place: PayPalPlace): Driver {
  const { client } = place
  return {
    authorise: (authorisation) => sentInTime(authorisation, place.clock, () => authorise(authorisation, client)),
    ...postAuthorizations((wanted) => modify(wanted, client)),
    query: (query) => queryAttempt(query, place),
  }
}

async function authorise(authorisation: Authorisation, client: PayPalClient): Promise<AuthorisationOutcome> {
  const { method, returnUrl, buyer, orderId } = authorisation
  if (method.type !== 'redirect' || method.method !== 'paypal' || returnUrl === null) {
    return notBegun('PayPal takes nothing but its own payments.')
  }
  try {
    return await createOrder(authorisation, { returnUrl, email: buyer.email, orderId }, client)
  } catch (error) {
    return notBegun(`PayPal did not begin: ${refusalOf(error).describe()}.`)
  }
}

async function createOrder(
  facts: AttemptFacts,
  leaving: Leaving,
  { orders }: PayPalClient,
): Promise<AuthorisationOutcome> {
  const amount = paypalMoney(facts.amount, facts.currency)
  if (amount === null) return notBegun(`PayPal cannot write ${facts.amount} in ${facts.currency}.`)
  const body = orderOf(facts, amount, leaving)
  const order = await ask(orders.createOrder({ body, paypalRequestId: facts.attemptId, prefer: ALL }))
  return redirectTo(order, facts)
}

/**
 * Without the order's id the buyer was led nowhere, so that nothing can have been approved: the attempt has not begun.
 * An order that PayPal may have made all the same is never captured.
 */
async function queryAttempt(query: Query, { client, clock }: PayPalPlace): Promise<QueryOutcome> {
  const { reference } = query
  if (reference === null) {
    const mayArrive = clock.now() - query.startedAtMs <= SENT_WITHIN_MS
    return { outcome: mayArrive ? 'not_known_yet' : 'not_found' }
  }
  const isOver = query.hasEnded || clock.now() - query.startedAtMs >= APPROVED_WITHIN_MS
  const order = await ask(client.orders.getOrder({ id: reference })).catch(absent)
  return order === null ? expired(reference) : resolveOrder(order, { query, reference, isOver }, client)
}

function absent(error: unknown): null {
  if (error instanceof ProcessorError && error.status === NOT_FOUND) return null
  throw error
}

const NOT_FOUND = 404

interface Resolving {
  query: Query
  reference: string
  /** Whether the buyer's time is up, or the payment has ended. */
  isOver: boolean
}

async function resolveOrder(
  order: Order,
  { query, reference, isOver }: Resolving,
  client: PayPalClient,
): Promise<QueryOutcome> {
  const status: `${OrderStatus}` | undefined = order.status
  switch (status) {
    case 'COMPLETED':
      return outcomeOfPaid(order, query) ?? { outcome: 'not_known_yet' }
    case 'APPROVED':
      return isOver ? expired(reference) : take(query, reference, client)
    case 'VOIDED':
      return declined('buyer_canceled', { reference })
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      if (isOver) return expired(reference)
      return hasCanceled(query) ? declined('buyer_canceled', { reference }) : { outcome: 'not_known_yet' }
    case undefined:
      throw new Error(`PayPal does not say where its order ${reference} stands.`)
  }
}

/** Whether PayPal has sent the buyer back without an approval: then there is the order's id without a payer's. */
function hasCanceled({ returned, reference }: Query): boolean {
  if (returned === null) return false
  const { token, PayerID } = returned
  return token === reference && PayerID === undefined
}

function expired(reference: string): AuthorisationOutcome {
  return declined('payment_expired', { reference })
}

/** Takes the money of an order that was approved, or sets it aside. Repeated, it answers what was taken the first time. */
async function take(query: Query, id: string, { orders }: PayPalClient): Promise<QueryOutcome> {
  const asked = { id, paypalRequestId: `${query.attemptId}-take`, prefer: ALL }
  try {
    const order =
      query.capture === 'now' ? await ask(orders.captureOrder(asked)) : await ask(orders.authorizeOrder(asked))
    return outcomeOfPaid(order, query) ?? { outcome: 'not_known_yet' }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.has('ORDER_ALREADY_CAPTURED', 'ORDER_ALREADY_AUTHORIZED')) {
      const order = await ask(orders.getOrder({ id }))
      return outcomeOfPaid(order, query) ?? { outcome: 'not_known_yet' }
    }
    if (refusal.has('ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED')) return { outcome: 'not_known_yet' }
    if (isDecline(refusal.codes)) return paypalDecline(refusal.codes, { reference: id })
    throw error
  }
}
