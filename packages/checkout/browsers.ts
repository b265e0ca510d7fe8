/**
 * The oldest versions of the browsers that buyers may have, under the names of `@mdn/browser-compat-data`. What is built
 * for their browsers is built for these, and `test/browsers.test.ts` holds scripts and documentation to them.
 */
export const oldestBrowsers = { chrome: '111', edge: '111', firefox: '115', safari: '16', safari_ios: '16' } as const

/** The same, as esbuild has it. */
export const target: readonly string[] = Object.entries(oldestBrowsers)
  .filter(([name]) => name !== 'safari_ios') // to esbuild one with Safari
  .map(([name, version]) => name + version)
