import { accounts } from './operations/accounts.ts'
import { audit } from './operations/audit.ts'
import { products, promotions, shippingOptions, stores } from './operations/catalog.ts'
import { customers } from './operations/customers.ts'
import { disputes } from './operations/disputes.ts'
import { eventLog, events } from './operations/events.ts'
import { funnels, funnelSessions } from './operations/funnels.ts'
import { orders, paymentFlows, paymentInstruments, payments, processors } from './operations/payments.ts'
import { me, members } from './operations/members.ts'
import { pluginManagement } from './operations/plugin-management.ts'
import { plugins } from './operations/plugins.ts'
import { session } from './operations/session.ts'
import { subscriptions } from './operations/subscriptions.ts'
import { threeds, threedsFrame } from './operations/threeds.ts'
import { vault } from './operations/vault.ts'

/**
 * The API, described once: group -> operation. The server's routes, request parsing, the typed clients, the OpenAPI
 * document and the property tests are all derived from it.
 */
export const contract = {
  accounts,
  stores,
  products,
  shippingOptions,
  promotions,
  customers,
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
  members,
  me,
  session,
  vault,
  threedsFrame,
  audit,
} as const

export type Contract = typeof contract
