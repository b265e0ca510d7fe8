import type { Address } from '@tillwright/plugin-sdk'

/** Countries that write the postal code behind the city. */
const CODE_LAST = ['AU', 'CA', 'GB', 'IE', 'IN', 'NZ', 'SG', 'US', 'ZA']

/** Whose address it is, and in which language its country is named. */
export interface Addressee {
  firstName: string
  lastName: string
  /** BCP 47. */
  locale: string
}

/** An address as the lines of an envelope. What is empty has no line. */
export function addressLines(address: Address, { firstName, lastName, locale }: Addressee): string[] {
  const { line1, line2, city, state, postalCode, country } = address
  const place = CODE_LAST.includes(country ?? '') ? [city, state, postalCode] : [postalCode, city, state]
  const lines = [[firstName, lastName], [line1], [line2], place, [nameOf(country, locale)]]
  return lines
    .map((words) => words.filter((word) => word != null && word !== '').join(' '))
    .filter((line) => line !== '')
}

function nameOf(country: string | null | undefined, locale: string): string | undefined {
  if (country == null) return undefined
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' }).of(country)
}
