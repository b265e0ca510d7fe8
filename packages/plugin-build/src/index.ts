export { buildPlugin, type BuiltPlugin, checkRequirements } from './build-plugin.ts'
export {
  type Budgets,
  type BuildEnvironment,
  type Bundle,
  type BundledPage,
  type BundleFile,
  type BundleOptions,
  bundlePlugin,
  type BundleReport,
  checkNeeded,
  filesOf,
  type FileSize,
  isForBuyers,
  type InputSize,
  type JsxRuntime,
  type PageReport,
  readEnvironment,
  readJsxRuntime,
  sourceDocument,
} from './bundle/index.ts'
export type { Configuration } from './configuration/index.ts'
export { type Import, importPlugin } from './import/plugin.ts'
export type { Change } from './import/rewriting.ts'
export { atKey, atValue, type JsonDocument, readJson } from './json/index.ts'
export {
  type FileText,
  type Fixes,
  fixPlugin,
  type PageEntry,
  type Plugin,
  readPlugin,
  type ReadPlugin,
} from './manifest/index.ts'
export { PLUGIN_TYPES_FILE, pluginTypes } from './plugin-types.ts'
export { fileError, type Problem } from './problem.ts'
export { pluginNameOf, type PluginStart, startPlugin, type WantedPlugin } from './start-plugin.ts'
