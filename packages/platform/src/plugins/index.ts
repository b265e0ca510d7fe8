export { pluginsUrlOf } from './addresses.ts'
export { blobSweeper, cannotStore, holdBlobs, ownAsset, requireRoomForFiles } from './assets/index.ts'
export { sweepRemoved } from './deployments/index.ts'
export { accountOfHost, isHostOfPages, isPromotedDomain, ownerOfHost, readHost } from './served-deployment.ts'
export { type NameServers, nameServers, type PluginHosting } from './hosting.ts'
export { pageUrls, type PageUrls } from './page-urls.ts'
export { pluginManagement, plugins } from './plugins.ts'
export {
  BytesMissing,
  type PageAnswer,
  type PageKeys,
  pageKeys,
  type PageRequest,
  type PageServing,
  servePage,
  statusPage,
} from './serve/index.ts'
export { presetChecker } from './settings/index.ts'
