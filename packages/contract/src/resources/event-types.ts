import { z } from 'zod'
import { archived, updatedProperties } from '../changes.ts'
import { idOf } from '../ids.ts'
import { amount, currency } from '../money.ts'
import { administrationEvents } from './administration-events.ts'
import { timestamp } from '../text.ts'
import { auditEvents } from './audit.ts'
import { customerEvents } from './customer-events.ts'
import { disputeKind, disputeStatus } from './disputes.ts'
import { routeEvents } from './domain-routes.ts'
import { funnelEvents } from './funnel-events.ts'
import { pluginEvents } from './plugin-events.ts'
import { refundRequestEvents } from './refund-approvals.ts'
import { subscriptionEvents } from './subscription-events.ts'
import { transStatus } from './threeds-authentications.ts'
import { threedsProvider, threedsStatus } from './threeds-sessions.ts'

const orderId = idOf('order', 'The id of the order.')
const paymentId = idOf('payment', 'The id of the payment.')
const storeId = idOf('store', 'The id of the store.')
const productId = idOf('product', 'The id of the product.')
const paymentFlowId = idOf('paymentFlow', 'The id of the payment flow.')
const paymentInstrumentId = idOf('paymentInstrument', 'The id of the payment instrument.')
const processorId = idOf('processor', 'The id of the processor that took the payment.')

/** A field with the name of the event's object. */
const nameOf = (what: string, example: string) =>
  z.string().meta({ description: `The name of the ${what}.`, examples: [example] })

const ofProcessor = {
  processorId: idOf('processor', 'The id of the processor.'),
  name: nameOf('processor', 'North'),
}

const money = {
  amount: amount.meta({ description: 'The total of the order, in minor units of its currency.', examples: [4_098] }),
  currency: currency.meta({ description: 'Upper-case ISO 4217 code.', examples: ['USD'] }),
}
const status = z.string().meta({ description: 'The status of the payment after this event.', examples: ['succeeded'] })

const paid = { orderId, ...money, paymentId }
const paymentMoved = {
  ...paid,
  paymentInstrumentId: idOf(
    'paymentInstrument',
    'The id of the payment instrument; null where the method is no card.',
  ).nullable(),
  status,
}

const paymentCaptured = {
  ...paymentMoved,
  amount: amount.meta({ description: 'The captured amount, in minor units of the currency.', examples: [4_098] }),
}
const refunded = {
  ...paymentMoved,
  refundId: idOf('refund', 'The id of the refund.'),
  refundAmount: amount.meta({ description: 'The amount of this refund, in minor units.', examples: [500] }),
  refundedAmount: amount.meta({ description: 'The amount refunded so far, in minor units.', examples: [500] }),
}
const failure = z.string().meta({
  description: 'Why the processor refused; `reversed`: it had succeeded, and came to nothing later.',
  examples: ['wrong_state'],
})
const disputed = {
  disputeId: idOf('dispute', 'The id of the dispute.'),
  orderId,
  paymentId,
  kind: disputeKind.meta({ description: 'Whether the money is withheld or the bank only asks.' }),
  status: disputeStatus.meta({ description: 'The status of the dispute after this event.' }),
  reason: z.string().meta({ description: 'The cardholder’s reason.', examples: ['fraudulent'] }),
  amount: amount.meta({ description: 'The disputed amount, in minor units of the currency.', examples: [4_098] }),
  currency: money.currency,
  respondBy: timestamp.nullable().meta({
    description: 'Until when the processor takes evidence; null where it has set no time.',
    examples: ['2026-12-04T09:30:00.000Z'],
  }),
}

const promotion = {
  promotionId: idOf('promotion', 'The promotion.'),
  name: nameOf('promotion', 'Summer sale'),
  code: z
    .string()
    .nullable()
    .meta({ description: 'The promotion’s code, or null.', examples: ['SUMMER10'] }),
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
    description: 'The outcome as EMV 3DS defines it; null if the session ended without one.',
    examples: ['Y'],
  }),
  eci: z
    .string()
    .nullable()
    .meta({ description: 'The electronic commerce indicator, or null.', examples: ['05'] }),
  liabilityShifted: z
    .boolean()
    .meta({ description: 'Whether liability for fraud has shifted to the issuer.', examples: [true] }),
}

