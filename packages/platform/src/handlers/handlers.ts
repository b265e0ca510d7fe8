import type { Contract } from '@tillwright/contract'
import { accounts } from '../accounts/accounts.ts'
import type { Handlers } from '../call.ts'
import { products } from '../catalog/products.ts'
import { shippingOptions } from '../catalog/shipping-options.ts'
import { stores } from '../catalog/stores.ts'
import { eventLog } from '../events/event-log.ts'
import { events } from '../events/events.ts'
import { funnels } from '../funnels/funnels.ts'
import { funnelSessions } from '../funnels/funnel-sessions.ts'
import type { Charging } from '../payments/routing/charging.ts'
import { disputes } from '../payments/disputes/disputes.ts'
import { postAuthorization } from '../payments/follow-ups/follow-up-payment.ts'
import { orders } from '../payments/orders/orders.ts'
import { paymentFlows } from '../payments/routing/payment-flows.ts'
import { paymentInstruments } from '../payments/payment-instruments.ts'
import { payments } from '../payments/payments.ts'
import { processors } from '../payments/routing/processors.ts'
import { subscriptions } from '../payments/subscriptions/subscriptions.ts'
import { threedsFrame } from '../payments/threeds/threeds-frame.ts'
import type { ThreedsServer } from '../payments/threeds/threeds-server.ts'
import { threeds } from '../payments/threeds/threeds-sessions.ts'
import type { PluginHosting } from '../plugins/plugin-hosting.ts'
import { pageUrls } from '../plugins/page-urls.ts'
import { plugins } from '../plugins/plugins.ts'
import { pluginManagement } from '../plugins/plugin-management.ts'
import { promotions } from '../promotions/promotions.ts'
import { sessions } from '../sessions/sessions.ts'
import type { Gate } from '../vault/admit-message.ts'
import { createSecurityCode } from '../vault/create-security-code.ts'
import { createToken } from '../vault/create-token.ts'
import type { JweKeys } from '../vault/jwe-keys.ts'

/** One handler for each operation of the contract: a missing one does not compile. */
export type AllHandlers = { [Group in keyof Contract]: Handlers<Contract[Group]> }

/** Who the handlers turn to beside the database. */
export interface Outside {
  charging: Charging
  jweKeys: JweKeys
  gate: Gate
  threedsServer: ThreedsServer
  hosting: PluginHosting
  /** Aborted when the platform stops: nobody is kept waiting then. */
  stopping: AbortSignal
}

/** The handlers of the whole contract. */
export function allHandlers({ charging, jweKeys, gate, threedsServer, hosting, stopping }: Outside): AllHandlers {
  const tokenParts = { jweKeys, cvcs: charging.cvcs, ...gate }
  const paying = { ...charging, threedsProviders: threedsServer.providers }
  return {
    accounts,
    stores,
    products,
    shippingOptions,
    promotions,
    paymentFlows,
    paymentInstruments,
    payments: { ...payments(paying, gate.cardTries), ...postAuthorization(charging) },
    session: sessions({ paying, cardTries: gate.cardTries, urlsOf: pageUrls(hosting.pluginsUrl) }),
    orders,
    subscriptions,
    disputes,
    funnels,
    funnelSessions,
    processors,
    threeds: threeds(threedsServer),
    threedsFrame: threedsFrame(threedsServer),
    events,
    eventLog: eventLog(stopping),
    plugins: plugins(hosting),
    pluginManagement: pluginManagement(hosting),
    vault: { createToken: createToken(tokenParts), createSecurityCode: createSecurityCode(tokenParts) },
  }
}
