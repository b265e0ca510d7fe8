import { z } from 'zod'
import { smallFreeForm } from '../free-form.ts'
import { exampleId, idOf } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { timestamp } from '../text.ts'
import { disputeKind, disputeStatus } from './disputes.ts'
import { subscriptionStatus } from './subscriptions.ts'
import { transStatus } from './threeds-authentications.ts'
import { threedsProvider, threedsStatus } from './threeds-sessions.ts'

/** What a page tells of itself: the body of `POST /api/session/v1/session/events`. */
export const trackedEvent = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be 1 to 64 lower-case letters, digits and "_", such as "video_played"')
    .meta({ description: 'What happened, in a word of the page’s own.', examples: ['video_played'] }),
  properties: smallFreeForm.default({}).meta({
    description: 'What there is to say of it: at most 20,000 characters as JSON, and nothing that is secret.',
    examples: [{ seconds: 42 }],
  }),
})

const orderId = idOf('order', 'The id of the order.')
const paymentId = idOf('payment', 'The id of the payment.')
const ofSubscription = {
  subscriptionId: idOf('subscription', 'The subscription.'),
  status: subscriptionStatus.meta({
    description: 'Where the subscription stands after this event.',
    examples: ['active'],
  }),
}
const inPeriod = {
  ...ofSubscription,
  orderId,
  paymentId,
  currentPeriodStart: timestamp.meta({ description: 'When its period began.' }),
  currentPeriodEnd: timestamp.meta({ description: 'When its period ends.' }),
}

/** What happens to subscriptions: a part of `eventTypes`. */
const subscriptionEvents = {
  s_subscription_created: z
    .object(inPeriod)
    .meta({ description: 'An order with a recurring price was paid: its subscription has begun.' }),
  s_subscription_renewed: z.object(inPeriod).meta({ description: 'The next period of a subscription has begun.' }),
  s_subscription_past_due: z
    .object({
      ...ofSubscription,
      paymentId: paymentId.meta({ description: 'The payment that was declined.' }),
      nextPaymentAt: timestamp.meta({ description: 'When it is tried again.' }),
    })
    .meta({ description: 'A period of a subscription could not be paid, and is tried again for a week.' }),
  s_subscription_canceled: z
    .object({
      ...ofSubscription,
      reason: z
        .enum(['requested', 'unpaid'])
        .meta({ description: 'Whether somebody asked for it, or a period stayed unpaid.', examples: ['requested'] }),
    })
    .meta({ description: 'A subscription is over.' }),
} as const

const funnelId = idOf('funnel', 'The id of the funnel.')
const ofFunnel = {
  funnelId,
  name: z.string().meta({ description: 'The name of the funnel.', examples: ['Summer sale'] }),
}
const atStep = {
  sessionId: idOf('funnelSession', 'The session.'),
  funnelId,
  funnelVariantId: z
    .string()
    .nullable()
    .meta({
      description: 'The variant of the funnel; null for one without.',
      examples: [exampleId('funnelVariant')],
    }),
  stepId: idOf('funnelStep', 'The step.'),
  stepType: z.string().meta({ description: 'What the step is for.', examples: ['checkout'] }),
}
const nullableStep = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description, examples: [exampleId('funnelStep')] })

/** The types of events that tell of funnels and of the sessions that go through them. */
const funnelEvents = {
  s_funnel_created: z.object(ofFunnel).meta({ description: 'A funnel was created.' }),
  s_funnel_updated: z.object(ofFunnel).meta({ description: 'A funnel was changed.' }),
  s_funnel_session_started: z.object(atStep).meta({ description: 'Somebody has entered a funnel.' }),
  s_funnel_session_step_viewed: z.object(atStep).meta({ description: 'Somebody has come to a step of a funnel.' }),
  s_funnel_session_step_completed: z
    .object({
      ...atStep,
      nextStepId: nullableStep('The step that follows; null at the end.'),
      paid: z.boolean().meta({ description: 'Whether something was paid at the step.', examples: [true] }),
    })
    .meta({ description: 'Somebody has left a step of a funnel onward.' }),
  s_funnel_session_completed: z
    .object({
      ...atStep,
      paid: z.boolean().meta({ description: 'Whether something was paid on the way.', examples: [true] }),
    })
    .meta({ description: 'Somebody has come to the end of a funnel.' }),
  s_funnel_session_event_tracked: z
    .object({
      sessionId: atStep.sessionId,
      funnelId: z
        .string()
        .nullable()
        .meta({ description: 'The funnel; null for a session outside of any.', examples: [exampleId('funnel')] }),
      stepId: nullableStep('Where the buyer was; null outside of a funnel.'),
      ...trackedEvent.shape,
    })
    .meta({ description: 'A page has told of something that happened in it.' }),
} as const