/**
 * Every event type, named `s_<noun>_<verb>`, with the schema of its `properties` and a description of when it occurs.
 */
export const eventTypes = {
  s_store_created: z
    .object({ storeId, name: nameOf('store', 'Weaver & Byrne') })
    .meta({ description: 'A store was created.' }),
  s_store_updated: z
    .object({ storeId, name: nameOf('store', 'Weaver & Byrne'), archived, ...updatedProperties })
    .meta({ description: 'A store was changed, archived or unarchived.' }),
  s_shipping_options_updated: z
    .object({ storeId })
    .meta({ description: 'The shipping options of a store were replaced.' }),
  s_product_created: z
    .object({ productId, name: nameOf('product', 'Canvas tote') })
    .meta({ description: 'A product was created with its variants and prices.' }),
  s_product_updated: z
    .object({ productId, name: nameOf('product', 'Canvas tote'), archived, ...updatedProperties })
    .meta({ description: 'A product was changed, with its variants and prices, or was archived or unarchived.' }),
  s_payment_flow_created: z
    .object({ paymentFlowId, name: nameOf('payment flow', 'Europe') })
    .meta({ description: 'A payment flow was created.' }),
  s_payment_flow_updated: z
    .object({ paymentFlowId, name: nameOf('payment flow', 'Europe'), archived, ...updatedProperties })
    .meta({ description: 'A payment flow was changed, archived or unarchived.' }),
  ...customerEvents,
  s_checkout_started: z
    .object({ orderId, ...money })
    .meta({ description: 'A buyer started to pay: the order is created and its payment is about to be attempted.' }),
  s_order_created: z.object({ orderId, ...money }).meta({ description: 'An order was created; it is not paid yet.' }),
  s_order_paid: z
    .object({ ...paid, amount: paymentCaptured.amount })
    .meta({ description: 'An order was paid: its payment was captured.' }),
  s_order_refunded: z.object(paid).meta({ description: 'An order was fully refunded.' }),
  s_order_canceled: z
    .object(paid)
    .meta({ description: 'An order was canceled: its payment was voided, or its capture was reversed.' }),
  s_payment_created: z
    .object(paymentMoved)
    .meta({ description: 'A payment was created, and is about to be attempted at a processor if it costs anything.' }),
  s_payment_action_required: z
    .object({
      ...paymentMoved,
      requireAction: z
        .string()
        .meta({ description: 'The action that the buyer has to take.', examples: ['threeds_auth'] }),
      sessionId: idOf('threedsSession', 'The 3-D Secure session of the payment; null for another action.').nullable(),
    })
    .meta({ description: 'A payment waits for an action of the buyer.' }),
  s_payment_pending: z.object({ ...paymentMoved, processorId }).meta({
    description: 'A payment was accepted, and whether its money comes is told later: ship nothing yet.',
  }),
  s_payment_authorized: z
    .object({ ...paymentMoved, processorId })
    .meta({ description: 'A payment was authorized: capture it, or void it.' }),
  s_payment_succeeded: z
    .object({
      ...paymentCaptured,
      processorId: idOf(
        'processor',
        'The id of the processor that took the payment; null where there was nothing to pay and none was asked.',
      ).nullable(),
    })
    .meta({
      description:
        'A payment was captured, a card was verified where there is nothing to pay yet, or an order that costs nothing was paid.',
    }),
  s_payment_partially_captured: z
    .object({
      ...paymentMoved,
      captureId: idOf('capture', 'The id of the capture.'),
      captureAmount: amount.meta({
        description: 'Amount of this capture, in minor units of the currency.',
        examples: [1_500],
      }),
      capturedAmount: amount.meta({
        description: 'Amount of all captures together, in minor units of the currency.',
        examples: [1_500],
      }),
      processorId,
    })
    .meta({ description: 'A part of an authorized payment was captured; the rest can still be.' }),
  s_payment_capture_failed: z
    .object({
      ...paymentMoved,
      captureId: idOf('capture', 'The id of the capture.'),
      captureAmount: amount.meta({
        description: 'The amount of this capture, in minor units of the currency.',
        examples: [1_500],
      }),
      capturedAmount: amount.meta({
        description: 'The amount captured without it, in minor units of the currency.',
        examples: [0],
      }),
      failure,
    })
    .meta({
      description:
        'The processor refused a capture, and the payment is still authorized; or with the failure `reversed`: it had captured, and the money does not come. Then a payment without any other capture has `failed`, and its order is canceled.',
    }),
  s_payment_canceled: z.object(paymentMoved).meta({ description: 'An authorized payment was voided.' }),
  s_payment_void_failed: z
    .object({ ...paymentMoved, failure })
    .meta({ description: 'The processor refused a void; the payment is still authorized.' }),
  s_payment_refunded: z.object(refunded).meta({ description: 'A payment was refunded, in whole or in part.' }),
  s_payment_refund_failed: z.object({ ...refunded, failure }).meta({
    description:
      'The processor refused a refund; or with the failure `reversed`: it had refunded, and the money came back, such as from a closed account. The buyer has none of it, and it can be refunded again.',
  }),
  ...refundRequestEvents,
  s_dispute_opened: z
    .object(disputed)
    .meta({ description: 'A cardholder disputed a payment; sent again if an inquiry becomes a chargeback.' }),
  s_dispute_evidence_submitted: z
    .object(disputed)
    .meta({ description: 'Evidence for a dispute was sent to the bank through this API.' }),
  s_dispute_won: z.object(disputed).meta({ description: 'A dispute was decided in the shop’s favour.' }),
  s_dispute_lost: z
    .object(disputed)
    .meta({ description: 'A dispute was decided against the shop; its money is gone.' }),
  s_payment_paid_late: z.object({ ...paymentMoved, processorId }).meta({
    description:
      'Money came for a payment that had ended without: it is on its way back. Ship nothing; the refund is told like any other.',
  }),
  s_payment_failed: z
    .object({
      ...paymentMoved,
      declineCode: z
        .string()
        .nullable()
        .meta({
          description: 'The issuer’s reason; null if the issuer did not decline.',
          examples: ['insufficient_funds'],
        }),
    })
    .meta({ description: 'A payment was declined or failed.' }),
  s_promotion_created: z.object(promotion).meta({ description: 'A promotion was created.' }),
  s_promotion_updated: z
    .object({ ...promotion, archived, ...updatedProperties })
    .meta({ description: 'A promotion was changed, archived or unarchived.' }),
  s_promotion_applied: z
    .object({
      promotionId: promotion.promotionId,
      orderId,
      amount: amount.meta({ description: 'The discount from the promotion, in minor units.', examples: [400] }),
      currency: money.currency,
    })
    .meta({ description: 'An order with this promotion was paid.' }),
  ...funnelEvents,
  s_processor_created: z.object(ofProcessor).meta({ description: 'A processor was connected.' }),
  s_processor_updated: z
    .object({ ...ofProcessor, ...updatedProperties })
    .meta({ description: 'The name, the settings or a secret of a processor were changed.' }),
  s_processor_archived: z
    .object(ofProcessor)
    .meta({ description: 'A processor was archived; it no longer receives payments.' }),
  s_threeds_session_created: z.object(threedsSession).meta({ description: 'A 3-D Secure session was created.' }),
  s_threeds_session_challenge_required: z
    .object(threedsOutcome)
    .meta({ description: 'The issuer requires a challenge of the cardholder.' }),
  s_threeds_session_succeeded: z
    .object(threedsOutcome)
    .meta({ description: 'The cardholder was authenticated, or the attempt was confirmed.' }),
  s_threeds_session_failed: z
    .object(threedsOutcome)
    .meta({ description: 'The cardholder failed to authenticate or gave up, or the session expired.' }),
  ...subscriptionEvents,
  ...auditEvents,
  ...administrationEvents,
  ...pluginEvents,
  ...routeEvents,
} as const

export type EventType = keyof typeof eventTypes
/** The `properties` of an event of this type. */
export type EventProperties<Type extends EventType> = z.output<(typeof eventTypes)[Type]>
