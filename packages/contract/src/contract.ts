import { accounts } from './operations/accounts.ts'
import { products, shippingOptions, stores } from './operations/catalog.ts'
import { disputes } from './operations/disputes.ts'
import { eventLog } from './operations/event-log.ts'
import { events } from './operations/events.ts'
import { funnels, funnelSessions } from './operations/funnels.ts'
import { orders, paymentFlows, paymentInstruments, payments } from './operations/payments.ts'
import { processors } from './operations/processors.ts'
import { threeds } from './operations/threeds.ts'
import { threedsFrame } from './operations/threeds-frame.ts'
import { plugins } from './operations/plugins.ts'
import { pluginManagement } from './operations/plugin-management.ts'
import { subscriptions } from './operations/subscriptions.ts'
import { promotions } from './operations/promotions.ts'
import { session } from './operations/session.ts'
import { vault } from './operations/vault.ts'

/**
 * The API, described once: group -> operation. The server's routes, request parsing, the typed clients, the OpenAPI
 * document and the property tests all come from this table.
 */
export const contract = {
  accounts,
  stores,
  products,
  shippingOptions,
  promotions,
  paymentFlows,
  paymentInstruments,
  payments,
  orders,
  subscriptions,
  disputes,
  funnels,
  funnelSessions,
  processors,
  threeds,
  events,
  eventLog,
  plugins,
  pluginManagement,
  session,
  vault,
  threedsFrame,
} as const

export type Contract = typeof contract
