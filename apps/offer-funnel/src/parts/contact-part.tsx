import type { JSX } from 'preact'
import type { BuyerForm } from '../checkout/use-buyer-form.ts'
import { useTexts } from '../flow/funnel-context.ts'
import { FormField } from './form-field.tsx'

/** Whom the order is for. */
export function ContactPart({ form }: { form: BuyerForm }): JSX.Element {
  const texts = useTexts()
  return (
    <fieldset onChange={form.keep}>
      <legend>{texts.contact}</legend>
      <FormField form={form} field="email" autocomplete="email" type="email" inputMode="email" />
      <div class="row">
        <FormField form={form} field="firstName" autocomplete="given-name" />
        <FormField form={form} field="lastName" autocomplete="family-name" />
      </div>
    </fieldset>
  )
}
