import type { ComponentType } from 'preact'
import { lazy } from 'preact-iso'
import type { OperationName } from '../api/client.ts'
import { loadTexts } from '../language/texts.ts'
import { allowed } from '../shell/allowed.tsx'
import { NotLoaded } from '../shell/not-loaded.tsx'

/** A page of the console. It and its texts are fetched when it is first opened. */
export interface ConsolePage {
  /** Below `/console`; `:id` stands for a part of the address that the page is given. */
  path: string
  component: ComponentType
}

/** All pages. The menu has its own table: not every page is in it. */
export const pages: readonly ConsolePage[] = [
  page('', 'me.get', 'home', () => import('./home/home.tsx').then((each) => each.Home)),
  page('/you', 'me.get', 'sign-in', () => import('./sign-in/you.tsx').then((each) => each.You)),
  page('/payments', 'payments.list', 'payments', () => import('./payments/payments.tsx').then((each) => each.Payments)),
  page('/payments/:id', 'payments.get', 'payments', () =>
    import('./payments/payment.tsx').then((each) => each.Payment),
  ),
  page('/refunds', 'refunds.list', 'payments', () => import('./payments/refunds.tsx').then((each) => each.Refunds)),
  page('/products', 'products.list', 'products', () => import('./products/products.tsx').then((each) => each.Products)),
  page('/products/:id', 'products.get', 'products', () =>
    import('./products/product.tsx').then((each) => each.Product),
  ),
  page('/promotions', 'promotions.list', 'promotions', () =>
    import('./promotions/promotions.tsx').then((each) => each.Promotions),
  ),
  page('/promotions/try', 'orders.quote', 'promotions', () =>
    import('./promotions/try-order.tsx').then((each) => each.TryOrder),
  ),
  page('/promotions/:id', 'promotions.getById', 'promotions', () =>
    import('./promotions/promotion.tsx').then((each) => each.Promotion),
  ),
  page('/stores', 'stores.list', 'stores', () => import('./stores/stores.tsx').then((each) => each.Stores)),
  page('/stores/:id', 'stores.get', 'stores', () => import('./stores/store.tsx').then((each) => each.Store)),
  page('/stores/:id/hooks/:kind', 'hooks.get', 'stores', () =>
    import('./stores/hook.tsx').then((each) => each.StoreHook),
  ),
  page('/processors', 'processors.list', 'processors', () =>
    import('./processors/processors.tsx').then((each) => each.Processors),
  ),
  page('/processors/:id', 'processors.get', 'processors', () =>
    import('./processors/processor.tsx').then((each) => each.Processor),
  ),
  page('/flows', 'paymentFlows.search', 'flows', () => import('./flows/flows.tsx').then((each) => each.Flows)),
  page('/flows/:id', 'paymentFlows.get', 'flows', () => import('./flows/flow.tsx').then((each) => each.Flow)),
  page('/plugins', 'pluginManagement.plugins', 'plugins', () =>
    import('./plugins/plugins.tsx').then((each) => each.Plugins),
  ),
  page('/plugins/:id', 'pluginManagement.plugins', 'plugins', () =>
    import('./plugins/plugin.tsx').then((each) => each.Plugin),
  ),
  page('/plugins/:id/compare', 'pluginManagement.view', 'plugins', () =>
    import('./plugins/compare.tsx').then((each) => each.Compare),
  ),
  page('/plugins/:id/deployments/:deploymentId', 'pluginManagement.view', 'plugins', () =>
    import('./plugins/deployment.tsx').then((each) => each.Deployment),
  ),
  page('/orders', 'orders.list', 'orders', () => import('./orders/orders.tsx').then((each) => each.Orders)),
  page('/orders/:id', 'orders.get', 'orders', () => import('./orders/order.tsx').then((each) => each.Order)),
  page('/customers', 'customers.list', 'customers', () =>
    import('./customers/customers.tsx').then((each) => each.Customers),
  ),
  page('/customers/:id', 'customers.get', 'customers', () =>
    import('./customers/customer.tsx').then((each) => each.Customer),
  ),
  page('/subscriptions', 'subscriptions.list', 'subscriptions', () =>
    import('./subscriptions/subscriptions.tsx').then((each) => each.Subscriptions),
  ),
  page('/subscriptions/:id', 'subscriptions.get', 'subscriptions', () =>
    import('./subscriptions/subscription.tsx').then((each) => each.Subscription),
  ),
  page('/disputes', 'disputes.list', 'disputes', () => import('./disputes/disputes.tsx').then((each) => each.Disputes)),
  page('/disputes/:id', 'disputes.get', 'disputes', () =>
    import('./disputes/dispute.tsx').then((each) => each.Dispute),
  ),
  page('/refund-requests', 'refundRequests.list', 'refund-requests', () =>
    import('./refund-requests/refund-requests.tsx').then((each) => each.RefundRequests),
  ),
  page('/refund-requests/:id', 'refundRequests.get', 'refund-requests', () =>
    import('./refund-requests/refund-request.tsx').then((each) => each.RefundRequest),
  ),
  page('/plugins/:pluginId/settings', 'pluginManagement.settings', 'studio', () =>
    import('./studio/studio.tsx').then((each) => each.Studio),
  ),
  page('/keys', 'apiKeys.list', 'developers', () => import('./developers/keys.tsx').then((each) => each.Keys)),
  page('/keys/:id', 'apiKeys.get', 'developers', () => import('./developers/key.tsx').then((each) => each.Key)),
  page('/webhooks', 'webhookEndpoints.list', 'developers', () =>
    import('./developers/webhooks.tsx').then((each) => each.Webhooks),
  ),
  page('/webhooks/:id', 'webhookEndpoints.get', 'developers', () =>
    import('./developers/webhook.tsx').then((each) => each.Webhook),
  ),
  page('/events', 'eventLog.list', 'developers', () => import('./developers/events.tsx').then((each) => each.Events)),
  page('/events/:id', 'events.get', 'developers', () => import('./developers/event.tsx').then((each) => each.Event)),
  page('/requests', 'requests.list', 'developers/requests', () =>
    import('./developers/requests/requests.tsx').then((each) => each.Requests),
  ),
  page('/requests/:id', 'requests.get', 'developers/requests', () =>
    import('./developers/requests/request.tsx').then((each) => each.Request),
  ),
  page('/testing', 'accounts.get', 'developers', () => import('./developers/testing.tsx').then((each) => each.Testing)),
  page('/scenarios', 'accounts.get', 'developers/scenarios', () =>
    import('./developers/scenarios/scenarios.tsx').then((each) => each.Scenarios),
  ),
  page('/test-clock', 'testClock.get', 'developers/scenarios', () =>
    import('./developers/scenarios/clock.tsx').then((each) => each.TestClock),
  ),
  page('/members', 'members.list', 'team', () => import('./team/members.tsx').then((each) => each.Members)),
  page('/members/:id', 'members.get', 'team', () => import('./team/member.tsx').then((each) => each.Member)),
  page('/audit', 'audit.list', 'team', () => import('./team/audit.tsx').then((each) => each.Audit)),
  page('/account', 'accounts.get', 'team', () => import('./team/account.tsx').then((each) => each.Account)),
  page('/operations', 'platform.get', 'operations', () =>
    import('./operations/operations.tsx').then((each) => each.Operations),
  ),
  page('/erasures', 'erasures.list', 'team', () => import('./team/erasures.tsx').then((each) => each.Erasures)),
  page('/erasures/:id', 'erasures.get', 'team', () => import('./team/erasures.tsx').then((each) => each.Erasure)),
]

function page(
  path: string,
  needs: OperationName,
  ...[part, load]: readonly [part: string, load: () => Promise<ComponentType>]
): ConsolePage {
  const component = lazy(() =>
    Promise.all([load(), loadTexts(`pages/${part}`)]).then(
      ([loaded]) => allowed(needs, loaded),
      () => NotLoaded,
    ),
  )
  return { path, component }
}