const storeId = idOf('store', 'The id of the store.')
const productId = idOf('product', 'The id of the product.')
const paymentFlowId = idOf('paymentFlow', 'The id of the payment flow.')
const customerId = idOf('customer', 'The id of the customer.')
const paymentInstrumentId = idOf('paymentInstrument', 'The id of the payment instrument.')
const processorId = idOf('processor', 'The id of the processor that took the payment.')

/** A field that holds the name of what the event is about. */
const nameOf = (what: string, example: string) =>
  z.string().meta({ description: `The name of the ${what}.`, examples: [example] })

const money = {
  amount: amount.meta({ description: 'What the order costs, in minor units of its currency.', examples: [4200] }),
  currency: currency.meta({ description: 'Upper-case ISO 4217 code.', examples: ['EUR'] }),
}
const status = z.string().meta({ description: 'The status of the payment after this event.', examples: ['succeeded'] })

const paid = { orderId, ...money, paymentId }
const paymentMoved = { ...paid, paymentInstrumentId, status }

const paymentCaptured = {
  ...paymentMoved,
  amount: amount.meta({ description: 'What was taken, in minor units of the currency.', examples: [4200] }),
}
const refunded = {
  ...paymentMoved,
  refundId: idOf('refund', 'The id of the refund.'),
  refundAmount: amount.meta({ description: 'What this refund is about, in minor units.', examples: [500] }),
  refundedAmount: amount.meta({ description: 'What was given back so far, in minor units.', examples: [500] }),
}
const failure = z.string().meta({ description: 'Why the processor refused.', examples: ['wrong_state'] })
const disputed = {
  disputeId: idOf('dispute', 'The id of the dispute.'),
  orderId,
  paymentId,
  kind: disputeKind.meta({ description: 'Whether the money is withheld, or the bank only asks.' }),
  status: disputeStatus.meta({ description: 'The status of the dispute after this event.' }),
  reason: z.string().meta({ description: 'Why the cardholder disputes.', examples: ['fraudulent'] }),
  amount: amount.meta({ description: 'What is disputed, in minor units of the currency.', examples: [4200] }),
  currency: money.currency,
}

const promotion = {
  promotionId: idOf('promotion', 'The promotion.'),
  name: nameOf('promotion', 'Summer sale'),
  code: z
    .string()
    .nullable()
    .meta({ description: 'Its code, or null.', examples: ['SUMMER10'] }),
}

const pluginId = z.string().meta({ description: 'The plugin.', examples: ['one-page-checkout'] })
const deploymentId = idOf('deployment', 'The deployment.')
const deployed = {
  pluginId,
  deploymentId,
  version: z.string().meta({ description: 'The version in its manifest.', examples: ['1.4.0'] }),
}

const routed = {
  routeId: idOf('route', 'The route.'),
  hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
  path: z.string().meta({ description: 'Where on the host the pages begin.', examples: ['/'] }),
  pluginId,
  deploymentId,
}

const threedsSession = {
  sessionId: idOf('threedsSession', 'The 3-D Secure session.'),
  paymentInstrumentId,
  provider: threedsProvider.meta({ description: 'Who authenticates.' }),
  status: threedsStatus.meta({ description: 'The status of the session after this event.' }),
}
const threedsOutcome = {
  ...threedsSession,
  transStatus: transStatus.nullable().meta({
    description: 'The outcome as EMV 3DS names it; null for a session that ended without one.',
    examples: ['Y'],
  }),
  eci: z
    .string()
    .nullable()
    .meta({ description: 'The electronic commerce indicator, or null.', examples: ['05'] }),
  liabilityShifted: z.boolean().meta({ description: 'Whether the issuer answers for fraud.', examples: [true] }),
}

