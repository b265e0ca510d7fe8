export type {
  Budgets,
  Bundle,
  BundledPage,
  BundleFile,
  BundleOptions,
  BundleReport,
  FileSize,
  InputSize,
  PageReport,
} from './bundle.ts'
export { bundlePlugin } from './bundler.ts'
export { sourceDocument } from './documents.ts'
export { type BuildEnvironment, checkNeeded, type JsxRuntime, readEnvironment, readJsxRuntime } from './environment.ts'
export { filesOf } from './outside-files.ts'
export { isForBuyers } from './public-folder.ts'
