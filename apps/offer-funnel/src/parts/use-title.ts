import { useEffect } from 'preact/hooks'
import { useSettings } from '../settings/use-settings.ts'

/** Says in the document's title which page is shown. */
export function useTitle(headline: string): void {
  const { brand } = useSettings()
  useEffect(() => {
    document.title = `${headline} · ${brand.name}`
  }, [headline, brand.name])
}
