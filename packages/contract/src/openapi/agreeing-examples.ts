import { exampleOf, type JsonSchema } from '../examples.ts'
import { exampleId } from '../ids.ts'
import type { FunnelSession } from '../resources/funnel-sessions.ts'
import type { Dispute } from '../resources/disputes.ts'
import type { BuyerSession, SessionOrder, SessionPayment } from '../resources/buyer-sessions.ts'
import type { Order, Quote } from '../resources/orders.ts'
import type { Payment } from '../resources/payments.ts'
import type { Subscription } from '../resources/subscriptions.ts'
import type { ThreedsSessionDetails } from '../resources/threeds-session-details.ts'
import type { Components } from './document.ts'

/** Some fields of an example. An array lists its items; each is completed from the composed one. */
type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: Part<T[Field]> }
    : T

/**
 * The examples of the reference tell one story: an order of two tote bags at 19.99 USD, less 10 %, with shipping. It is
 * paid by a payment that succeeds at once. An example composed field by field would show every optional part at the same
 * time, such as the next action of a payment that has succeeded; these parts are corrected here.
 */
const ORDER_AMOUNT = 4_098
const LINE_AMOUNT = 3_598
const NOON = '2026-11-20T09:30:00.000Z'

const line = { quantity: 2, unitAmount: 1_999, discountAmount: 400, amount: LINE_AMOUNT } as const
const sale = { promotionId: exampleId('promotion'), name: 'Summer sale', code: 'SUMMER10', saving: 400, endsAt: null }
const order = { amount: ORDER_AMOUNT, lines: [line], promotions: { applied: [sale], leftOut: [] } }
const whole = { nextAction: null, amount: ORDER_AMOUNT } as const

const paid: Part<Payment> = {
  ...whole,
  threedsSessionId: null,
  capturedAmount: ORDER_AMOUNT,
  funnelSessionId: null,
  attempts: [{ decision: { dropped: [] } }],
}

/** Parts of resources, by the id of their schema. */
const resources: {
  Payment: Part<Payment>
  SessionPayment: Part<SessionPayment>
  Order: Part<Order>
  Quote: Part<Quote>
  SessionOrder: Part<SessionOrder>
  BuyerSession: Part<BuyerSession>
  Dispute: Part<Dispute>
  Subscription: Part<Subscription>
  FunnelSession: Part<FunnelSession>
  ThreedsSessionDetails: Part<ThreedsSessionDetails>
} & Record<string, unknown> = {
  Payment: paid,
  RefundedPayment: paid,
  SessionPayment: whole,
  Order: { ...order, status: 'paid' },
  Quote: order,
  SessionOrder: order,
  BuyerSession: { payment: null, broughtAlong: null, preview: null, paymentInstruments: [] },
  Dispute: { amount: ORDER_AMOUNT, closedAt: null },
  Subscription: {
    trialDays: 0,
    currentPeriodEnd: '2026-12-20T09:30:00.000Z',
    nextPaymentAt: '2026-12-20T09:30:00.000Z',
  },
  FunnelSession: { customerHistory: [] },
  ThreedsSession: { createdAt: NOON },
  ThreedsAuthentication: { acsChallengeUrl: null },
  ThreedsSessionDetails: { status: 'successful', createdAt: NOON, expiresAt: '2026-11-20T10:30:00.000Z' },
  ThreedsStep: { challenge: null },
  PaymentFlow: { fallbackProcessorConfigs: [] },
  Store: { flaggedForDeletionAt: null, lastTimeFlaggedForDeletionAt: null },
  PreviewOptions: { threeds: null },
}

const moved = { status: 'succeeded', failure: null, createdAt: NOON, finishedAt: NOON } as const

/** Parts of the responses of operations, by the operation's id. */
const responses: Record<string, unknown> = {
  'payments.capture': {
    captureMethod: 'manual',
    capturedAmount: 1_500,
    captures: [{ id: exampleId('capture'), amount: 1_500, finalCapture: true, ...moved }],
  } satisfies Part<Payment>,
  'payments.refund': {
    status: 'partially_refunded',
    refundedAmount: 500,
    refunds: [
      {
        id: exampleId('refund'),
        accountId: exampleId('account'),
        storeId: exampleId('store'),
        paymentId: exampleId('payment'),
        orderId: exampleId('order'),
        amount: 500,
        currency: 'USD',
        reason: 'Came back unopened',
        ...moved,
      },
    ],
  } satisfies Part<Payment>,
  'payments.void': { status: 'canceled', captureMethod: 'manual', capturedAmount: 0 } satisfies Part<Payment>,
  'disputes.simulate': { amount: 1_500, reason: 'product_not_received' } satisfies Part<Dispute>,
  'disputes.simulateOutcome': { status: 'won', closedAt: NOON } satisfies Part<Dispute>,
  'subscriptions.cancel': { cancelAtPeriodEnd: true } satisfies Part<Subscription>,
  'promotions.update': { enabled: false },
}

/** The example of a whole body: composed from those of its fields, then corrected. */
export function exampleIn(schema: JsonSchema, { schemas }: Pick<Components, 'schemas'>): unknown {
  const correct = (reference: string, example: unknown) =>
    completed(example, resources[reference.split('/').at(-1) ?? ''])
  return exampleOf(schema, { components: { schemas } }, correct)
}

/** Parts of the bodies of requests, by the operation's id. What is `undefined` is left out. */
const requests: Record<string, unknown> = {
  'funnels.previewSession': { funnelId: undefined },
  'paymentInstruments.createFromToken': { customerId: undefined },
  'stores.create': { accountId: undefined, flaggedForDeletionAt: undefined, lastTimeFlaggedForDeletionAt: undefined },
}

/** Corrects the example of a request's body. */
export function agreeingRequest(operationId: string, example: unknown): unknown {
  return completed(example, requests[operationId])
}

/** Corrects the example of a response. */
export function agreeingResponse(operationId: string, example: unknown): unknown {
  return completed(example, responses[operationId])
}

function completed(example: unknown, part: unknown): unknown {
  if (part === undefined) return example
  if (Array.isArray(part)) {
    const items: unknown[] = Array.isArray(example) ? example : []
    return part.map((item, index) => completed(items[index] ?? items[0], item))
  }
  if (typeof part !== 'object' || part === null) return part
  const fields = typeof example === 'object' && example !== null ? example : {}
  const own = new Map(Object.entries(fields))
  for (const [name, value] of Object.entries(part)) {
    if (value === undefined) own.delete(name)
    else own.set(name, completed(own.get(name), value))
  }
  return Object.fromEntries(own)
}
