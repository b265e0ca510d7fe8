import { accounts } from './operations/accounts.ts'
import { apiKeys } from './operations/api-keys.ts'
import { audit } from './operations/audit.ts'
import { prices, products, variants } from './operations/products.ts'
import { promotions, shippingOptions, stores } from './operations/catalog.ts'
import { customers, paymentInstruments } from './operations/customers.ts'
import { disputes } from './operations/disputes.ts'
import { eventLog, events } from './operations/events.ts'
import { funnels, funnelSessions } from './operations/funnels.ts'
import { hooks } from './operations/hooks.ts'
import { paymentFlows } from './operations/payment-flows.ts'
import { payments, refunds } from './operations/payments.ts'
import { processors } from './operations/processors.ts'
import { orders } from './operations/orders.ts'
import { me, members } from './operations/members.ts'
import { pluginManagement } from './operations/plugin-management.ts'
import { platform } from './operations/platform.ts'
import { plugins } from './operations/plugins.ts'
import { refundLimits, refundRequests } from './operations/refund-approvals.ts'
import { erasures } from './operations/privacy.ts'
import { requests } from './operations/requests.ts'
import { session } from './operations/session.ts'
import { statistics } from './operations/statistics.ts'
import { recoveries } from './operations/recoveries.ts'
import { subscriptions } from './operations/subscriptions.ts'
import { testClock } from './operations/test-clock.ts'
import { threeds, threedsFrame, threedsProviders } from './operations/threeds.ts'
import { vault } from './operations/vault.ts'
import { webhookEndpoints } from './operations/webhook-endpoints.ts'

/**
 * The API, described once: group -> operation. The server's routes, request parsing, the typed clients, the OpenAPI
 * document and the property tests are all derived from it.
 */
export const contract = {
  accounts,
  apiKeys,
  stores,
  products,
  variants,
  prices,
  shippingOptions,
  hooks,
  promotions,
  customers,
  erasures,
  paymentFlows,
  paymentInstruments,
  payments,
  orders,
  refunds,
  refundLimits,
  refundRequests,
  subscriptions,
  disputes,
  funnels,
  funnelSessions,
  processors,
  threeds,
  threedsProviders,
  statistics,
  events,
  eventLog,
  webhookEndpoints,
  plugins,
  pluginManagement,
  members,
  me,
  session,
  recoveries,
  vault,
  threedsFrame,
  audit,
  platform,
  requests,
  testClock,
} as const

export type Contract = typeof contract
