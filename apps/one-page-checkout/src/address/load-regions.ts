import type * as regions from './regions.ts'

/** What is known of the world's addresses: too much to be part of a page that may not ask for one. */
export type Regions = typeof regions

/** Loads it, once: a module is kept by the browser. */
export function loadRegions(): Promise<Regions> {
  return import('./regions.ts')
}
