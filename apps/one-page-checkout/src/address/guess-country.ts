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
