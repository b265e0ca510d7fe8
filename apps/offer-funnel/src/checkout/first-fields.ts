import type { Page } from '@tillwright/plugin-sdk'
import type { BuyerFields } from './check-buyer.ts'

/** What the form begins with: what was said in the session, and the buyer's country as far as the browser tells it. */
export function firstFields(
  { customer, session }: Pick<Page, 'customer' | 'session'>,
  countries: readonly string[],
): BuyerFields {
  const said = customer.get()
  const address = said?.shippingAddress
  const wanted = [address?.country, session.get().view?.preview?.previewShippingCountry, ...regions()]
  return {
    email: said?.email ?? '',
    firstName: said?.firstName ?? '',
    lastName: said?.lastName ?? '',
    country: wanted.find((country) => country && countries.includes(country)) ?? countries[0] ?? '',
    line1: address?.line1 ?? '',
    postalCode: address?.postalCode ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
  }
}

function regions(): (string | undefined)[] {
  return navigator.languages.map((tag) => new Intl.Locale(tag).region)
}
