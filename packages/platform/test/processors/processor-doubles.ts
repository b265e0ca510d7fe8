import { createHmac } from 'node:crypto'
import { Stripe } from 'stripe'
import { adyen } from '../../src/processors/adyen/adyen.ts'
import { checkoutCom } from '../../src/processors/checkout-com/checkout-com.ts'
import { paypalClient } from '../../src/processors/paypal/client.ts'
import { readPayPalEvent } from '../../src/processors/paypal/events.ts'
import { paypal } from '../../src/processors/paypal/paypal.ts'
import type { ProcessorDriver } from '../../src/processors/processor-driver.ts'
import { stripe } from '../../src/processors/stripe/stripe.ts'
import { ADYEN_KEY, MERCHANT_ACCOUNT, startAdyenDouble } from './adyen/adyen-double.ts'
import { HMAC_KEY } from './adyen/adyen-notifications.ts'
import { CHANNEL, CHECKOUT_KEY, startCheckoutDouble } from './checkout-com/checkout-double.ts'
import { ca, leaf, paypalHeaders, root } from './paypal/paypal-certificates.ts'
import { type BookedOrder, CLIENT_ID, CLIENT_SECRET, startPayPalDouble } from './paypal/paypal-double.ts'
import type { StandIn } from './stand-in.ts'
import { DOUBLE_KEY, startStripeDouble } from './stripe/stripe-double.ts'

/** The amounts on a processor's books for an attempt, in minor units of a currency with two decimals. */
export interface Booked {
  attemptId: string
  captured: number
  refunded: number
  /** Whether the amount is authorized and none of it captured yet. */
  isHeld: boolean
}

/** An event in the shape of its processor. */
export interface SentEvent {
  body: string
  headers: Readonly<Record<string, string>>
}

/** A real processor's driver with a double whose books can be read. */
export interface ProcessorDouble extends Pick<StandIn, 'calls' | 'disturb' | 'stop'> {
  driver: ProcessorDriver
  settings: Readonly<Record<string, unknown>>
  secret: string
  /** The secret that events are signed with; at PayPal the webhook's id. */
  eventSecret: string
  booked(): readonly Booked[]
  /** The events since the last call, oldest first. Each is signed when it is sent, at a time in Unix milliseconds. */
  events(): readonly ((nowMs: number) => SentEvent)[]
  /** Has the buyer, or their bank, pay or refuse. Does nothing if the attempt waits for neither. */
  decide(attemptId: string, isPaid: boolean): Promise<void>
  /** The schema violations in the requests received so far. */
  problems: readonly string[]
}

/** Every real driver with its double. */
export const processorDoubles: Readonly<
  Record<'stripe' | 'adyen' | 'checkout' | 'paypal', () => Promise<ProcessorDouble>>
> = {
  stripe: openStripe,
  adyen: openAdyen,
  checkout: openCheckout,
  paypal: openPayPal,
}

const STRIPE_SECRET = 'whsec_0123456789abcdef0123'
const CHECKOUT_SIGNING_KEY = 'a-key-of-the-merchants'

async function openStripe(): Promise<ProcessorDouble> {
  const { books, calls, disturb, stop, url } = await startStripeDouble()
  const { webhooks } = new Stripe(DOUBLE_KEY)
  const changed = changes(() => books.intents.values())
  return {
    calls,
    disturb,
    stop,
    driver: stripe,
    settings: { apiUrl: url },
    secret: DOUBLE_KEY,
    eventSecret: STRIPE_SECRET,
    booked: () =>
      [...books.intents.values()].map((intent) => ({
        attemptId: intent.metadata['attempt'] ?? '',
        captured: intent.amount_received,
        refunded: intent.latest_charge?.amount_refunded ?? 0,
        isHeld: intent.status === 'requires_capture',
      })),
    events: () =>
      changed().flatMap((intent) =>
        ['payment_intent.succeeded', 'charge.refunded'].map((type) => (nowMs: number) => {
          const object = type === 'charge.refunded' ? { payment_intent: intent.id } : intent
          const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
          const timestamp = Math.floor(nowMs / 1_000)
          const signature = webhooks.generateTestHeaderString({ payload, secret: STRIPE_SECRET, timestamp })
          return { body: payload, headers: { 'stripe-signature': signature } }
        }),
      ),
    decide: async () => {},
    problems: [],
  }
}

async function openAdyen(): Promise<ProcessorDouble> {
  const { calls, disturb, stop, url, payments, problems, finish, onNotification } = await startAdyenDouble()
  const bodies: string[] = []
  onNotification(async (body) => bodies.push(body))
  return {
    calls,
    disturb,
    stop,
    driver: adyen,
    settings: { merchantAccount: MERCHANT_ACCOUNT, apiUrl: url },
    secret: ADYEN_KEY,
    eventSecret: HMAC_KEY,
    booked: () =>
      payments.map(({ reference, captured, refunded, state }) => ({
        attemptId: reference,
        captured,
        refunded,
        isHeld: state === 'authorised' && captured === 0,
      })),
    events: () => bodies.splice(0).map((body) => () => ({ body, headers: {} })),
    async decide(attemptId, isPaid) {
      const waits = payments.some(({ reference, state }) => reference === attemptId && state === 'waiting')
      if (waits) await finish(attemptId, isPaid)
    },
    problems,
  }
}

