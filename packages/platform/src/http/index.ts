export { type BodyBudget, bodyBudget, requestReader } from './bodies/index.ts'
export { connectionLimit } from './connection-limit.ts'
export { type Health, healthOf } from './health.ts'
export { keepToHttps, refuseOtherHosts } from './hosts.ts'
export { type BothOrigins, FINISH_MS, type Listening, listenOnBoth, type TwoPlaces } from './listen.ts'
export { observeRequests } from './observe-requests.ts'
export {
  allHandlers,
  type AllHandlers,
  allowPages,
  type App,
  commit,
  erasedAnswer,
  plainFailure,
  replyAnswer,
  routeAssetUpload,
  routeOperations,
  serverContext,
  type ServerContext,
  testClock,
  type TestClock,
} from './operations/index.ts'
export {
  routeCertificates,
  routeConsole,
  routeDocs,
  routeGuide,
  routePaymentReturns,
  routePluginPages,
  routeRecoveryPage,
  routeSessionsOfPages,
  routeSimulatedBank,
  SIMULATED_WALLETS,
  vaultApp,
} from './pages/index.ts'
export { routeProcessorEvents } from './processor-events.ts'
export type { LocalAccount } from './reference/index.ts'
export { checkHost, checkRateLimits, type HttpConfig, httpSettings, httpVariables } from './settings.ts'
export { startSweeper } from './sweeper.ts'
