import { useEffect, useState } from 'preact/hooks'
import { loadRegions, type Regions } from './load-regions.ts'

/** What is known of addresses, loaded as soon as a page that was begun without it asks for one. */
export function useRegions(initial: Regions | null, isNeeded: boolean): Regions | null {
  const [regions, setRegions] = useState(initial)
  useEffect(() => {
    if (isNeeded && regions === null) void loadRegions().then(setRegions)
  }, [isNeeded, regions])
  return isNeeded ? regions : null
}
