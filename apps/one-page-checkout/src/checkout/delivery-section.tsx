import type { JSX } from 'preact'
import { AddressFields } from '../address/address-fields.tsx'
import type { Regions } from '../address/load-regions.ts'
import type { Form } from '../form/use-form.ts'
import { useWords } from '../texts/use-words.tsx'

/** Where the goods go, and where the card's statements go if that is elsewhere. */
export interface DeliverySectionProps {
  form: Form
  regions: Regions
  /** Where goods are sent to. */
  countries: readonly string[]
}

/** The addresses. */
export function DeliverySection({ form, regions, countries }: DeliverySectionProps): JSX.Element {
  const say = useWords()
  const { isBillingSame } = form.draft
  return (
    <section class="section" aria-labelledby="delivery-heading">
      <h2 id="delivery-heading">{say('delivery')}</h2>
      <AddressFields kind="shipping" {...{ form, regions, countries }} />
      <label class="check">
        <input
          type="checkbox"
          checked={isBillingSame}
          onChange={({ currentTarget }) =>
            form.change({
              isBillingSame: currentTarget.checked,
              billing: { country: form.draft.shipping.country ?? '', ...form.draft.billing },
            })
          }
        />
        <span>{say('billingSame')}</span>
      </label>
      {!isBillingSame && (
        <fieldset class="billing">
          <legend>{say('billing')}</legend>
          <AddressFields kind="billing" {...{ form, regions }} countries={regions.countries} />
        </fieldset>
      )}
    </section>
  )
}
