import { z } from 'zod'
import { amount } from './money.ts'

const paid = { orderId: z.string(), amount, currency: z.string(), paymentId: z.string() }
const pluginId = z.string().meta({ description: 'The plugin.', examples: ['one-page-checkout'] })
const deploymentId = z.string().meta({ description: 'The deployment.', examples: ['dep_1Tc8rLkQ0000aaaaBBBBcc'] })
const deployed = {
  pluginId,
  deploymentId,
  version: z.string().meta({ description: 'The version in its manifest.', examples: ['1.4.0'] }),
}
const paymentMoved = { ...paid, paymentInstrumentId: z.string(), status: z.string() }

/** Every type of event, with the schema of its `properties`. Named `s_<noun>_<verb>`. */
export const eventTypes = {
  s_store_created: z.object({ storeId: z.string(), name: z.string() }),
  s_product_created: z.object({ productId: z.string(), name: z.string() }),
  s_payment_flow_created: z.object({ paymentFlowId: z.string(), name: z.string() }),
  s_customer_created: z.object({ customerId: z.string() }),
  s_payment_instrument_created: z.object({ paymentInstrumentId: z.string(), brand: z.string(), last4: z.string() }),
  s_checkout_started: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_created: z.object({ orderId: z.string(), amount, currency: z.string() }),
  s_order_paid: z.object(paid),
  s_payment_created: z.object(paymentMoved),
  s_payment_succeeded: z.object({ ...paymentMoved, processorId: z.string() }),
  s_payment_failed: z.object({ ...paymentMoved, declineCode: z.string().nullable() }),
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
