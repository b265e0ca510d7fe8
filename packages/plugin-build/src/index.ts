export { bundlePlugin } from './bundle/bundle-plugin.ts'
export type { BundledPage, BundleOptions, Budgets } from './bundle/bundle-options.ts'
export type { Bundle, BundleFile, BundleReport, FileSize, InputSize, PageReport } from './bundle/bundle.ts'
export type { Problem } from './problem.ts'
