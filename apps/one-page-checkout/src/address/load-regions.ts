import { useEffect, useState } from 'preact/hooks'
import type * as regions from './regions.ts'

/** The world's address formats: too large for a page that may not ask for an address. */
export type Regions = typeof regions

/** Loads it, once: a module is kept by the browser. */
export function loadRegions(): Promise<Regions> {
  return import('./regions.ts')
}

/** The address formats, loaded as soon as a page that began without them asks for an address. */
export function useRegions(initial: Regions | null, isNeeded: boolean): Regions | null {
  const [regions, setRegions] = useState(initial)
  useEffect(() => {
    if (isNeeded && regions === null) void loadRegions().then(setRegions)
  }, [isNeeded, regions])
  return isNeeded ? regions : null
}
