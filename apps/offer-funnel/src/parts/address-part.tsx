import type { JSX } from 'preact'
import { useLocale } from '@tillwright/plugin-sdk/preact'
import { isAsked } from '../checkout/check-buyer.ts'
import type { BuyerForm } from '../checkout/use-buyer-form.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { FormField } from './form-field.tsx'

interface AddressPartProps {
  form: BuyerForm
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[]
}

/** Where the order goes. */
export function AddressPart({ form, countries }: AddressPartProps): JSX.Element {
  const texts = useTexts()
  const locale = useLocale()
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const options = countries
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
  return (
    <fieldset onChange={form.keep}>
      <legend>{texts.address}</legend>
      <FormField form={form} field="country" autocomplete="country" options={options} />
      <FormField form={form} field="line1" autocomplete="address-line1" />
      <div class="row">
        {isAsked('postalCode', form.fields.country) && (
          <FormField form={form} field="postalCode" autocomplete="postal-code" class="short" />
        )}
        <FormField form={form} field="city" autocomplete="address-level2" />
      </div>
      {isAsked('state', form.fields.country) && <FormField form={form} field="state" autocomplete="address-level1" />}
    </fieldset>
  )
}
