import { z } from 'zod'
import { amount } from './money.ts'
import { transStatus } from './resources/threeds-authentications.ts'
import { threedsProvider, threedsStatus } from './resources/threeds-sessions.ts'

const paid = { orderId: z.string(), amount, currency: z.string(), paymentId: z.string() }
const ofFunnel = {
  funnelId: z.string().meta({ description: 'The funnel.', examples: ['funnel_01Hx8KQm3vTz9LcRp5WdYe'] }),
  name: z.string().meta({ description: 'What it is called.', examples: ['Summer sale'] }),
}
const atStep = {
  sessionId: z.string().meta({ description: 'The session.', examples: ['fsn_01Hx8KQm3vTz9LcRp5WdYe'] }),
  funnelId: z.string().meta({ description: 'The funnel.', examples: ['funnel_01Hx8KQm3vTz9LcRp5WdYe'] }),
  funnelVariantId: z
    .string()
    .nullable()
    .meta({
      description: 'The variant of the funnel; null for one without.',
      examples: ['fvar_01Hx8KQm3vTz9LcRp5WdYe'],
    }),
  stepId: z.string().meta({ description: 'The step.', examples: ['step_01Hx8KQm3vTz9LcRp5WdYe'] }),
  stepType: z.string().meta({ description: 'What the step is for.', examples: ['checkout'] }),
}
const pluginId = z.string().meta({ description: 'The plugin.', examples: ['one-page-checkout'] })
const deploymentId = z.string().meta({ description: 'The deployment.', examples: ['dep_1Tc8rLkQ0000aaaaBBBBcc'] })
const deployed = {
  pluginId,
  deploymentId,
  version: z.string().meta({ description: 'The version in its manifest.', examples: ['1.4.0'] }),
}
const paymentMoved = { ...paid, paymentInstrumentId: z.string(), status: z.string() }

const threedsSession = {
  sessionId: z.string(),
  paymentInstrumentId: z.string(),
  provider: threedsProvider,
  status: threedsStatus,
}
/** A session that expires has no outcome: `transStatus` is `null`. */
const threedsOutcome = {
  ...threedsSession,
  transStatus: transStatus.nullable(),
  eci: z.string().nullable(),
  liabilityShifted: z.boolean(),
}

const promotion = {
  promotionId: z.string().meta({ description: 'The promotion.', examples: ['promo_0OqqjVMd5y9aBcDeFgHiJk'] }),
  name: z.string().meta({ description: 'What it is called.', examples: ['Summer sale'] }),
  code: z
    .string()
    .nullable()
    .meta({ description: 'Its code, or null.', examples: ['SUMMER10'] }),
}

/** Every type of event, with the schema of its `properties`. Named `s_<noun>_<verb>`. */
export const eventTypes = {
  s_store_created: z.object({ storeId: z.string(), name: z.string() }),
  s_product_created: z.object({ productId: z.string(), name: z.string() }),
  s_promotion_created: z.object(promotion),
  s_promotion_updated: z.object(promotion),
  s_promotion_applied: z.object({
    promotionId: promotion.promotionId,
    orderId: z.string().meta({ description: 'The order that was paid.', examples: ['order_0OqqjVMd5y9aBcDeFgHiJk'] }),
    amount: amount.meta({ description: 'What the promotion took off, in minor units.', examples: [480] }),
    currency: z.string().meta({ description: 'The order’s currency, ISO 4217.', examples: ['USD'] }),
  }),
  s_payment_flow_created: z.object({ paymentFlowId: z.string(), name: z.string() }),
  s_customer_created: z.object({ customerId: z.string() }),
  s_payment_instrument_created: z.object({ paymentInstrumentId: z.string(), brand: z.string(), last4: z.string() }),
  s_funnel_created: z.object(ofFunnel),
  s_funnel_updated: z.object(ofFunnel),
  s_funnel_session_started: z.object(atStep),
  s_funnel_session_step_viewed: z.object(atStep),
  s_checkout_started: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_created: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_paid: z.object(paid),
  s_payment_created: z.object(paymentMoved),
  s_payment_succeeded: z.object({ ...paymentMoved, processorId: z.string() }),
  s_payment_failed: z.object({ ...paymentMoved, declineCode: z.string().nullable() }),
  s_processor_archived: z.object({ processorId: z.string(), name: z.string() }),
  s_threeds_session_created: z.object(threedsSession),
  s_threeds_session_challenge_required: z.object(threedsOutcome),
  s_threeds_session_succeeded: z.object(threedsOutcome),
  s_threeds_session_failed: z.object(threedsOutcome),
  s_plugin_deployed: z.object(deployed),
  s_plugin_activated: z.object(deployed),
  s_domain_route_created: z.object({
    routeId: z.string().meta({ description: 'The route.', examples: ['route_1Tc8rLkQ0000aaaaBBBBcc'] }),
    hostname: z.string().meta({ description: 'The host name in lower-case ASCII.', examples: ['shop.example.com'] }),
    path: z.string().meta({ description: 'Where on the host the pages begin.', examples: ['/'] }),
    pluginId,
    deploymentId,
  }),
} as const

export type EventType = keyof typeof eventTypes
/** The `properties` of an event of the type. */
export type EventProperties<Type extends EventType> = z.output<(typeof eventTypes)[Type]>
