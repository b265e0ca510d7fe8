import { useSession } from '@tillwright/plugin-sdk/preact'
import { useEffect, useRef } from 'preact/hooks'
import { guessCountry } from '../address/guess-country.ts'
import type { Regions } from '../address/load-regions.ts'
import type { Form } from '../form/use-form.ts'
import type { Settings } from '../look/settings.ts'

/** The countries that goods are sent to: those of the settings, else all. */
export function countriesOf({ countries }: Pick<Settings, 'countries'>, regions: Regions): readonly string[] {
  return countries.length > 0 ? countries : regions.countries
}

/** Begins the address with a country, and follows a preview that asks for another one. */
export function useCountry(form: Form, settings: Settings, regions: Regions | null): string {
  const { view } = useSession()
  const preview = view?.preview?.previewShippingCountry ?? null
  const followed = useRef<string | null>(null)
  const known = form.draft.shipping.country ?? null
  const isNew = preview !== null && followed.current !== preview
  const country =
    regions === null
      ? ''
      : guessCountry(
          {
            known: isNew ? null : known,
            preview,
            preferred: settings.defaultCountry,
            languages: navigator.languages,
          },
          countriesOf(settings, regions),
        )
  useEffect(() => {
    followed.current = preview
    if (country !== '' && country !== known) form.changeAddress('shipping', { country, state: '' })
  }, [country, known, preview])
  return country
}
