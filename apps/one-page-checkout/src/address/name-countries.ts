/** A country with its name in some language. */
export interface NamedCountry {
  code: string
  name: string
}

/**
 * Names countries in a language, in the order of its alphabet. The browser knows the names.
 *
 * @param codes ISO 3166-1 alpha-2.
 * @param locale BCP 47.
 */
export function nameCountries(codes: readonly string[], locale: string): NamedCountry[] {
  const names = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
  const named = codes.map((code) => ({ code, name: names.of(code) ?? code }))
  const { compare } = new Intl.Collator(locale) // one for all of them: `localeCompare` makes one each time
  return named.toSorted((one, other) => compare(one.name, other.name))
}
