/** What speaks for a country, the strongest first. */
export interface CountryHints {
  /** What was typed before. */
  known: string | null
  /** What a preview asks for. */
  preview: string | null
  /** What the shop has set; empty for nothing. */
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
