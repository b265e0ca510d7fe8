/** Norwegian without a name is Bokmål in practice, and who reads Nynorsk reads it too. */
const norwegian = ['no', 'nn']

/**
 * The language of the form that serves a locale best: the same region, else the same script, else the same language,
 * else English. Old names of languages (`iw`, `sh`) and scripts that a region implies (`zh-TW`, `sr-ME`) are understood.
 *
 * @param locale A BCP 47 tag, `de-AT`, or the same with underscores, `de_AT`; what is neither is served in English.
 */
export function pickLocale(locale: string): string {
  const parsed = parseLocale(locale)
  if (!parsed) return 'en'
  // The script may be guessed from the region, but not the reverse: `pt` would become `pt-BR`.
  const { language, region } = parsed
  const { script } = parsed.maximize()
  const candidates = [`${language}-${region}`, `${language}-${script}`, norwegian.includes(language) ? 'nb' : language]
  return candidates.find((candidate) => localeTags.some((tag) => tag === candidate)) ?? 'en'
}

function parseLocale(locale: string): Intl.Locale | null {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-'))
  } catch {
    return null // Nothing else tells whether a text is a tag.
  }
}

const rightToLeft = ['ar', 'fa', 'he', 'ur']

/** The writing direction of a language. `Intl.Locale` knows it as well, but not in every browser. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.includes(locale) ? 'rtl' : 'ltr'
}

/** The languages besides English, as BCP 47 tags; each has a file in `languages/`. */
export const localeTags = [
  'ar',
  'bg',
  'bn',
  'bs',
  'cs',
  'da',
  'de',
  'el',
  'es',
  'et',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hr',
  'hu',
  'id',
  'is',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sr',
  'sr-Latn',
  'sv',
  'th',
  'tr',
  'uk',
  'ur',
  'vi',
  'zh-Hans',
  'zh-Hant',
] as const
