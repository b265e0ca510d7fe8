import type { Contract, ResponseOf } from '@tillwright/contract'
import { locale } from '../language/language.ts'

/** An address as the API has it. */
export type PostalAddress = NonNullable<ResponseOf<Contract['customers']['get']>['billingAddress']>

const countries = new Intl.DisplayNames(locale, { type: 'region' })

/** A postal address, as far as it is known. */
export function Address({ of: address }: { of: PostalAddress }) {
  const { line1, line2, city, state, postalCode, country } = address
  const place = [postalCode, city, state].filter(Boolean).join(' ')
  const lines = [line1, line2, place, country && countries.of(country)].filter(Boolean)
  return (
    <address class="address">
      {lines.map((line, index) => (
        <div key={index}>{line}</div>
      ))}
    </address>
  )
}
