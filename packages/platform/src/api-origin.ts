import type { Charging } from './routing/index.ts'
import { pageAudiences } from '@tillwright/contract'
import { Hono } from 'hono'
import type { Config } from './config.ts'
import {
  type AllHandlers,
  type App,
  type Health,
  type LocalAccount,
  type ServerContext,
  allowPages,
  keepToHttps,
  observeRequests,
  refuseOtherHosts,
  routeAssetUpload,
  routeCertificates,
  routeConsole,
  routeDocs,
  routeGuide,
  routeOperations,
  routePluginPages,
  routePaymentReturns,
  routeProcessorEvents,
  routeRecoveryPage,
  routeSessionsOfPages,
  routeSimulatedBank,
} from './http/index.ts'
import type { PluginHosting } from './plugins/index.ts'
import type { ProcessorRegistry } from './processors/index.ts'
import type { RunningThreeds } from './threeds/index.ts'
import { platformVersion } from './version.ts'

/** Parts that only the API's origin uses. */
export interface ApiParts {
  charging: Charging
  hosting: PluginHosting
  registry: ProcessorRegistry
  localAccount: () => LocalAccount | null
}

/** Parts shared by the origins of the API and of the vault. */
export interface Serving {
  apiUrl: string
  vaultUrl: string
  serverContext: ServerContext
  handlers: AllHandlers
  health: Health
  threeds: RunningThreeds
}

/** The origin of the API and of plugins' pages, as far as this process serves them. */
export function apiOrigin(
  { serverContext: shared, handlers, health, threeds, apiUrl, vaultUrl }: Serving,
  { environment, roles }: Config,
  { charging, hosting, registry, localAccount }: ApiParts,
): App {
  const app: App = new Hono()
  const answersSessions = roles.has('api') && roles.has('plugins')
  if (answersSessions)
    routeSessionsOfPages(app, operationsOfPages(handlers, shared), { serverContext: shared, hosting })
  observeRequests(app, 'api', shared.services.telemetry)
  if (roles.has('plugins')) routePluginPages(app, { serverContext: shared, hosting, answersSessions, apiUrl, vaultUrl })
  if (environment === 'local') refuseOtherHosts(app, [apiUrl, vaultUrl])
  keepToHttps(app, environment)
  health.route(app)
  if (roles.has('plugins')) routeCertificates(app, shared)
  if (!roles.has('api')) return app
  routeDocs(app, { version: platformVersion, apiUrl, vaultUrl, serverContext: shared, localAccount })
  routeGuide(app, { apiUrl, serverContext: shared })
  if (threeds.bank !== null) routeSimulatedBank(app, threeds.bank, shared)
  routeProcessorEvents(app, shared, { registry, driverOf: charging.driverOf })
  routePaymentReturns(app, shared, charging)
  routeConsole(app, shared, hosting.pluginsUrl)
  routeRecoveryPage(app, shared, { apiUrl, vaultUrl })
  allowPages(app)
  routeAssetUpload(app, { serverContext: shared, blobs: hosting.blobs })
  routeOperations(app, handlers, { serverContext: shared, audiences: ['key', 'admin', 'console', ...pageAudiences] })
  return app
}

/** What pages ask with their own session, for the hosts of pages: without CORS, which only other origins need. */
function operationsOfPages(handlers: AllHandlers, serverContext: ServerContext): App {
  const app: App = new Hono()
  observeRequests(app, 'api', serverContext.services.telemetry)
  routeOperations(app, handlers, { serverContext, audiences: pageAudiences })
  return app
}