/** Every type of event, with the schema of its `properties` and when it happens. Named `s_<noun>_<verb>`. */
export const eventTypes = {
  s_store_created: z
    .object({ storeId, name: nameOf('store', 'Weaver & Byrne') })
    .meta({ description: 'A store was created.' }),
  s_product_created: z
    .object({ productId, name: nameOf('product', 'Canvas tote') })
    .meta({ description: 'A product was created, with its variants and prices.' }),
  s_payment_flow_created: z
    .object({ paymentFlowId, name: nameOf('payment flow', 'Europe') })
    .meta({ description: 'A payment flow was created.' }),
  s_customer_created: z.object({ customerId }).meta({ description: 'A buyer was seen for the first time in a store.' }),
  s_payment_instrument_created: z
    .object({
      paymentInstrumentId,
      brand: z.string().meta({ description: 'The network of the card.', examples: ['visa'] }),
      last4: z.string().meta({ description: 'The last four digits of the card.', examples: ['4242'] }),
    })
    .meta({ description: 'A card was stored for a customer and may be charged.' }),
  s_checkout_started: z
    .object({ orderId, ...money })
    .meta({ description: 'A buyer has begun to pay: the order is made and its payment about to be tried.' }),
  s_order_created: z.object({ orderId, ...money }).meta({ description: 'An order was made; it is not paid yet.' }),
  s_order_paid: z
    .object({ ...paid, amount: paymentCaptured.amount })
    .meta({ description: 'An order is paid: its payment was captured.' }),
  s_order_refunded: z.object(paid).meta({ description: 'All that was taken for an order was given back.' }),
  s_order_canceled: z.object(paid).meta({ description: 'An order will not be paid: its payment was voided.' }),
  s_payment_created: z
    .object(paymentMoved)
    .meta({ description: 'A payment was made and is about to be tried at a processor.' }),
  s_payment_action_required: z
    .object({
      ...paymentMoved,
      requireAction: z.string().meta({ description: 'What the buyer has to do.', examples: ['threeds_auth'] }),
      sessionId: idOf('threedsSession', 'The 3-D Secure session that the payment waits for.'),
    })
    .meta({ description: 'A payment waits for the buyer, who has to do something first.' }),
  s_payment_authorized: z
    .object({ ...paymentMoved, processorId })
    .meta({ description: 'A processor has set the money of a payment aside: capture it, or void the payment.' }),
  s_payment_succeeded: z
    .object({ ...paymentCaptured, processorId })
    .meta({ description: 'A processor has taken a payment.' }),
  s_payment_capture_failed: z
    .object({ ...paymentMoved, captureId: idOf('capture', 'The id of the capture.'), failure })
    .meta({ description: 'A capture was refused by the processor; the payment is authorised as before.' }),
  s_payment_canceled: z.object(paymentMoved).meta({ description: 'An authorised payment was voided.' }),
  s_payment_void_failed: z
    .object({ ...paymentMoved, failure })
    .meta({ description: 'A void was refused by the processor; the payment is authorised as before.' }),
  s_payment_refunded: z
    .object(refunded)
    .meta({ description: 'Money of a payment was given back, all of it or a part.' }),
  s_payment_refund_failed: z
    .object({ ...refunded, failure })
    .meta({ description: 'A refund was refused by the processor; nothing was given back by it.' }),
  s_dispute_opened: z
    .object(disputed)
    .meta({ description: 'A cardholder disputes a payment; told again when an inquiry becomes a chargeback.' }),
  s_dispute_won: z.object(disputed).meta({ description: 'A dispute was decided for the shop.' }),
  s_dispute_lost: z
    .object(disputed)
    .meta({ description: 'A dispute was decided against the shop: its money is gone.' }),
  s_payment_failed: z
    .object({
      ...paymentMoved,
      declineCode: z
        .string()
        .nullable()
        .meta({ description: 'Why the issuer declined; null unless it did.', examples: ['insufficient_funds'] }),
    })
    .meta({ description: 'A payment was declined or has failed.' }),
  s_promotion_created: z.object(promotion).meta({ description: 'A promotion was created.' }),
  s_promotion_updated: z.object(promotion).meta({ description: 'A promotion was changed.' }),
  s_promotion_applied: z
    .object({
      promotionId: promotion.promotionId,
      orderId,
      amount: amount.meta({ description: 'What the promotion took off, in minor units.', examples: [480] }),
      currency: money.currency,
    })
    .meta({ description: 'An order was paid that a promotion has made cheaper.' }),
  ...funnelEvents,
  s_processor_archived: z
    .object({
      processorId: idOf('processor', 'The id of the processor.'),
      name: nameOf('processor', 'North'),
    })
    .meta({ description: 'A processor was archived: no payment goes there any more.' }),
  s_threeds_session_created: z.object(threedsSession).meta({ description: 'A 3-D Secure session was created.' }),
  s_threeds_session_challenge_required: z
    .object(threedsOutcome)
    .meta({ description: 'The issuer wants to ask the cardholder.' }),
  s_threeds_session_succeeded: z
    .object(threedsOutcome)
    .meta({ description: 'The cardholder was authenticated, or the attempt was attested.' }),
  s_threeds_session_failed: z
    .object(threedsOutcome)
    .meta({ description: 'The cardholder was not authenticated, has given up, or the session expired.' }),
  ...subscriptionEvents,
  s_plugin_deployed: z.object(deployed).meta({ description: 'A version of a plugin was deployed to a store.' }),
  s_plugin_activated: z.object(deployed).meta({ description: 'A store uses a deployment from now on.' }),
  s_domain_route_created: z.object(routed).meta({ description: 'A plugin was put on a domain.' }),
  s_domain_route_removed: z.object(routed).meta({ description: 'A plugin was taken off a domain.' }),
} as const

export type EventType = keyof typeof eventTypes
/** The `properties` of an event of the type. */
export type EventProperties<Type extends EventType> = z.output<(typeof eventTypes)[Type]>
