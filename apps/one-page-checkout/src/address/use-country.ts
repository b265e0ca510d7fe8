import { useEffect, useRef } from 'preact/hooks'
import type { Form } from '../form/use-form.ts'
import type { Settings } from '../look/settings.ts'
import { useView } from '../order/use-view.ts'
import { countries as everyCountry } from './regions.ts'

/** The countries that goods are sent to: those of the settings, else all. */
export function countriesOf({ countries }: Pick<Settings, 'countries'>): readonly string[] {
  return countries.length > 0 ? countries : everyCountry
}

/** Begins the address with a country, and follows a preview that asks for another one. */
export function useCountry(form: Form, settings: Settings): string {
  const view = useView()
  const preview = view?.preview?.previewShippingCountry ?? null
  const followed = useRef<string | null>(null)
  const known = form.draft.shipping.country ?? null
  const isNew = preview !== null && followed.current !== preview
  const country =
    settings.address === 'none'
      ? ''
      : guessCountry(
          {
            known: isNew ? null : known,
            preview,
            preferred: settings.defaultCountry,
            languages: navigator.languages,
          },
          countriesOf(settings),
        )
  useEffect(() => {
    followed.current = preview
    if (country !== '' && country !== known) form.changeAddress('shipping', { country, state: '' })
  }, [country, known, preview])
  return country
}

/** Hints at the buyer's country, strongest first. */
export interface CountryHints {
  /** Country entered earlier. */
  known: string | null
  /** Country requested by a preview. */
  preview: string | null
  /** Country from the settings; empty if unset. */
  preferred: string
  /** BCP 47 tags of the buyer's browser, best first. */
  languages: readonly string[]
}

/**
 * The country to begin with: the first that is hinted at and that goods are sent to.
 *
 * @param allowed ISO 3166-1 alpha-2, not empty: its first is the answer where nothing fits.
 */
export function guessCountry(
  { known, preview, preferred, languages }: CountryHints,
  allowed: readonly string[],
): string {
  const hints = [known, preview, preferred, ...languages.map(regionOf)]
  const found = hints.find((hint) => hint !== null && allowed.includes(hint))
  if (found != null) return found
  return allowed.includes('US') ? 'US' : (allowed[0] ?? 'US')
}

function regionOf(tag: string): string | null {
  try {
    return new Intl.Locale(tag).region ?? null
  } catch {
    return null // some browsers tell tags that are none
  }
}