async function openCheckout(): Promise<ProcessorDouble> {
  const { calls, disturb, stop, url, payments, problems } = await startCheckoutDouble()
  const names = {
    Authorization: 'approved',
    'Card Verification': 'approved',
    Capture: 'captured',
    Refund: 'refunded',
    Void: 'voided',
  }
  const changed = changes(() =>
    payments.flatMap(({ id, actions }) => actions.map((action) => ({ ...action, paymentId: id }))),
  )
  return {
    calls,
    disturb,
    stop,
    driver: checkoutCom,
    settings: { processingChannelId: CHANNEL, apiUrl: url },
    secret: CHECKOUT_KEY,
    eventSecret: CHECKOUT_SIGNING_KEY,
    booked: () =>
      payments.map(({ reference, captured, refunded, authorized, isVoided }) => ({
        attemptId: reference,
        captured,
        refunded,
        isHeld: authorized > 0 && captured === 0 && !isVoided,
      })),
    events: () =>
      changed().map(({ id, type, paymentId }) => () => {
        const body = JSON.stringify({
          id: 'evt_1',
          type: `payment_${names[type]}`,
          data: { id: paymentId, action_id: id },
        })
        return {
          body,
          headers: { 'cko-signature': createHmac('sha256', CHECKOUT_SIGNING_KEY).update(body).digest('hex') },
        }
      }),
    decide: async () => {},
    problems,
  }
}

const PAYPAL_WEBHOOK_ID = '1JE4291016473214C'

async function openPayPal(): Promise<ProcessorDouble> {
  const { calls, disturb, stop, url, orders, problems, approve } = await startPayPalDouble()
  const minor = (amounts: readonly { amount: { value: string } }[]) =>
    amounts.reduce((sum, { amount }) => sum + Math.round(Number(amount.value) * 100), 0)
  const changed = changes(() => orders)
  return {
    calls,
    disturb,
    stop,
    driver: paypalBelowOurRoot(url),
    settings: { clientId: CLIENT_ID, mode: 'sandbox', apiUrl: url },
    secret: CLIENT_SECRET,
    eventSecret: PAYPAL_WEBHOOK_ID,
    booked: () =>
      orders.map(({ customId, capture, refunds, authorization }) => ({
        attemptId: customId,
        captured: minor(capture === null ? [] : [capture]),
        refunded: minor(refunds),
        isHeld: authorization?.status === 'CREATED',
      })),
    events: () => changed().flatMap((order) => paypalEvents(order).map((event) => () => signedByPayPal(event))),
    async decide(attemptId, isPaid) {
      const order = orders.find(({ customId }) => customId === attemptId)
      if (order !== undefined && isPaid) approve(order.id)
    },
    problems,
  }
}

/** PayPal's driver under another name, which trusts the root certificate of tests. */
function paypalBelowOurRoot(apiUrl: string): ProcessorDriver {
  const { events } = paypal
  if (events === undefined) throw new Error('PayPal sends events.')
  const client = paypalClient({ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, mode: 'sandbox', apiUrl })
  const trusted = { roots: [root], fetchCertificates: async () => leaf + ca, client }
  return {
    ...paypal,
    name: 'paypal_below_our_root',
    events: {
      ...events,
      read: (sent, { eventSecret: webhookId, services: { clock } }) =>
        readPayPalEvent(sent, { ...trusted, webhookId, nowMs: clock.now() }),
    },
  }
}

/** PayPal's events for an order in its present state. */
function paypalEvents({ id, status, customId, authorization, capture, refunds }: BookedOrder): object[] {
  const event = (event_type: string, resource: object) => ({ id: 'WH-1', event_type, resource })
  return [
    ...(status === 'PAYER_ACTION_REQUIRED'
      ? []
      : [event('CHECKOUT.ORDER.APPROVED', { id, purchase_units: [{ custom_id: customId }] })]),
    ...(authorization === null ? [] : [event('PAYMENT.AUTHORIZATION.CREATED', authorization)]),
    ...(capture === null ? [] : [event('PAYMENT.CAPTURE.COMPLETED', capture)]),
    ...refunds.map((refund) => event('PAYMENT.CAPTURE.REFUNDED', refund)),
  ]
}

function signedByPayPal(event: object): SentEvent {
  const body = JSON.stringify(event)
  return { body, headers: paypalHeaders(Buffer.from(body), { webhookId: PAYPAL_WEBHOOK_ID }) }
}

/** Returns, at each call, the items that are new or changed since the last. */
function changes<Item extends { id: string }>(all: () => Iterable<Item>): () => Item[] {
  const known = new Map<string, string>()
  return () =>
    [...all()].filter((item) => {
      const text = JSON.stringify(item)
      const isNew = known.get(item.id) !== text
      known.set(item.id, text)
      return isNew
    })
}
